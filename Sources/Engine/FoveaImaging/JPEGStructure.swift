// Fovea - the marker segments of a JPEG file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// What the markers of a JPEG file say, read before a decoder sees it.
///
/// The decoder would fill what is missing of a cut file with gray. So the segments are walked to
/// the end of the image (marker EOI) first, which also yields the size and the EXIF orientation.
/// (ITU-T T.81, annex B; the profile: ICC.1, annex B.4.)
struct JPEGStructure {
  /// What the segments before the first scan say.
  var header = ImageHeader(.jpeg)
  /// Whether the frame is Huffman-coded, which spends at least one bit on a block.
  var isHuffmanCoded = false

  private var hasFrame = false
  private var hasScan = false

  /// Walks the markers of a file that begins with SOI, to its end.
  ///
  /// - Throws: `.truncated` when the file ends before EOI, `.damaged` when a segment cannot be.
  init(_ bytes: [UInt8]) throws(ImageError) {
    try walk(bytes, toScan: false)
  }

  /// Walks the markers before the first scan; what follows need not be there.
  ///
  /// - Throws: `.truncated` when the file ends before it, `.damaged` when a segment cannot be.
  init(headOf bytes: [UInt8]) throws(ImageError) {
    try walk(bytes, toScan: true)
  }

  private mutating func walk(_ bytes: [UInt8], toScan: Bool) throws(ImageError) {
    var position = 2
    while !(toScan && hasScan) {
      guard let marker = JPEGStructure.nextMarker(bytes, &position) else {
        throw ImageError(.truncated(.jpeg))
      }
      if marker == 0xD9 { break }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      let segment = try JPEGStructure.segment(bytes, &position)
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        try readFrame(marker, bytes[segment])
      case 0xDA: hasScan = true
      case 0xE1: readApplication1(bytes, segment)
      case 0xE2: readApplication2(bytes[segment])
      default: break
      }
    }
    guard hasFrame else { throw ImageError(.damaged(.jpeg, "there is no frame header")) }
  }

  /// The next marker at or after `position`, which moves behind it. Entropy-coded data, stuffed
  /// zeros and stray bytes are passed over, as decoders do.
  private static func nextMarker(_ bytes: [UInt8], _ position: inout Int) -> UInt8? {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      // A marker has two bytes, so its first is not the file's last.
      while position < bytes.count - 1,
        let found = memchr(start + position, 0xFF, bytes.count - 1 - position)
      {
        position = UnsafeRawPointer(start).distance(to: found) + 1
        let code = bytes[position]
        if code != 0 && code != 0xFF {
          position += 1
          return code
        }
      }
      return nil
    }
  }

  /// The range of a segment's content; `position`, at its two length bytes, moves behind it.
  private static func segment(
    _ bytes: [UInt8], _ position: inout Int
  ) throws(ImageError) -> Range<Int> {
    guard position + 2 <= bytes.count else { throw ImageError(.truncated(.jpeg)) }
    let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
    guard length >= 2 else {
      throw ImageError(.damaged(.jpeg, "a segment has length \(length)"))
    }
    guard length <= bytes.count - position else { throw ImageError(.truncated(.jpeg)) }
    let content = position + 2..<position + length
    position += length
    return content
  }

  /// Reads precision (1 byte), height (2), width (2) of a frame header.
  private mutating func readFrame(
    _ marker: UInt8, _ content: ArraySlice<UInt8>
  ) throws(ImageError) {
    guard !hasFrame else { throw ImageError(.damaged(.jpeg, "there are two frame headers")) }
    guard content.count >= 6 else {
      throw ImageError(.damaged(.jpeg, "the frame header is too short"))
    }
    let numbers = content.dropFirst().prefix(4).map(Int.init)
    hasFrame = true
    header.height = numbers[0] << 8 | numbers[1]
    header.width = numbers[2] << 8 | numbers[3]
    isHuffmanCoded = (0xC0...0xC2).contains(marker)
  }

  /// Reads the orientation of an EXIF segment; the first one that states another than upright
  /// counts.
  private mutating func readApplication1(_ bytes: [UInt8], _ segment: Range<Int>) {
    guard !hasScan, header.orientation == 1, bytes[segment].starts(with: "Exif\0\0".utf8)
    else { return }
    let data = segment.lowerBound + 6..<segment.upperBound
    header.orientation = ExifOrientation.find(in: bytes, data) ?? 1
  }

  /// Notices a color profile.
  private mutating func readApplication2(_ content: ArraySlice<UInt8>) {
    guard !hasScan else { return }
    if content.starts(with: "ICC_PROFILE\0".utf8) { header.hasColorProfile = true }
  }
}
