// Fovea - four corners in pixels of a picture.
// SPDX-License-Identifier: Apache-2.0

/// Four corners in pixels of a picture, from its upper left; centers of pixels lie at halves.
///
/// The first corner is the upper left one of the thing itself, and the others follow clockwise.
package struct PixelQuad: Hashable, Sendable {
  /// Upper left, upper right, lower right, lower left.
  package let corners: [SIMD2<Double>]

  /// Corners in the order upper left, upper right, lower right, lower left.
  package init(
    _ upperLeft: SIMD2<Double>, _ upperRight: SIMD2<Double>, _ lowerRight: SIMD2<Double>,
    _ lowerLeft: SIMD2<Double>
  ) {
    corners = [upperLeft, upperRight, lowerRight, lowerLeft]
  }

  /// The corners of an upright rectangle.
  package init(x: Double, y: Double, width: Double, height: Double) {
    self.init(
      SIMD2(x, y), SIMD2(x + width, y), SIMD2(x + width, y + height), SIMD2(x, y + height))
  }

  /// Lengths of the upper, right, lower and left side, in pixels.
  package var sides: [Double] {
    corners.indices.map { i in
      let side = corners[(i + 1) % 4] - corners[i]
      return (side * side).sum().squareRoot()
    }
  }

  /// The mean length of the upper and the lower side, in pixels.
  package var meanWidth: Double { (sides[0] + sides[2]) / 2 }
  /// The mean length of the left and the right side, in pixels.
  package var meanHeight: Double { (sides[1] + sides[3]) / 2 }

  /// The area in pixels; negative where the corners run counterclockwise.
  package var area: Double {
    corners.indices.reduce(0) { sum, i in
      let (a, b) = (corners[i], corners[(i + 1) % 4])
      return sum + (a.x * b.y - a.y * b.x) / 2
    }
  }

  /// The same corners, the first of which is now corner `index`.
  package func startingAt(_ index: Int) -> PixelQuad {
    PixelQuad(
      corners[index % 4], corners[(index + 1) % 4], corners[(index + 2) % 4],
      corners[(index + 3) % 4])
  }

  /// The corners multiplied by `factor` and moved by `offset`, in this order.
  package func scaled(by factor: Double, movedBy offset: SIMD2<Double> = .zero) -> PixelQuad {
    let moved = corners.map { $0 * factor + offset }
    return PixelQuad(moved[0], moved[1], moved[2], moved[3])
  }

  /// Whether a point lies inside or on a side, whichever way convex corners run.
  package func contains(_ point: SIMD2<Double>) -> Bool {
    let turns = corners.indices.map { i in
      let (side, way) = (corners[(i + 1) % 4] - corners[i], point - corners[i])
      return side.x * way.y - side.y * way.x
    }
    return turns.allSatisfy { $0 >= 0 } || turns.allSatisfy { $0 <= 0 }
  }
}
