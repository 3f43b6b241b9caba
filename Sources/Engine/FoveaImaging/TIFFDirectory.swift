// Fovea - the first directory of TIFF data.
// SPDX-License-Identifier: Apache-2.0

/// The first directory of TIFF data: a byte order mark, the offset of the directory, and there
/// entries of 12 bytes (tag, type, count, value). (TIFF 6.0, section 2.)
///
/// EXIF data are TIFF inside another file.
struct TIFFDirectory {
  private let bytes: [UInt8]
  private let range: Range<Int>
  private let bigEndian: Bool
  private var entries = 0..<0

  /// The directory in the TIFF data that fill `range`; `nil` unless they begin like TIFF and name
  /// one. Nothing outside `range` is read.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    switch bytes[range].prefix(4) {
    case [0x49, 0x49, 42, 0]: bigEndian = false
    case [0x4D, 0x4D, 0, 42]: bigEndian = true
    default: return nil
    }
    (self.bytes, self.range) = (bytes, range)
    guard let start = number(at: 4, bytes: 4), let count = number(at: start, bytes: 2) else {
      return nil
    }
    entries = start + 2..<start + 2 + count * 12
  }

  /// Whether there is an entry with this tag.
  func has(_ tag: Int) -> Bool { place(of: tag) != nil }

  /// Whether the entry has more than one number.
  func hasSeveral(_ tag: Int) -> Bool {
    place(of: tag).flatMap { number(at: $0 + 4, bytes: 4) } ?? 1 != 1
  }

  /// The number of an entry that has one, of 16 bits (type 3) or 32 (type 4).
  func integer(_ tag: Int) -> Int? {
    guard let place = place(of: tag), let type = number(at: place + 2, bytes: 2),
      type == 3 || type == 4, number(at: place + 4, bytes: 4) == 1
    else { return nil }
    return number(at: place + 8, bytes: type == 3 ? 2 : 4)
  }

  /// Where the first entry with this tag begins.
  private func place(of tag: Int) -> Int? {
    for place in stride(from: entries.lowerBound, to: entries.upperBound, by: 12) {
      guard let found = number(at: place, bytes: 2) else { return nil }
      if found == tag { return place }
    }
    return nil
  }

  /// The unsigned number of at most 4 bytes at `offset`; `nil` beyond the end. Offsets are sums of
  /// numbers below 2^32 and cannot overflow.
  private func number(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= range.count - count else { return nil }
    let start = range.lowerBound + offset
    let field = bytes[start..<start + count]
    let ordered = bigEndian ? Array(field) : field.reversed()
    return ordered.reduce(0) { $0 << 8 | Int($1) }
  }
}
