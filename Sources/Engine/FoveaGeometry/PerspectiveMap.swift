// Fovea - the map of the plane that a camera makes: straight lines stay straight.
// SPDX-License-Identifier: Apache-2.0

/// The map x' = (m0 x + m1 y + m2) / w, y' = (m3 x + m4 y + m5) / w with w = m6 x + m7 y + m8.
///
/// It sends any quadrilateral to any other, as a camera sends a sheet of paper to its picture. w is
/// scaled so that it is above 0 on the quadrilateral that the map was made of.
package struct PerspectiveMap: Hashable, Sendable {
  /// The nine coefficients, m0 to m8.
  package let coefficients: [Double]

  private init(coefficients: [Double]) { self.coefficients = coefficients }

  /// The map that sends the corners of the rectangle (0, 0) to (`width`, `height`) to `corners`, in the
  /// order upper left, upper right, lower right, lower left. It is `nil` if three of the corners lie on
  /// a line, if they do not turn one way around, or if a number is not finite.
  package init?(rectangle width: Double, _ height: Double, to corners: [SIMD2<Double>]) {
    guard corners.count == 4, width > 0, height > 0, isConvex(corners) else { return nil }
    // The map of the unit square, in closed form (Heckbert 1989, "Fundamentals of texture mapping").
    let (p, q, r, s) = (corners[0], corners[1], corners[2], corners[3])
    let (a, b, sum) = (q - r, s - r, p - q + r - s)
    let area = a.x * b.y - a.y * b.x
    let g = (sum.x * b.y - sum.y * b.x) / area
    let h = (a.x * sum.y - a.y * sum.x) / area
    let c: [Double] = [
      q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x, q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y,
      g,
      h, 1,
    ]
    let scaled = c.indices.map {
      $0 % 3 == 0 ? c[$0] / width : $0 % 3 == 1 ? c[$0] / height : c[$0]
    }
    guard scaled.allSatisfy(\.isFinite) else { return nil }
    self.init(coefficients: scaled)
  }

  /// Where a point goes. It is not finite where w is 0.
  package func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let m = coefficients
    let w = m[6] * point.x + m[7] * point.y + m[8]
    return SIMD2(
      (m[0] * point.x + m[1] * point.y + m[2]) / w, (m[3] * point.x + m[4] * point.y + m[5]) / w)
  }

  /// The map that applies `first`, and then this map.
  package func after(_ first: PerspectiveMap) -> PerspectiveMap {
    let (m, n) = (coefficients, first.coefficients)
    let products = (0..<9).map { i -> Double in
      let (row, column) = (i / 3 * 3, i % 3)
      return m[row] * n[column] + m[row + 1] * n[column + 3] + m[row + 2] * n[column + 6]
    }
    return PerspectiveMap(coefficients: products)
  }

  /// The inverse map; `nil` if several points go to one, or if it cannot be held in doubles.
  package var inverse: PerspectiveMap? {
    let m = coefficients
    func minor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { m[a] * m[b] - m[c] * m[d] }
    let adjoint = [
      minor(4, 8, 5, 7), minor(2, 7, 1, 8), minor(1, 5, 2, 4),
      minor(5, 6, 3, 8), minor(0, 8, 2, 6), minor(2, 3, 0, 5),
      minor(3, 7, 4, 6), minor(1, 6, 0, 7), minor(0, 4, 1, 3),
    ]
    let determinant = m[0] * adjoint[0] + m[1] * adjoint[3] + m[2] * adjoint[6]
    let scaled = adjoint.map { $0 / determinant }
    guard determinant != 0, scaled.allSatisfy(\.isFinite) else { return nil }
    return PerspectiveMap(coefficients: scaled)
  }
}

/// Whether four corners turn one way around, each by more than nothing.
private func isConvex(_ corners: [SIMD2<Double>]) -> Bool {
  let turns = corners.indices.map { i in
    let (a, b) = (
      corners[(i + 1) % 4] - corners[i], corners[(i + 2) % 4] - corners[(i + 1) % 4]
    )
    return a.x * b.y - a.y * b.x
  }
  return turns.allSatisfy { $0 > 0 } || turns.allSatisfy { $0 < 0 }
}
