// Fovea - the marker segments of a JPEG file.
// SPDX-License-Identifier: Apache-2.0

/// What the markers of a JPEG file say, read before a decoder sees it.
///
/// The decoder would fill what is missing of a cut file with grey. So the segments are walked to
/// the end of the image (marker EOI) first, which also yields the size and the EXIF orientation.
/// (ITU-T T.81, annex B.)
struct JPEGStructure {
  /// Number of columns that the frame header claims.
  var width = 0
  /// Number of rows that the frame header claims.
  var height = 0
  /// Whether the frame is Huffman-coded, which spends at least one bit on a block.
  var isHuffmanCoded = false
  /// EXIF orientation 1...8; 1 unless the file states another.
  var orientation = 1

  private var hasFrame = false

  /// Walks the markers of a file that begins with SOI.
  ///
  /// - Throws: `.truncated` when the file ends before EOI, `.damaged` when a segment cannot be.
  init(_ bytes: [UInt8]) throws(PictureError) {
    var position = 2
    while true {
      guard let marker = JPEGStructure.nextMarker(bytes, &position) else {
        throw PictureError(.truncated(.jpeg))
      }
      if marker == 0xD9 { break }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      let segment = try JPEGStructure.segment(bytes, &position)
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        try readFrame(marker, bytes[segment])
      case 0xE1: readApplication1(bytes, segment)
      default: break
      }
    }
    guard hasFrame else { throw PictureError(.damaged(.jpeg, "there is no frame header")) }
  }

  /// The next marker at or after `position`, which moves behind it. Entropy-coded data, stuffed
  /// zeros and stray bytes are passed over, as decoders do.
  private static func nextMarker(_ bytes: [UInt8], _ position: inout Int) -> UInt8? {
    bytes.withUnsafeBufferPointer { bytes in
      while position + 1 < bytes.count {
        let code = bytes[position + 1]
        if bytes[position] == 0xFF && code != 0 && code != 0xFF {
          position += 2
          return code
        }
        position += 1
      }
      return nil
    }
  }

  /// The range of a segment's content; `position`, at its two length bytes, moves behind it.
  private static func segment(
    _ bytes: [UInt8], _ position: inout Int
  ) throws(PictureError) -> Range<Int> {
    guard position + 2 <= bytes.count else { throw PictureError(.truncated(.jpeg)) }
    let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
    guard length >= 2 else {
      throw PictureError(.damaged(.jpeg, "a segment has length \(length)"))
    }
    guard length <= bytes.count - position else { throw PictureError(.truncated(.jpeg)) }
    let content = position + 2..<position + length
    position += length
    return content
  }

  /// Reads precision (1 byte), height (2), width (2) of a frame header.
  private mutating func readFrame(
    _ marker: UInt8, _ content: ArraySlice<UInt8>
  ) throws(PictureError) {
    guard !hasFrame else { throw PictureError(.damaged(.jpeg, "there are two frame headers")) }
    guard content.count >= 6 else {
      throw PictureError(.damaged(.jpeg, "the frame header is too short"))
    }
    let numbers = content.dropFirst().prefix(4).map(Int.init)
    hasFrame = true
    height = numbers[0] << 8 | numbers[1]
    width = numbers[2] << 8 | numbers[3]
    isHuffmanCoded = (0xC0...0xC2).contains(marker)
  }

  /// Reads the orientation of an EXIF segment; the first one that states it counts.
  private mutating func readApplication1(_ bytes: [UInt8], _ segment: Range<Int>) {
    let name: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]  // "Exif", two zeros
    guard orientation == 1, bytes[segment].starts(with: name) else { return }
    let data = segment.lowerBound + name.count..<segment.upperBound
    orientation = ExifOrientation.find(in: bytes, data) ?? 1
  }
}
