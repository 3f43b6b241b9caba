// Fovea - parts of a picture in which there is text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A part of a picture that has lines of text which stand together.
struct TextArea: Hashable, Sendable {
  /// Edges in pixels, with a margin of most of a line around the text.
  let left: Int, top: Int, right: Int, bottom: Int
  /// The height of the lines in pixels, as far as boxes tell: those around turned lines are higher.
  let lineHeight: Double

  /// Areas around boxes of lines, of which those that stand together share one.
  ///
  /// - Parameter reach: Boxes up to this far from each other stand together, in heights of the lower
  ///   one; beside each other half as far again.
  static func areas(
    around boxes: [ImageRect], reach: Double, width: Int, height: Int
  ) -> [TextArea] {
    var rest = boxes
    var areas: [TextArea] = []
    while let first = rest.popLast() {
      var cluster = [first]
      var next = 0
      while next < cluster.count {
        let box = cluster[next]
        next += 1
        cluster += rest.filter { box.isNear($0, reach: reach) }
        rest.removeAll { box.isNear($0, reach: reach) }
      }
      areas.append(TextArea(cluster, width: width, height: height))
    }
    return areas
  }

  private init(_ boxes: [ImageRect], width: Int, height: Int) {
    let heights = boxes.map(\.height).sorted()
    lineHeight = heights[heights.count / 2]
    let margin = max(8, 0.9 * lineHeight)
    func edge(_ value: Double?, _ most: Int) -> Int { min(max(Int(value ?? 0), 0), most) }
    left = edge(boxes.map { $0.minX - margin }.min(), width - 1)
    top = edge(boxes.map { $0.minY - margin }.min(), height - 1)
    right = max(left + 1, edge(boxes.map { $0.maxX + margin }.max(), width))
    bottom = max(top + 1, edge(boxes.map { $0.maxY + margin }.max(), height))
  }

  /// The lines of text in each of some areas, in pixels of the picture.
  ///
  /// - Throws: `.libraryFailed` without memory.
  static func lines(
    in areas: [TextArea], of picture: GrayImage, minimumHeight: Double, isFast: Bool
  ) throws(StillError) -> [[TextLine]] {
    let finders = areas.map {
      TextLineFinder($0.cut(from: picture), lineHeight: $0.lineHeight, isFast: isFast)
    }
    let found = try TextLineFinder.lines(of: finders, minimumHeight: minimumHeight)
    return zip(areas, found).map { area, lines in
      let place = SIMD2(Double(area.left), Double(area.top))
      return lines.map { line in
        var moved = line
        moved.quad = line.quad.scaled(by: 1, movedBy: place)
        return moved
      }
    }
  }

  private func cut(from picture: GrayImage) -> GrayImage {
    var pixels: [UInt8] = []
    pixels.reserveCapacity((right - left) * (bottom - top))
    for row in top..<bottom {
      let start = row * picture.width
      pixels += picture.pixels[start + left..<start + right]
    }
    return GrayImage(width: right - left, height: bottom - top, pixels: pixels)
  }
}

extension ImageRect {
  fileprivate func isNear(_ other: ImageRect, reach: Double) -> Bool {
    let far = reach * min(height, other.height)
    return max(minX, other.minX) - min(maxX, other.maxX) < 1.5 * far
      && max(minY, other.minY) - min(maxY, other.maxY) < far
  }
}
