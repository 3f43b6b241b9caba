// Fovea - masks from outlines, by the rule of COCO's evaluation.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

extension MaskRunLengths {
  /// An outline has at most this many steps of a fifth of a pixel.
  package static let greatestStepCount = 1 << 22

  /// The pixels inside one outline or more, as COCO's evaluation fills them.
  ///
  /// - Parameter outlines: For each, x and y of its corners in pixels from the upper left.
  /// - Returns: `nil` for an odd number of numbers, for outlines of more than `greatestStepCount`
  ///   steps, and for an image of more than 2^28 pixels.
  /// - Complexity: O(s log s) in the number of steps.
  package init?(imageSize: ImageSize, outlines: [[Double]]) {
    guard let empty = MaskRunLengths(emptyOf: imageSize) else { return nil }
    var inside: [Range<Int>] = []
    var steps = 0
    for outline in outlines {
      var walk = OutlineWalk(imageSize: imageSize)
      guard walk.run(outline, steps: &steps) else { return nil }
      inside += walk.inside
    }
    guard !inside.isEmpty else {
      self = empty
      return
    }
    inside.sort { $0.lowerBound < $1.lowerBound }
    var lengths: [Int] = []
    var (end, start) = (0, 0)
    for range in inside {
      if range.lowerBound > end || lengths.isEmpty {
        if !lengths.isEmpty { lengths.append(end - start) }
        lengths.append(range.lowerBound - end)
        (start, end) = (range.lowerBound, range.upperBound)
      } else {
        end = max(end, range.upperBound)
      }
    }
    lengths.append(end - start)
    let pixels = imageSize.width * imageSize.height
    if end < pixels { lengths.append(pixels - end) }
    self.init(known: lengths, imageSize: imageSize)
  }

  /// A mask without pixels of the object; `nil` for an image of more than 2^28 pixels.
  private init?(emptyOf imageSize: ImageSize) {
    let (pixels, isTooLarge) = imageSize.width.multipliedReportingOverflow(by: imageSize.height)
    guard !isTooLarge else { return nil }
    self.init(imageSize: imageSize, lengths: [pixels])
  }
}

/// Walks an outline in steps of a fifth of a pixel. Corners are rounded to fifths. Where the outline
/// passes the center line of a column, the pixels below that place change sides:
///
///     center line    :
///                  . : .
///                  --x--   the outline passes: the mask begins with the next pixel's center
///                  . # .
///                  --x--   the outline passes again: the mask ends
///                  . : .
///
/// Places are counted column by column, as run lengths are.
private struct OutlineWalk {
  private let size: ImageSize
  private var places: [Int] = []
  private var last: (x: Int, y: Int)?

  init(imageSize: ImageSize) { size = imageSize }

  /// Where the mask is, ascending.
  var inside: [Range<Int>] {
    let end = size.width * size.height
    var sides: [Int] = []
    for place in places.sorted() {
      // Two changes at one place are none.
      if sides.last == place { sides.removeLast() } else { sides.append(place) }
    }
    if sides.count % 2 == 1 { sides.append(end) }
    return stride(from: 0, to: sides.count, by: 2).map { sides[$0]..<sides[$0 + 1] }
      .filter { !$0.isEmpty }
  }

  /// Walks from corner to corner and back to the first.
  ///
  /// - Returns: `false` where the outline is too long or no list of corners.
  mutating func run(_ outline: [Double], steps: inout Int) -> Bool {
    let isReasonable = outline.allSatisfy { $0.magnitude < 1e7 }
    guard outline.count % 2 == 0, isReasonable else { return false }
    let fifths = outline.map { Int(5 * $0 + 0.5) }
    let corners = stride(from: 0, to: fifths.count, by: 2).map { (fifths[$0], fifths[$0 + 1]) }
    for (place, corner) in corners.enumerated() {
      let next = corners[(place + 1) % corners.count]
      steps += max(abs(next.0 - corner.0), abs(next.1 - corner.1))
      guard steps <= MaskRunLengths.greatestStepCount else { return false }
      walk(from: corner, to: next)
    }
    return true
  }

  /// Walks an edge. Both directions pass the same places: these are computed from the end with the
  /// lesser coordinate along the longer side.
  private mutating func walk(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) {
    let (width, height) = (abs(end.x - start.x), abs(end.y - start.y))
    let isFlat = width >= height
    let count = isFlat ? width : height
    guard count > 0 else { return }
    let isBackward = isFlat ? start.x > end.x : start.y > end.y
    let (low, high) = isBackward ? (end, start) : (start, end)
    let rise = isFlat ? high.y - low.y : high.x - low.x
    let slope = Double(rise) / Double(count)
    for step in 0...count {
      let along = isBackward ? count - step : step
      let offset = slope * Double(along)
      pass(
        isFlat
          ? (low.x + along, Int(Double(low.y) + offset + 0.5))
          : (Int(Double(low.x) + offset + 0.5), low.y + along))
    }
  }

  private mutating func pass(_ point: (x: Int, y: Int)) {
    defer { last = point }
    guard let last, last.x != point.x else { return }
    // Pixel c has its center at 5 c + 2.5 fifths.
    let left = min(last.x, point.x)
    guard left >= 0, left % 5 == 2, left / 5 < size.width else { return }
    let row = max(0, min(last.y, point.y) + 2) / 5
    places.append(left / 5 * size.height + min(row, size.height))
  }
}
