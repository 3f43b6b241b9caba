// Fovea - the chunks of a PNG file.
// SPDX-License-Identifier: Apache-2.0

/// What the chunks of a PNG file say, read before a decoder sees it.
///
/// Walking them to the end (chunk IEND) finds files that were cut, the claimed size, and the EXIF
/// orientation: that of the chunk eXIf, else that of a text as ImageMagick writes it. Checksums are the decoder's work. (PNG specification, third edition, section 5.)
struct PNGStructure {
  /// Size, orientation and whether there is a color profile.
  var header = ImageHeader(.png)
  /// Bits of one pixel as stored, 1...64; 1 where the header is invalid.
  var bitsPerPixel = 1
  /// Bits of one sample as stored; 0 where the header is invalid.
  private(set) var depth = 0
  /// 0 for gray levels, 3 for numbers of colors; others have several samples.
  private(set) var colorType: UInt8 = 0
  /// Whether the file states a curve for its samples: an exponent other than 1, sRGB, or a profile.
  private(set) var hasCurve = false

  // The four letters of a chunk's name as one big-endian number.
  private static let imageHeader: UInt32 = 0x4948_4452  // IHDR
  private static let exif: UInt32 = 0x6558_4966  // eXIf
  private static let text: UInt32 = 0x7445_5874  // tEXt
  private static let compressedText: UInt32 = 0x7A54_5874  // zTXt
  private static let transparency: UInt32 = 0x7452_4E53  // tRNS
  private static let gamma: UInt32 = 0x6741_4D41  // gAMA
  private static let standardColors: UInt32 = 0x7352_4742  // sRGB
  private static let profile: UInt32 = 0x6943_4350  // iCCP
  private static let end: UInt32 = 0x4945_4E44  // IEND
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Walks the chunks.
  ///
  /// - Throws: `.truncated` when the file ends before IEND, `.damaged` when it does not begin as
  ///   a PNG file does.
  init(_ bytes: [UInt8]) throws(ImageError) {
    guard bytes.count >= 8 else { throw ImageError(.truncated(.png)) }
    guard bytes.starts(with: Self.signature) else {
      throw ImageError(
        .damaged(.png, "the signature is wrong, as after a transfer in text mode"))
    }
    var position = 8
    var isFirst = true
    var profileOrientation: Int?
    var hasExif = false
    while true {
      // Length (4 bytes), name (4), content, checksum (4).
      guard position <= bytes.count - 12 else { throw ImageError(.truncated(.png)) }
      let length = Self.number(bytes, position)
      guard length <= bytes.count - position - 12 else { throw ImageError(.truncated(.png)) }
      let content = position + 8..<position + 8 + length
      let name = Self.word(bytes, position + 4)
      if isFirst { try readHeader(name, bytes, content) }
      switch name {
      case Self.exif:
        header.orientation = ExifOrientation.find(in: bytes, content) ?? header.orientation
        hasExif = true
      case Self.text, Self.compressedText:
        let profile = PNGRawProfile(bytes[content], isCompressed: name == Self.compressedText)
        profileOrientation = profile.flatMap(\.orientation) ?? profileOrientation
      case Self.transparency: header.hasAlpha = true
      case Self.gamma where length == 4:
        // In hundred thousandths.
        if Self.number(bytes, content.lowerBound) != 100_000 { hasCurve = true }
      case Self.standardColors: hasCurve = true
      case Self.profile:
        hasCurve = true
        header.hasColorProfile = true
      case Self.end:
        if !hasExif, let profileOrientation { header.orientation = profileOrientation }
        return
      default: break
      }
      isFirst = false
      position = content.upperBound + 4
    }
  }

  /// Reads width (4 bytes), height (4), bit depth (1), color type (1).
  private mutating func readHeader(
    _ name: UInt32, _ bytes: [UInt8], _ content: Range<Int>
  ) throws(ImageError) {
    guard name == Self.imageHeader, content.count == 13 else {
      throw ImageError(.damaged(.png, "there is no header"))
    }
    header.width = Self.number(bytes, content.lowerBound)
    header.height = Self.number(bytes, content.lowerBound + 4)
    depth = Int(bytes[content.lowerBound + 8])
    colorType = bytes[content.lowerBound + 9]
    let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
    header.hasAlpha = colorType & 4 != 0
    bitsPerPixel = max(1, min(depth, 16)) * samples
  }

  /// The big-endian number of 4 bytes at `position`.
  private static func word(_ bytes: [UInt8], _ position: Int) -> UInt32 {
    bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The same as `Int`, saturated where that has 32 bits.
  private static func number(_ bytes: [UInt8], _ position: Int) -> Int {
    Int(clamping: word(bytes, position))
  }
}
