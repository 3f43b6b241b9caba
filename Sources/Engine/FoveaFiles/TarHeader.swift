// Fovea - a header of a tar archive.
// SPDX-License-Identifier: Apache-2.0

/// A header of a tar archive: 512 bytes.
struct TarHeader {
  static let byteCount = 512
  /// A longer header with names or attributes is refused.
  static let longestExtension = 1 << 20
  static let remedy = "make or copy the archive again"
  /// Where a block of a sparse map says whether another follows.
  static let sparseMapContinues = 504

  enum Kind: Equatable {
    case file, sparseFile
    /// A name for the member that follows (GNU).
    case longName
    /// Records about the member that follows (pax).
    case extended
    /// Links, devices and folders, which have no bytes whatever their size says.
    case withoutContent
    /// Something else, whose bytes are passed over.
    case other
  }

  var kind: Kind
  var name: [UInt8]
  var count: Int
  /// Whether it says something about the member that follows, which keeps what was said before.
  var precedesMember: Bool
  /// Whether blocks of the map of a sparse file follow (GNU).
  var continuesSparseMap: Bool

  /// - Parameter block: 512 bytes, not all of them zero.
  init(_ block: [UInt8], at offset: Int) throws(TarError) {
    guard Self.hasChecksum(block) else {
      if offset == 0 { throw Self.notAnArchive(block) }
      throw TarError(
        offset: offset, reason: "the checksum of a header is wrong; \(Self.remedy)")
    }
    guard let size = Self.number(block[124..<136]) else {
      throw TarError(
        offset: offset, reason: "the size of a member is no number; \(Self.remedy)")
    }
    count = size
    let type = block[156]
    switch type {
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): kind = .file
    case UInt8(ascii: "S"): kind = .sparseFile
    case UInt8(ascii: "L"): kind = .longName
    case UInt8(ascii: "x"), UInt8(ascii: "X"): kind = .extended
    case UInt8(ascii: "1")...UInt8(ascii: "6"): kind = .withoutContent
    default: kind = .other
    }
    precedesMember = type == UInt8(ascii: "K") || type == UInt8(ascii: "g")
    continuesSparseMap = block[482] != 0
    name = Array(block[..<100].prefix { $0 != 0 })
    // GNU keeps other things where POSIX has the folders of a long name.
    let isPOSIX = Array(block[257..<263]) == Array("ustar\0".utf8)
    let folders = block[345..<500].prefix { $0 != 0 }
    if isPOSIX, !folders.isEmpty { name = folders + [UInt8(ascii: "/")] + name }
    // Archives from before 1988 mark folders by their names alone.
    if kind == .file, name.last == UInt8(ascii: "/") { kind = .withoutContent }
  }

  /// What the first bytes are instead of a header.
  static func notAnArchive(_ block: [UInt8]) -> TarError {
    let compressions: [(String, [UInt8])] = [
      ("gzip", [0x1F, 0x8B]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("bzip2", Array("BZh".utf8)),
      ("xz", [0xFD] + Array("7zXZ".utf8)),
    ]
    for (name, magic) in compressions where block.starts(with: magic) {
      return TarError(offset: 0, reason: "is compressed by \(name); decompress it first")
    }
    return TarError(offset: 0, reason: "is no tar archive; \(Self.remedy)")
  }

  /// The sum of all bytes, those of the sum itself taken as spaces. Old programs added signed bytes.
  private static func hasChecksum(_ block: [UInt8]) -> Bool {
    guard let stated = number(block[148..<156]) else { return false }
    var (unsigned, signed) = (0, 0)
    for (place, byte) in block.enumerated() {
      let byte = (148..<156).contains(place) ? UInt8(ascii: " ") : byte
      unsigned += Int(byte)
      signed += Int(Int8(bitPattern: byte))
    }
    return stated == unsigned || stated == signed
  }

  /// A number in octal digits between spaces and zeros, or in base 256 after a byte of 0x80.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    guard let first = field.first else { return nil }
    if first & 0x80 != 0 {
      // A byte of 0xFF would begin a negative number.
      guard first == 0x80 else { return nil }
      return value(of: field.dropFirst(), base: 256) { Int($0) }
    }
    let digits = field.drop { $0 == UInt8(ascii: " ") }.prefix {
      $0 != 0 && $0 != UInt8(ascii: " ")
    }
    return value(of: digits, base: 8) { (48..<56).contains($0) ? Int($0) - 48 : nil }
  }

  /// A number in decimal digits.
  static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    return value(of: digits, base: 10) { (48..<58).contains($0) ? Int($0) - 48 : nil }
  }

  /// `nil` for what is no digit, or a number of 2^62 or more.
  private static func value(
    of digits: ArraySlice<UInt8>, base: Int, digit: (UInt8) -> Int?
  ) -> Int? {
    var value = 0
    for byte in digits {
      guard let digit = digit(byte), value < (1 << 62) / base else { return nil }
      value = value * base + digit
    }
    return value
  }
}

/// The records of an extended header: "27 path=folder/image.jpg\n".
struct PaxRecords {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next key and its value; `nil` at the end.
  mutating func next(at offset: Int) throws(TarError) -> (key: String, value: ArraySlice<UInt8>)? {
    // Some programs fill the block with zeros and count these.
    guard let first = rest.first, first != 0 else { return nil }
    let digits = rest.prefix { $0 != UInt8(ascii: " ") }
    guard let count = TarHeader.decimal(digits), count > digits.count + 1, count <= rest.count,
      rest[rest.startIndex + count - 1] == UInt8(ascii: "\n")
    else {
      throw TarError(offset: offset, reason: "a record of a header is damaged; \(TarHeader.remedy)")
    }
    let record = rest.prefix(count - 1).dropFirst(digits.count + 1)
    rest = rest.dropFirst(count)
    guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else {
      throw TarError(offset: offset, reason: "a record of a header has no '='; \(TarHeader.remedy)")
    }
    return (String(decoding: record[..<equals], as: UTF8.self), record[(equals + 1)...])
  }
}
