// Fovea - which pixels of an image belong to an object.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// Which pixels of the full upright image belong to an object.
///
/// A mask holds one bit for each pixel of the least upright box around the object:
///
///     image        . . . . . . . .       words of a row, the lowest bit is the first column:
///                  . . 0 1 1 0 . .       |0110............| columns 2 to 5
///                  . . 1 1 1 1 . .       |1111............|
///
/// Pixels are counted from the upper left.
public struct InstanceMask: Hashable, Sendable {
  /// The size of the upright image.
  public let imageSize: ImageSize
  /// The columns and rows of the box.
  package let columns: Range<Int>
  package let rows: Range<Int>
  /// The bits of all rows, each of `wordsPerRow` words.
  private(set) var words: [UInt64]
  /// The number of pixels that belong to the object.
  public private(set) var area = 0

  /// The words of a row of bits.
  var wordsPerRow: Int { (columns.count + 63) / 64 }

  /// A mask in which no pixel belongs to the object yet. Whoever fills it trims it in the end.
  init(imageSize: ImageSize, columns: Range<Int>, rows: Range<Int>) {
    (self.imageSize, self.columns, self.rows) = (imageSize, columns, rows)
    words = [UInt64](repeating: 0, count: (columns.count + 63) / 64 * rows.count)
  }

  /// Whether a pixel belongs to the object; `false` outside the image.
  public func contains(x: Int, y: Int) -> Bool {
    guard columns.contains(x), rows.contains(y) else { return false }
    let column = x - columns.lowerBound
    let word = words[(y - rows.lowerBound) * wordsPerRow + column >> 6]
    return word >> UInt64(column & 63) & 1 == 1
  }

  /// The least upright box around the pixels, in fractions from the lower left.
  public var boundingBox: NormalizedRect {
    NormalizedRect(
      imageRect: ImageRect(
        x: Double(columns.lowerBound), y: Double(rows.lowerBound), width: Double(columns.count),
        height: Double(rows.count), origin: .upperLeft), in: imageSize)
  }

  private func rowWords(_ row: Int) -> ArraySlice<UInt64> {
    let start = (row - rows.lowerBound) * wordsPerRow
    return words[start..<start + wordsPerRow]
  }

  // MARK: Filling

  /// Lets pixels of a row belong to the object that did not before.
  ///
  /// - Precondition: The stretch lies in the box.
  mutating func fill(_ stretch: Range<Int>, inRow row: Int) {
    guard !stretch.isEmpty else { return }
    precondition(
      rows.contains(row) && columns.lowerBound <= stretch.lowerBound
        && stretch.upperBound <= columns.upperBound)
    let start = (row - rows.lowerBound) * wordsPerRow
    let (first, last) = (
      stretch.lowerBound - columns.lowerBound, stretch.upperBound - 1 - columns.lowerBound
    )
    for index in first >> 6...last >> 6 {
      let low = index == first >> 6 ? first & 63 : 0
      let high = index == last >> 6 ? last & 63 : 63
      words[start + index] |= (~0 >> UInt64(63 - high)) & (~0 << UInt64(low))
    }
    area += stretch.count
  }

  /// The same mask in the least box, so that masks of the same pixels are equal.
  func trimmed() -> InstanceMask {
    var whole = [UInt64](repeating: 0, count: wordsPerRow)
    let filled = rows.filter { row in
      let own = rowWords(row)
      for (index, word) in own.enumerated() { whole[index] |= word }
      return own.contains { $0 != 0 }
    }
    guard let top = filled.first, let bottom = filled.last,
      let first = whole.firstIndex(where: { $0 != 0 }),
      let last = whole.lastIndex(where: { $0 != 0 })
    else { return InstanceMask(imageSize: imageSize, columns: 0..<0, rows: 0..<0) }
    let left = columns.lowerBound + first << 6 + whole[first].trailingZeroBitCount
    let right = columns.lowerBound + last << 6 + 64 - whole[last].leadingZeroBitCount
    guard left..<right != columns || top..<bottom + 1 != rows else { return self }
    var mask = InstanceMask(imageSize: imageSize, columns: left..<right, rows: top..<bottom + 1)
    for row in mask.rows {
      for stretch in stretches(inRow: row) { mask.fill(stretch, inRow: row) }
    }
    return mask
  }

  /// The stretches of columns that belong to the object in a row, from left to right.
  package func stretches(inRow row: Int) -> [Range<Int>] {
    guard rows.contains(row) else { return [] }
    var found: [Range<Int>] = []
    var x = 0
    let words = Array(rowWords(row))
    while let first = Self.next(in: words, from: x, isSet: true), first < columns.count {
      let end = min(
        Self.next(in: words, from: first, isSet: false) ?? columns.count, columns.count)
      found.append(columns.lowerBound + first..<columns.lowerBound + end)
      x = end
    }
    return found
  }

  /// Rectangles of pixels that make up the mask: equal stretches of rows below each other are one.
  package var bars: [(columns: Range<Int>, rows: Range<Int>)] {
    var found: [(columns: Range<Int>, rows: Range<Int>)] = []
    var open: [(columns: Range<Int>, first: Int)] = []
    for row in rows.lowerBound...rows.upperBound {
      let stretches = stretches(inRow: row)
      for bar in open where !stretches.contains(bar.columns) {
        found.append((bar.columns, bar.first..<row))
      }
      open = stretches.map { stretch in
        open.first { $0.columns == stretch } ?? (stretch, row)
      }
    }
    return found
  }

  /// The first bit from a place on that is set, or that is not.
  private static func next(in words: [UInt64], from place: Int, isSet: Bool) -> Int? {
    var index = place >> 6
    guard index < words.count else { return nil }
    var word = (isSet ? words[index] : ~words[index]) & (~0 << UInt64(place & 63))
    while word == 0 {
      index += 1
      guard index < words.count else { return nil }
      word = isSet ? words[index] : ~words[index]
    }
    return index << 6 + word.trailingZeroBitCount
  }
}

extension InstanceMask: Codable {
  /// Reads the form of `MaskRunLengths`.
  public init(from decoder: any Decoder) throws {
    self.init(try MaskRunLengths(from: decoder))
  }

  /// Writes the form of `MaskRunLengths`.
  public func encode(to encoder: any Encoder) throws {
    try runLengths.encode(to: encoder)
  }
}
