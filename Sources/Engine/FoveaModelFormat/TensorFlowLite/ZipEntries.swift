// Fovea - small files in an archive behind a model.
// SPDX-License-Identifier: Apache-2.0

/// The files of a zip archive at the end of other bytes, as far as they are stored and small.
///
/// TensorFlow Lite files carry labels and descriptions in such an archive. Compressed entries are left
/// out, and so is an archive that is damaged: a model runs without labels, too.
struct ZipEntries {
  /// The contents by their names.
  private(set) var files: [String: [UInt8]] = [:]

  private static let endMark: UInt32 = 0x0605_4B50
  private static let entryMark: UInt32 = 0x0201_4B50
  private static let localMark: UInt32 = 0x0403_4B50
  private static let endSize = 22
  private static let greatestComment = 1 << 16
  private static let mostEntries = 64
  private static let greatestFile = 1 << 22

  init(endOf bytes: [UInt8]) {
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
      if let content = Self.content(of: place, start, bytes, before: end - listSize) {
        files[name] = content
      }
      place += 46 + rest
    }
  }

  /// The content of a stored entry.
  private static func content(
    of entry: Int, _ start: Int, _ bytes: [UInt8], before end: Int
  ) -> [UInt8]? {
    let isStored = number(bytes, entry + 10, UInt16.self) == 0
    let size = Int(number(bytes, entry + 24, UInt32.self))
    let local = start + Int(number(bytes, entry + 42, UInt32.self))
    guard isStored, size <= greatestFile, local + 30 <= end,
      number(bytes, local, UInt32.self) == localMark
    else { return nil }
    let content =
      local + 30 + Int(number(bytes, local + 26, UInt16.self))
      + Int(number(bytes, local + 28, UInt16.self))
    guard content + size <= end else { return nil }
    return Array(bytes[content..<content + size])
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
