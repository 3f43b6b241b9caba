// Fovea - the outlines of a mask.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

extension InstanceMask {
  /// The outer outlines of the mask: a ring of corners for each connected part, clockwise on the
  /// screen, in pixels from the upper left. Corners lie on centers of pixels, as in OpenCV; holes
  /// are not told. Pixels that touch at a corner are connected.
  ///
  /// Border following after Suzuki and Abe (1985), of outer borders alone. O(pixels of the box).
  public var polygons: [[ImagePoint]] {
    var tracer = OutlineTracer(self)
    return tracer.rings().map { ring in
      ring.map { ImagePoint(x: Double($0.x) + 0.5, y: Double($0.y) + 0.5, origin: .upperLeft) }
    }
  }
}

/// Follows the outer borders of a mask.
private struct OutlineTracer {
  typealias Pixel = (x: Int, y: Int)

  private let mask: InstanceMask
  /// The part that a pixel is of, 0 for none yet; with a border of one pixel around the mask's box.
  private var parts: [Int32]
  private let width: Int
  private let height: Int

  /// Clockwise on the screen, beginning at the right.
  private static let steps: [Pixel] = [
    (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1),
  ]

  init(_ mask: InstanceMask) {
    self.mask = mask
    (width, height) = (mask.columns.count, mask.rows.count)
    parts = [Int32](repeating: 0, count: width * height)
  }

  private func isSet(_ x: Int, _ y: Int) -> Bool {
    mask.contains(x: mask.columns.lowerBound + x, y: mask.rows.lowerBound + y)
  }

  /// A ring for each part, the uppermost first.
  mutating func rings() -> [[Pixel]] {
    var rings: [[Pixel]] = []
    for y in 0..<height {
      for stretch in mask.stretches(inRow: mask.rows.lowerBound + y) {
        let x = stretch.lowerBound - mask.columns.lowerBound
        guard parts[y * width + x] == 0 else { continue }
        rings.append(
          ring(from: (x, y)).map { corner in
            (corner.x + mask.columns.lowerBound, corner.y + mask.rows.lowerBound)
          })
        flood(from: (x, y), part: Int32(truncatingIfNeeded: rings.count))
      }
    }
    return rings
  }

  /// The corners of the border that begins at the uppermost pixel of a part, the leftmost of these.
  private func ring(from start: Pixel) -> [Pixel] {
    // Nothing lies above it, nor at its left.
    guard var direction = next(from: start, after: 4) else { return [start] }
    var (corners, last): ([Pixel], Int) = ([], -1)
    let first = direction
    var pixel = start
    repeat {
      if direction != last { corners.append(pixel) }
      let step = Self.steps[direction]
      pixel = (pixel.x + step.x, pixel.y + step.y)
      last = direction
      // The neighbor before the one that it came from is looked at first.
      direction = next(from: pixel, after: (direction + 5) & 7) ?? direction
    } while pixel != start || direction != first
    return corners
  }

  /// The direction of the first pixel of the mask clockwise behind a direction.
  private func next(from pixel: Pixel, after direction: Int) -> Int? {
    for turn in 1...8 {
      let candidate = (direction + turn) & 7
      let step = Self.steps[candidate]
      if isSet(pixel.x + step.x, pixel.y + step.y) { return candidate }
    }
    return nil
  }

  /// Marks the pixels of a part.
  private mutating func flood(from start: Pixel, part: Int32) {
    var waiting = [start]
    parts[start.y * width + start.x] = part
    while let pixel = waiting.popLast() {
      for step in Self.steps {
        let (x, y) = (pixel.x + step.x, pixel.y + step.y)
        guard isSet(x, y), parts[y * width + x] == 0 else { continue }
        parts[y * width + x] = part
        waiting.append((x, y))
      }
    }
  }
}
