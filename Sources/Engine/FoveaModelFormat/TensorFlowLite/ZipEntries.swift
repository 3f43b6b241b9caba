// Fovea - small files in an archive behind a model.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDeflate

/// The files of a zip archive at the end of other bytes, as far as they are stored or deflated, and
/// small.
///
/// TensorFlow Lite files carry labels and descriptions in such an archive. What is damaged is left
/// out: a model runs without labels, too.
package struct ZipEntries {
  /// The contents by their names.
  package private(set) var files: [String: [UInt8]] = [:]
  /// How many bytes may still be made.
  private var budget = Self.greatestSum

  private static let endMark: UInt32 = 0x0605_4B50
  private static let entryMark: UInt32 = 0x0201_4B50
  private static let localMark: UInt32 = 0x0403_4B50
  private static let endSize = 22
  private static let greatestComment = 1 << 16
  private static let mostEntries = 64
  private static let greatestFile = 1 << 22
  private static let greatestSum = 1 << 24

  package init(endOf bytes: [UInt8]) {
    guard let end = Self.end(of: bytes) else { return }
    let count = min(Int(Self.number(bytes, end + 10, UInt16.self)), Self.mostEntries)
    let listSize = Int(Self.number(bytes, end + 12, UInt32.self))
    let listOffset = Int(Self.number(bytes, end + 16, UInt32.self))
    // Places are counted from where the archive begins, which may be behind the model.
    let start = end - listSize - listOffset
    guard start >= 0, listSize <= end else { return }
    var place = end - listSize
    for _ in 0..<count {
      guard place + 46 <= end, Self.number(bytes, place, UInt32.self) == Self.entryMark else {
        return
      }
      let nameSize = Int(Self.number(bytes, place + 28, UInt16.self))
      let rest =
        nameSize + Int(Self.number(bytes, place + 30, UInt16.self))
        + Int(Self.number(bytes, place + 32, UInt16.self))
      guard place + 46 + rest <= end else { return }
      let name = String(decoding: bytes[place + 46..<place + 46 + nameSize], as: UTF8.self)
      if let content = content(of: place, start, bytes, before: end - listSize) {
        files[name] = content
      }
      place += 46 + rest
    }
  }

  /// The content of an entry.
  private mutating func content(
    of entry: Int, _ start: Int, _ bytes: [UInt8], before end: Int
  ) -> [UInt8]? {
    let flags = Self.number(bytes, entry + 8, UInt16.self)
    let method = Method(rawValue: Self.number(bytes, entry + 10, UInt16.self))
    let checksum = Self.number(bytes, entry + 16, UInt32.self)
    let packedSize = Int(Self.number(bytes, entry + 20, UInt32.self))
    let size = Int(Self.number(bytes, entry + 24, UInt32.self))
    let local = start + Int(Self.number(bytes, entry + 42, UInt32.self))
    guard let method, flags & Self.isEncrypted == 0, size <= min(Self.greatestFile, budget),
      packedSize <= Self.greatestFile, local + 30 <= end,
      Self.number(bytes, local, UInt32.self) == Self.localMark
    else { return nil }
    let content =
      local + 30 + Int(Self.number(bytes, local + 26, UInt16.self))
      + Int(Self.number(bytes, local + 28, UInt16.self))
    let storedSize = method == .stored ? size : packedSize
    guard content + storedSize <= end else { return nil }
    budget -= size
    let stored = bytes[content..<content + storedSize]
    if method == .stored { return Array(stored) }
    guard let expanded = try? Inflater.expand(stored, count: size),
      Self.checksum(of: expanded) == checksum
    else { return nil }
    return expanded
  }

  private enum Method: UInt16 {
    case stored = 0
    case deflated = 8
  }

  private static let isEncrypted: UInt16 = 1

  /// CRC-32 with the polynomial that zip archives take, four bits at a time.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    let table = (0..<16 as Range<UInt32>).map { start in
      (0..<4).reduce(start) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~bytes.reduce(~0) { sum, byte in
      let low = table[Int((sum ^ UInt32(byte)) & 15)] ^ sum >> 4
      return table[Int((low ^ UInt32(byte >> 4)) & 15)] ^ low >> 4
    }
  }

  /// Where the record begins that ends an archive; a comment may follow it.
  private static func end(of bytes: [UInt8]) -> Int? {
    let last = bytes.count - endSize
    guard last >= 0 else { return nil }
    for place in (max(0, last - greatestComment)...last).reversed()
    where bytes[place] == 0x50 && number(bytes, place, UInt32.self) == endMark {
      return place
    }
    return nil
  }

  private static func number<Number: FixedWidthInteger & UnsignedInteger>(
    _ bytes: [UInt8], _ place: Int, _ type: Number.Type
  ) -> Number {
    (0..<MemoryLayout<Number>.size).reduce(0) {
      $0 | Number(bytes[place + $1]) << Number(8 * $1)
    }
  }
}
