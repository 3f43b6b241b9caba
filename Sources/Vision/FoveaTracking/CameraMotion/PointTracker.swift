// Fovea - a point of one picture, found again in the next.
// SPDX-License-Identifier: Apache-2.0

/// Finds points again by the gradients around them (Lucas and Kanade, 1981). Keeps its memory.
struct PointTracker: Sendable {
  /// A pixel near the point: its brightness in the old picture, and how that changes to the right
  /// and downwards.
  private struct Pixel: Sendable {
    var value: Float
    var across: Float
    var along: Float
  }

  private var pixels: [Pixel] = []

  private static let radius = 4
  private static let greatestStepCount = 8
  /// A mean difference of brightness above this is another point.
  private static let greatestDifference: Float = 14
  /// The square of a step, in pixels, after which the search ends.
  private static let leastStep: Float = 0.0004

  /// Where the point (`x`, `y`) of `old` lies in `new`, beginning at `guess`; `nil` if it is lost.
  mutating func find(
    x: Float, y: Float, from old: LumaPlane, in new: LumaPlane, guess: CornerFinder.Point
  ) -> CornerFinder.Point? {
    guard Self.isInside(x, y, old) else { return nil }
    pixels.removeAll(keepingCapacity: true)
    old.pixels.withUnsafeBufferPointer { look($0, width: old.width, x: x, y: y) }
    var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
    for pixel in pixels {
      xx += pixel.across * pixel.across
      xy += pixel.across * pixel.along
      yy += pixel.along * pixel.along
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1 else { return nil }
    var found = guess
    for _ in 0..<Self.greatestStepCount {
      guard Self.isInside(found.x, found.y, new) else { return nil }
      let (right, down, difference) = new.pixels.withUnsafeBufferPointer {
        compare($0, width: new.width, found)
      }
      let moveX = (yy * right - xy * down) / determinant
      let moveY = (xx * down - xy * right) / determinant
      found.x += moveX
      found.y += moveY
      if moveX * moveX + moveY * moveY < Self.leastStep {
        return difference < Self.greatestDifference ? found : nil
      }
    }
    return Self.isInside(found.x, found.y, new) ? found : nil
  }

  /// Remembers the pixels around a point of the old picture, row after row.
  private mutating func look(
    _ before: UnsafeBufferPointer<Float>, width: Int, x: Float, y: Float
  ) {
    @inline(__always)
    func sample(_ x: Float, _ y: Float) -> Float {
      LumaPlane.sample(before, width: width, x: x, y: y)
    }
    for row in -Self.radius...Self.radius {
      for column in -Self.radius...Self.radius {
        let (px, py) = (x + Float(column), y + Float(row))
        pixels.append(
          Pixel(
            value: sample(px, py), across: (sample(px + 1, py) - sample(px - 1, py)) / 2,
            along: (sample(px, py + 1) - sample(px, py - 1)) / 2))
      }
    }
  }

  /// The differences from the new picture around `point`, times the gradients; and their mean size.
  private func compare(
    _ after: UnsafeBufferPointer<Float>, width: Int, _ point: CornerFinder.Point
  ) -> (right: Float, down: Float, difference: Float) {
    var (right, down, sum): (Float, Float, Float) = (0, 0, 0)
    var index = 0
    for row in -Self.radius...Self.radius {
      for column in -Self.radius...Self.radius {
        let pixel = pixels[index]
        let difference =
          pixel.value
          - LumaPlane.sample(
            after, width: width, x: point.x + Float(column), y: point.y + Float(row))
        right += pixel.across * difference
        down += pixel.along * difference
        sum += difference.magnitude
        index += 1
      }
    }
    return (right, down, sum / Float(index))
  }

  /// Whether all pixels that are looked at exist.
  private static func isInside(_ x: Float, _ y: Float, _ plane: LumaPlane) -> Bool {
    let margin = Float(radius + 2)
    return x >= margin && y >= margin && x < Float(plane.width) - margin - 1
      && y < Float(plane.height) - margin - 1
  }
}
