// Fovea - masks as COCO writes them.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A mask as lengths of runs of equal pixels, column by column, as COCO writes it.
///
/// The first run is one of pixels outside the object, and may be empty. In files, lengths are text
/// (`text`), 6 bits a character.
public struct MaskRunLengths: Hashable, Sendable {
  /// The size of the image.
  public let imageSize: ImageSize
  /// The lengths; their sum is the number of pixels.
  public let lengths: [Int]

  /// Creates a mask from lengths.
  ///
  /// - Returns: `nil` where a length is negative, or their sum is not the number of pixels, or
  ///   those are more than 2^28.
  public init?(imageSize: ImageSize, lengths: [Int]) {
    let (pixels, isTooLarge) = imageSize.width.multipliedReportingOverflow(by: imageSize.height)
    guard imageSize.width >= 0, imageSize.height >= 0, !isTooLarge, pixels <= 1 << 28 else {
      return nil
    }
    var left = pixels
    for length in lengths {
      guard length >= 0, length <= left else { return nil }
      left -= length
    }
    guard left == 0 else { return nil }
    (self.imageSize, self.lengths) = (imageSize, lengths)
  }

  init(known lengths: [Int], imageSize: ImageSize) {
    (self.imageSize, self.lengths) = (imageSize, lengths)
  }

  /// The number of pixels of the object.
  public var area: Int {
    stride(from: 1, to: lengths.count, by: 2).reduce(0) { $0 + lengths[$1] }
  }

  /// The number of pixels that are of the object in both masks. O(runs).
  ///
  /// - Precondition: Both are of images of one size.
  package func intersection(with other: MaskRunLengths) -> Int {
    precondition(imageSize == other.imageSize, "masks of images of different sizes")
    var (shared, i, j) = (0, 0, 0)
    var (left, right) = (lengths.first ?? 0, other.lengths.first ?? 0)
    while i < lengths.count, j < other.lengths.count {
      let step = min(left, right)
      if i & j & 1 == 1 { shared += step }
      (left, right) = (left - step, right - step)
      if left == 0 {
        i += 1
        if i < lengths.count { left = lengths[i] }
      }
      if right == 0 {
        j += 1
        if j < other.lengths.count { right = other.lengths[j] }
      }
    }
    return shared
  }

  // MARK: Text

  /// The lengths as text: from the fourth on each is written as its difference to the one two
  /// before; 5 bits a character, lowest first, and a sixth where more follow.
  public var text: String {
    var bytes: [UInt8] = []
    for (index, length) in lengths.enumerated() {
      var value = index > 2 ? length - lengths[index - 2] : length
      while true {
        let bits = UInt8(value & 31)
        value >>= 5
        let isLast = bits & 16 == 0 ? value == 0 : value == -1
        bytes.append(bits + (isLast ? 0 : 32) + 48)
        if isLast { break }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads lengths that are text.
  ///
  /// - Returns: `nil` for a text that is damaged, or for other lengths than `init` takes.
  public init?(imageSize: ImageSize, text: String) {
    var lengths: [Int] = []
    var (value, shift) = (0, 0)
    for byte in text.utf8 {
      guard (48..<48 + 64).contains(byte), shift <= 50 else { return nil }
      let bits = Int(byte - 48)
      value |= (bits & 31) << shift
      shift += 5
      guard bits & 32 == 0 else { continue }
      if bits & 16 != 0 { value |= -1 << shift }
      let (length, isTooLarge) =
        lengths.count > 2
        ? value.addingReportingOverflow(lengths[lengths.count - 2]) : (value, false)
      guard !isTooLarge else { return nil }
      lengths.append(length)
      (value, shift) = (0, 0)
    }
    guard shift == 0 else { return nil }
    self.init(imageSize: imageSize, lengths: lengths)
  }
}

extension MaskRunLengths: Codable {
  private enum CodingKeys: String, CodingKey { case size, counts }

  /// Reads `{"size": [rows, columns], "counts": text or lengths}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let size = try container.decode([Int].self, forKey: .size)
    let lengths = try? container.decode([Int].self, forKey: .counts)
    let text = lengths == nil ? try container.decode(String.self, forKey: .counts) : ""
    guard size.count == 2 else { throw Self.damaged(container) }
    let imageSize = ImageSize(width: size[1], height: size[0])
    let found =
      lengths.map { MaskRunLengths(imageSize: imageSize, lengths: $0) }
      ?? MaskRunLengths(imageSize: imageSize, text: text)
    guard let found else { throw Self.damaged(container) }
    self = found
  }

  private static func damaged(_ container: KeyedDecodingContainer<CodingKeys>) -> DecodingError {
    DecodingError.dataCorruptedError(
      forKey: .counts, in: container,
      debugDescription: "the run lengths of a mask do not fill its rows and columns")
  }

  /// Writes `{"size": [rows, columns], "counts": text}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode([imageSize.height, imageSize.width], forKey: .size)
    try container.encode(text, forKey: .counts)
  }
}

extension InstanceMask {
  /// The mask as COCO writes it. O(pixels of the box).
  public var runLengths: MaskRunLengths {
    var lengths: [Int] = []
    var (run, isInside) = (0, false)
    func add(_ count: Int, _ isSet: Bool) {
      if count > 0, isSet != isInside {
        lengths.append(run)
        (run, isInside) = (0, isSet)
      }
      run += count
    }
    add(columns.lowerBound * imageSize.height, false)
    for x in columns {
      add(rows.lowerBound, false)
      for y in rows { add(1, contains(x: x, y: y)) }
      add(imageSize.height - rows.upperBound, false)
    }
    add((imageSize.width - columns.upperBound) * imageSize.height, false)
    lengths.append(run)
    return MaskRunLengths(known: lengths, imageSize: imageSize)
  }

  /// The mask of run lengths.
  public init(_ runLengths: MaskRunLengths) {
    let (size, height) = (runLengths.imageSize, max(runLengths.imageSize.height, 1))
    var stretches: [(rows: Range<Int>, column: Int)] = []
    var place = 0
    for (index, length) in runLengths.lengths.enumerated() {
      var start = place
      place += length
      while index & 1 == 1, start < place {
        let stop = min(place, (start / height + 1) * height)
        stretches.append((start % height..<start % height + stop - start, start / height))
        start = stop
      }
    }
    let rows = stretches.map(\.rows)
    let top = rows.map(\.lowerBound).min() ?? 0
    let bottom = rows.map(\.upperBound).max() ?? 0
    let left = stretches.first?.column ?? 0
    let right = stretches.last.map { $0.column + 1 } ?? 0
    self.init(imageSize: size, columns: left..<right, rows: top..<bottom)
    for stretch in stretches {
      for row in stretch.rows { fill(stretch.column..<stretch.column + 1, inRow: row) }
    }
  }
}
