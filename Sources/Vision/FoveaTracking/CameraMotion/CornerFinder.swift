// Fovea - points of a picture that can be found again.
// SPDX-License-Identifier: Apache-2.0

/// Finds corners: points around which the picture changes in every direction (Shi and Tomasi, 1994).
struct CornerFinder: Sendable {
  /// A point in pixels, counted from the center of the first one.
  struct Point: Sendable {
    var x: Float
    var y: Float
  }

  private(set) var points: [Point] = []

  /// The picture is cut into squares of this side; each has one corner at most.
  private static let side = 20
  /// Corners lie at least this far from the edges.
  static let border = 8
  /// The least mean square of the gradient in its weakest direction.
  private static let leastStrength: Float = 8
  private static let radius = 2

  /// Finds the strongest corner of each square that no box covers.
  ///
  /// - Parameters:
  ///   - boxes: What moves by itself, in full pixels.
  ///   - step: Full pixels for each pixel of the plane.
  mutating func find(in plane: LumaPlane, off boxes: [TrackingBox], step: Int) {
    points.removeAll(keepingCapacity: true)
    let border = Self.border
    guard plane.width > 4 * border, plane.height > 4 * border else { return }
    plane.pixels.withUnsafeBufferPointer { pixels in
      for top in stride(from: border, to: plane.height - border, by: Self.side) {
        for left in stride(from: border, to: plane.width - border, by: Self.side) {
          let best = strongest(
            pixels, plane, rows: top..<min(top + Self.side, plane.height - border),
            columns: left..<min(left + Self.side, plane.width - border))
          guard let best, !covers(boxes, best, step) else { continue }
          points.append(best)
        }
      }
    }
  }

  private func strongest(
    _ pixels: UnsafeBufferPointer<Float>, _ plane: LumaPlane, rows: Range<Int>,
    columns: Range<Int>
  ) -> Point? {
    var best: Point?
    var greatest = Self.leastStrength
    // Every third pixel is enough: the windows overlap.
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 3) {
      for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 3) {
        let strength = Self.strength(pixels, width: plane.width, x: x, y: y)
        if strength > greatest {
          greatest = strength
          best = Point(x: Float(x), y: Float(y))
        }
      }
    }
    return best
  }

  /// The smaller eigenvalue of the mean products of gradients around a pixel.
  private static func strength(
    _ pixels: UnsafeBufferPointer<Float>, width: Int, x: Int, y: Int
  ) -> Float {
    var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
    for row in (y - radius)...(y + radius) {
      for place in (row * width + x - radius)...(row * width + x + radius) {
        let across = (pixels[place + 1] - pixels[place - 1]) / 2
        let along = (pixels[place + width] - pixels[place - width]) / 2
        xx += across * across
        xy += across * along
        yy += along * along
      }
    }
    let count = Float((2 * radius + 1) * (2 * radius + 1))
    let difference = xx - yy
    let root = (difference * difference + 4 * xy * xy).squareRoot()
    return (xx + yy - root) / (2 * count)
  }

  private func covers(_ boxes: [TrackingBox], _ point: Point, _ step: Int) -> Bool {
    let x = (Double(point.x) + 0.5) * Double(step)
    let y = (Double(point.y) + 0.5) * Double(step)
    for box in boxes where (x - box.x).magnitude < box.width / 2 {
      if (y - box.y).magnitude < box.height / 2 { return true }
    }
    return false
  }
}
