// Fovea - the chunks of a WebP file.
// SPDX-License-Identifier: Apache-2.0

/// What the chunks of a WebP file say, read before a decoder sees it.
///
/// Walking them to the end finds files that were cut, the claimed size, and the EXIF orientation,
/// which stands behind the pixels. (RFC 9649, section 2; frame headers: RFC 6386, section 9.1, and
/// RFC 9649, section 3.4.)
struct WebPStructure {
  /// How the pixels are coded.
  enum Coding {
    case lossy, lossless
  }

  /// Size, orientation and whether there is a color profile.
  var header = ImageHeader(.webP)
  /// How the pixels of a still image are coded.
  var coding = Coding.lossy
  /// Whether there are several images that follow each other in time.
  var isAnimated = false

  private var hasFrame = false

  /// Walks the chunks of a file that begins with RIFF and WEBP.
  ///
  /// - Throws: `.truncated` when the file ends before it says, `.damaged` when a chunk cannot be or
  ///   there is no image.
  init(_ bytes: [UInt8]) throws(ImageError) {
    guard bytes.count >= 20 else { throw ImageError(.truncated(.webP)) }
    let end = 8 + Self.number(bytes, 4, count: 4)
    guard end <= bytes.count else { throw ImageError(.truncated(.webP)) }
    var position = 12
    // Name (4 bytes), length (4), content, a byte of padding after an odd length.
    while position <= end - 8 {
      let length = Self.number(bytes, position + 4, count: 4)
      guard length <= end - position - 8 else {
        throw ImageError(.damaged(.webP, "a chunk is longer than the file"))
      }
      let content = position + 8..<position + 8 + length
      try read(bytes[position..<position + 4], bytes, content)
      position = content.upperBound + length % 2
    }
    guard hasFrame || isAnimated else {
      throw ImageError(.damaged(.webP, "there is no image in it"))
    }
  }

  private mutating func read(
    _ name: ArraySlice<UInt8>, _ bytes: [UInt8], _ content: Range<Int>
  ) throws(ImageError) {
    switch String(decoding: name, as: UTF8.self) {
    case "VP8X": readExtension(bytes, content)
    case "VP8 " where !hasFrame: try readLossyFrame(bytes, content)
    case "VP8L" where !hasFrame: try readLosslessFrame(bytes, content)
    case "ALPH": header.hasAlpha = true
    case "ICCP": header.hasColorProfile = true
    case "EXIF":
      header.orientation = ExifOrientation.find(in: bytes, content) ?? header.orientation
    default: break
    }
  }

  /// Reads flags (1 byte), 3 reserved, and the sides less 1 (3 bytes each) of an animation; a still
  /// image has its own.
  private mutating func readExtension(_ bytes: [UInt8], _ content: Range<Int>) {
    guard content.count >= 10 else { return }
    isAnimated = bytes[content.lowerBound] & 0x02 != 0
    guard isAnimated else { return }
    header.width = Self.number(bytes, content.lowerBound + 4, count: 3) + 1
    header.height = Self.number(bytes, content.lowerBound + 7, count: 3) + 1
  }

  /// Reads a frame tag (3 bytes, the lowest bit 0 for a key frame), a start code (3), and 14 bits of
  /// 16 for each side.
  private mutating func readLossyFrame(
    _ bytes: [UInt8], _ content: Range<Int>
  ) throws(ImageError) {
    let frame = bytes[content]
    guard content.count >= 10, frame[content.lowerBound] & 1 == 0,
      frame.dropFirst(3).starts(with: [0x9D, 0x01, 0x2A])
    else { throw ImageError(.damaged(.webP, "the frame header is wrong")) }
    hasFrame = true
    header.width = Self.number(bytes, content.lowerBound + 6, count: 2) & 0x3FFF
    header.height = Self.number(bytes, content.lowerBound + 8, count: 2) & 0x3FFF
  }

  /// Reads a signature (1 byte), the sides less 1 (14 bits each) and whether there is alpha (1 bit).
  private mutating func readLosslessFrame(
    _ bytes: [UInt8], _ content: Range<Int>
  ) throws(ImageError) {
    guard content.count >= 5, bytes[content.lowerBound] == 0x2F else {
      throw ImageError(.damaged(.webP, "the frame header is wrong"))
    }
    let fields = Self.number(bytes, content.lowerBound + 1, count: 4)
    hasFrame = true
    coding = .lossless
    header.width = fields & 0x3FFF + 1
    header.height = fields >> 14 & 0x3FFF + 1
    if fields >> 28 & 1 == 1 { header.hasAlpha = true }
  }

  /// The little-endian number of at most 4 bytes at `position`, saturated where `Int` has 32 bits.
  private static func number(_ bytes: [UInt8], _ position: Int, count: Int) -> Int {
    Int(
      clamping: bytes[position..<position + count].reversed().reduce(UInt32(0)) {
        $0 << 8 | UInt32($1)
      })
  }
}
