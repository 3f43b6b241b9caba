// Fovea - a map of the plane that keeps straight lines straight.
// SPDX-License-Identifier: Apache-2.0

/// The map x' = `a` x + `b` y + `tx`, y' = `c` x + `d` y + `ty`.
///
/// The coefficients stand as in a matrix that multiplies columns: `a` and `b` make x', `c` and `d`
/// make y'. (Core Graphics, which multiplies rows, calls our `b` c and our `c` b.) Units and the
/// direction of y belong to whoever gives the map out. A map is called like a function:
///
///     let (x, y) = map(x: 3, y: 4)
public struct AffineMap: Hashable, Codable, Sendable {
  /// What x adds to x'.
  public var a: Double
  /// What y adds to x'.
  public var b: Double
  /// What x adds to y'.
  public var c: Double
  /// What y adds to y'.
  public var d: Double
  /// x' of the origin.
  public var tx: Double
  /// y' of the origin.
  public var ty: Double

  /// The map that leaves every point where it is.
  public static let identity = AffineMap(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// The map with these coefficients.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The map that multiplies x by `x` and y by `y`.
  public static func scaling(x: Double, y: Double) -> AffineMap {
    AffineMap(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// The map that adds `x` to x and `y` to y.
  public static func translation(x: Double, y: Double) -> AffineMap {
    AffineMap(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  // MARK: Composing

  /// The map that does this one first and `next` second.
  public func then(_ next: AffineMap) -> AffineMap {
    AffineMap(
      a: next.a * a + next.b * c, b: next.a * b + next.b * d,
      c: next.c * a + next.d * c, d: next.c * b + next.d * d,
      tx: next.a * tx + next.b * ty + next.tx, ty: next.c * tx + next.d * ty + next.ty)
  }

  /// The map that undoes this one, or `nil` where points of the plane fall together or a
  /// coefficient of either map is no finite number.
  public var inverse: AffineMap? {
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
  public var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }

  /// Whether x' depends on y and y' on x: the map turns images by a quarter, or mirrors them at
  /// a diagonal.
  public var exchangesAxes: Bool { a == 0 && d == 0 && b != 0 && c != 0 }

  // MARK: Mapping

  /// Where the point (`x`, `y`) goes.
  public func callAsFunction(x: Double, y: Double) -> (x: Double, y: Double) {
    (a * x + b * y + tx, c * x + d * y + ty)
  }

  /// The smallest box around the places to which the points of `box` go; for a map along the axes,
  /// exactly those places. A box whose edges are in the wrong order keeps that.
  public func callAsFunction(_ box: CornerBox) -> CornerBox {
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
