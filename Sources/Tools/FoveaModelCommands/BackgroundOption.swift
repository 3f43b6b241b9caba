// Fovea - the color behind transparent pixels.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine

/// What lies behind the transparent pixels of PNG and WebP files.
package struct BackgroundOption: Sendable {
  package static let option = CommandDescription.Option(
    name: "--background", value: "COLOR",
    help: "what lies behind transparent pixels: white, black or RRGGBB (default: the colors that"
      + " are stored there)")

  /// How transparency is removed.
  package let alpha: ImageAlpha

  /// Reads the option.
  ///
  /// - Throws: `UsageError`.
  package init(_ arguments: ArgumentList) throws(UsageError) {
    guard let text = arguments.value("--background") else {
      alpha = .ignored
      return
    }
    let digits =
      ["white": "FFFFFF", "black": "000000"][text]
      ?? (text.first == "#" ? String(text.dropFirst()) : text)
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
      let color = UInt32(digits, radix: 16)
    else {
      throw UsageError("--background is '\(text)'; expected white, black or RRGGBB, such as 80FF00")
    }
    alpha = .composed(
      red: UInt8(color >> 16), green: UInt8(color >> 8 & 255), blue: UInt8(color & 255))
  }

  /// The file with this color behind its pixels.
  package func applied(to file: ImageFile) -> ImageFile {
    var file = file
    file.alpha = alpha
    return file
  }

  /// The line that says how much of an image is seen as it never was; `nil` where that is little, or
  /// where a color is named.
  package func warning(share: Double, image: String) -> String? {
    guard alpha == .ignored, share > 0.5 else { return nil }
    return
      "\(image): \(NumberText.percent(share)) of the pixels are transparent, and their stored colors"
      + " are looked at; name a color behind them (--background white)\n"
  }
}
