// Fovea - the orientation tag of EXIF data.
// SPDX-License-Identifier: Apache-2.0

/// The orientation in a block of EXIF data.
///
/// EXIF is a TIFF file inside another: a byte order mark, the offset of the first directory, and
/// there entries of 12 bytes (tag, type, count, value). Only tag 0x0112 is read. (Exif 2.3,
/// sections 4.5 and 4.6; TIFF 6.0, section 2.)
package enum ExifOrientation {
  /// The orientation 1...8 in the TIFF data that fill `range` of `bytes`; `nil` where there is
  /// none, an invalid one, or the data are broken. Nothing outside `range` is read.
  ///
  /// Some writers begin the data with "Exif", as in JPEG, where nothing belongs before them.
  package static func find(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let range = range.clamped(to: bytes.indices)
    let prefix = bytes[range].starts(with: "Exif\0\0".utf8) ? 6 : 0
    guard let reader = TIFFReader(bytes, range.lowerBound + prefix..<range.upperBound),
      let directory = reader.integer(at: 4, bytes: 4),
      let count = reader.integer(at: directory, bytes: 2)
    else { return nil }
    for entry in 0..<count {
      let position = directory + 2 + entry * 12
      guard let tag = reader.integer(at: position, bytes: 2) else { return nil }
      if tag == 0x0112 { return orientation(of: position, reader) }
    }
    return nil
  }

  /// The value of the orientation entry at `position`: one 16-bit number (type 3). Some writers use
  /// a 32-bit one (type 4).
  private static func orientation(of position: Int, _ reader: TIFFReader) -> Int? {
    guard let type = reader.integer(at: position + 2, bytes: 2), type == 3 || type == 4,
      reader.integer(at: position + 4, bytes: 4) == 1,
      let value = reader.integer(at: position + 8, bytes: type == 3 ? 2 : 4)
    else { return nil }
    return (1...8).contains(value) ? value : nil
  }
}

/// Numbers of either byte order at offsets into part of an array.
private struct TIFFReader {
  let bytes: [UInt8]
  let range: Range<Int>
  let bigEndian: Bool

  /// `nil` unless the data begin like TIFF.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    switch bytes[range].prefix(4) {
    case [0x49, 0x49, 42, 0]: bigEndian = false
    case [0x4D, 0x4D, 0, 42]: bigEndian = true
    default: return nil
    }
    self.bytes = bytes
    self.range = range
  }

  /// The unsigned number of at most 4 bytes at `offset`; `nil` beyond the end. Offsets are sums of
  /// numbers below 2^32 and cannot overflow.
  func integer(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= range.count - count else { return nil }
    let start = range.lowerBound + offset
    let field = bytes[start..<start + count]
    let ordered = bigEndian ? Array(field) : field.reversed()
    return ordered.reduce(0) { $0 << 8 | Int($1) }
  }
}
