// Fovea - EXIF as a text in a PNG file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDeflate

/// EXIF data as ImageMagick has written them since before PNG had a chunk for them: a text of the name
/// "Raw profile type exif" or "Raw profile type APP1", which zTXt deflates.
///
///     \nexif\n      38\n4578696600004949...   (lines of hexadecimal digits)
struct PNGRawProfile {
  /// The data; they may begin with "Exif".
  private let bytes: [UInt8]

  private static let names = ["Raw profile type exif", "Raw profile type APP1"]
  /// Data are at most as long as a segment of a JPEG file, and two digits a byte.
  private static let greatestText = 1 << 18

  /// The content of a chunk tEXt or zTXt; `nil` for other texts, and for damaged ones.
  init?(_ chunk: ArraySlice<UInt8>, isCompressed: Bool) {
    guard let end = chunk.prefix(80).firstIndex(of: 0),
      Self.names.contains(where: { chunk[..<end].elementsEqual($0.utf8) })
    else { return nil }
    var text = chunk[(end + 1)...]
    if isCompressed {
      // The method, then two bytes before what is deflated, and a checksum behind it.
      guard text.count > 3, text.first == 0, text.count <= Self.greatestText,
        let expanded = try? Inflater.expand(text.dropFirst(3), atMost: Self.greatestText)
      else { return nil }
      text = expanded[...]
    }
    guard text.count <= Self.greatestText else { return nil }
    // An empty line, a name, a number, and the digits.
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3 else { return nil }
    let digits = lines[2].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    bytes = (0..<digits.count / 2).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
  }

  /// The orientation that they state.
  var orientation: Int? { ExifOrientation.find(in: bytes, bytes.indices) }
}
