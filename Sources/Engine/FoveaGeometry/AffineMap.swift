// Fovea - a map of the plane that keeps straight lines straight.
// SPDX-License-Identifier: Apache-2.0

/// The map x' = `a` x + `b` y + `tx`, y' = `c` x + `d` y + `ty`.
///
/// The coefficients are those of a matrix that multiplies column vectors: `a` and `b` give x', `c`
/// and `d` give y'. Core Graphics multiplies row vectors: its `b` is `c` here, and its `c` is `b`.
/// The source of a map says which units it uses and where y points. Call a map like a function:
///
///     let (x, y) = map(x: 3, y: 4)
public struct AffineMap: Hashable, Codable, Sendable {
  /// The factor of x in x'.
  public var a: Double
  /// The factor of y in x'.
  public var b: Double
  /// The factor of x in y'.
  public var c: Double
  /// The factor of y in y'.
  public var d: Double
  /// x' of the origin.
  public var tx: Double
  /// y' of the origin.
  public var ty: Double

  /// The map that leaves every point in place.
  package static let identity = AffineMap(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// The map with these coefficients.
  package init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The map that multiplies x by `x` and y by `y`.
  package static func scaling(x: Double, y: Double) -> AffineMap {
    AffineMap(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// The map that adds `x` to x and `y` to y.
  package static func translation(x: Double, y: Double) -> AffineMap {
    AffineMap(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  // MARK: Composing

  /// The map that applies this map first and `next` second.
  package func then(_ next: AffineMap) -> AffineMap {
    AffineMap(
      a: next.a * a + next.b * c, b: next.a * b + next.b * d,
      c: next.c * a + next.d * c, d: next.c * b + next.d * d,
      tx: next.a * tx + next.b * ty + next.tx, ty: next.c * tx + next.d * ty + next.ty)
  }

  /// The inverse map. It is `nil` if the map sends several points to one, or if a coefficient of
  /// either map is not finite.
  package var inverse: AffineMap? {
    let inverse: AffineMap
    // Maps along the axes need one division for each number; a determinant would only round.
    // A difference from 0 is never -0, which would be written into files.
    if b == 0, c == 0 {
      inverse = AffineMap(a: 1 / a, b: 0, c: 0, d: 1 / d, tx: 0 - tx / a, ty: 0 - ty / d)
    } else if a == 0, d == 0 {
      inverse = AffineMap(a: 0, b: 1 / c, c: 1 / b, d: 0, tx: 0 - ty / c, ty: 0 - tx / b)
    } else {
      let determinant = a * d - b * c
      inverse = AffineMap(
        a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
        tx: (b * ty - d * tx) / determinant, ty: (c * tx - a * ty) / determinant)
    }
    return isFinite && inverse.isFinite ? inverse : nil
  }

  /// Whether every coefficient is a finite number.
  package var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }

  /// Whether x' depends on y alone, and y' on x alone: the map turns images by 90 degrees, or
  /// mirrors them at a diagonal.
  package var exchangesAxes: Bool { a == 0 && d == 0 && b != 0 && c != 0 }

  // MARK: Mapping

  /// The point to which the map sends (`x`, `y`).
  public func callAsFunction(x: Double, y: Double) -> (x: Double, y: Double) {
    (a * x + b * y + tx, c * x + d * y + ty)
  }

  /// The smallest box around the points to which the map sends `box`. For a map without rotation,
  /// it contains no others. A box whose minimum and maximum are exchanged stays so.
  package func callAsFunction(_ box: CornerBox) -> CornerBox {
    let (minX, maxX) = edges(a, b, tx, box)
    let (minY, maxY) = edges(c, d, ty, box)
    return CornerBox(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
  }

  /// The least and the greatest value of one row of the map over a box.
  private func edges(
    _ byX: Double, _ byY: Double, _ offset: Double, _ box: CornerBox
  ) -> (Double, Double) {
    let (nearX, farX) = byX < 0 ? (box.maxX, box.minX) : (box.minX, box.maxX)
    let (nearY, farY) = byY < 0 ? (box.maxY, box.minY) : (box.minY, box.maxY)
    return (byX * nearX + byY * nearY + offset, byX * farX + byY * farY + offset)
  }

  /// `callAsFunction(_:)` for a rectangle by its nearest corner and its size, which is not computed
  /// from rounded edges: the identity gives back every bit.
  func rectangle(
    x: Double, y: Double, width: Double, height: Double
  ) -> (x: Double, y: Double, width: Double, height: Double) {
    let corner = self(CornerBox(minX: x, minY: y, maxX: x + width, maxY: y + height))
    return (
      corner.minX, corner.minY, abs(a) * width + abs(b) * height,
      abs(c) * width + abs(d) * height
    )
  }
}
