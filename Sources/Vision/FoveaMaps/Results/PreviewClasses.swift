// Fovea - names and colors of classes in Core ML's metadata.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDrawing
internal import FoveaJSON

/// Names and colors of classes in Core ML's metadata, where Xcode reads them for its preview:
///
///     {"labels": ["background", "cat"], "colors": ["#000000", "#800000"]}
///
/// The text is anybody's: what cannot be read counts as absent.
struct PreviewClasses {
  static let key = "com.apple.coreml.model.preview.params"

  private(set) var labels: [String] = []
  /// As many as the text has before one that cannot be read.
  private(set) var colors: [DrawingColor] = []

  /// More classes than a map has numbers for are not read.
  private static let mostClasses = 65_534

  init(_ text: String?) {
    guard let text else { return }
    var found = PreviewClasses()
    let bytes = Array(text.utf8)
    let isSound = bytes.withUnsafeBytes { bytes in
      var parser = JSONPullParser(bytes)
      do throws(JSONError) {
        try found.read(&parser)
        try parser.finish()
        return true
      } catch {
        return false
      }
    }
    if isSound { self = found }
  }

  private init() {}

  private mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
    var texts: [String: [String]] = [:]
    try parser.readObject { parser, key throws(JSONError) in
      guard let key = key.text, ["labels", "colors"].contains(key) else {
        return try parser.skipValue()
      }
      var list: [String] = []
      try parser.readArray { parser throws(JSONError) in
        guard list.count < Self.mostClasses else {
          throw parser.error("too many classes")
        }
        list.append(try parser.readText())
      }
      texts[key] = list
    }
    labels = texts["labels"] ?? []
    for text in texts["colors"] ?? [] {
      guard let color = Self.color(text) else { break }
      colors.append(color)
    }
  }

  /// The color that "#RRGGBB" names.
  private static func color(_ text: String) -> DrawingColor? {
    let digits = text.utf8.dropFirst(text.hasPrefix("#") ? 1 : 0)
    guard digits.count == 6, let value = UInt32(String(digits) ?? "", radix: 16) else { return nil }
    return DrawingColor(hexadecimal: value)
  }
}
