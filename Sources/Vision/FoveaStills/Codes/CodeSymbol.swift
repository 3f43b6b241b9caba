// Fovea - a code as the library tells it.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaCodes

/// A kind of code as the library tells it apart; some hold several symbologies.
package struct CodeFormat: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(_ format: fov_codes_format) { rawValue = UInt32(format.rawValue) }

  static let aztec = Self(fov_codes_format_aztec)
  static let codabar = Self(fov_codes_format_codabar)
  static let code39 = Self(fov_codes_format_code39)
  static let code93 = Self(fov_codes_format_code93)
  static let code128 = Self(fov_codes_format_code128)
  static let dataBar = Self(fov_codes_format_data_bar)
  static let dataBarExpanded = Self(fov_codes_format_data_bar_expanded)
  static let dataMatrix = Self(fov_codes_format_data_matrix)
  static let ean8 = Self(fov_codes_format_ean8)
  static let ean13 = Self(fov_codes_format_ean13)
  static let itf = Self(fov_codes_format_itf)
  static let pdf417 = Self(fov_codes_format_pdf417)
  static let qr = Self(fov_codes_format_qr)
  static let upca = Self(fov_codes_format_upca)
  static let upce = Self(fov_codes_format_upce)
  static let microQR = Self(fov_codes_format_micro_qr)

  /// Bars side by side in one row.
  static let linear: Self = [
    .codabar, .code39, .code93, .code128, .dataBar, .dataBarExpanded, .ean8, .ean13, .itf, .upca,
    .upce,
  ]
  /// Linear codes that chance passes now and then: one digit to check, or none.
  static let weak: Self = [.codabar, .code39, .ean8, .ean13, .itf, .upca, .upce]
  /// EAN and UPC.
  static let retail: Self = [.ean8, .ean13, .upca, .upce]
  /// Bars in rows or in one row: they stand upright in an upright code.
  static let bars: Self = linear.union(.pdf417)
}

/// A code as the library tells it, in pixels of the picture that it was asked about.
package struct CodeSymbol: Hashable, Sendable {
  /// What kind of code it is.
  package var format: CodeFormat
  /// Its text, in the library's own form.
  package var text: String
  /// Its bytes, in the library's own form.
  package var bytes: [UInt8]
  /// Its symbology identifier, such as "]C1"; empty if there is none.
  package var identifier: String
  /// Whether the bytes are no text.
  package var isBinary: Bool
  /// Whether it is light on dark.
  package var isInverted: Bool
  /// How many lines of a linear code agreed.
  package var lines: Int
  /// Its corners; those of a linear code are the ends of lines.
  package var corners: PixelQuad

  /// The symbols of an answer (`fov_codes.h`); `nil` for bytes that are no answer.
  package static func symbols(of answer: [UInt8], isInverted: Bool) -> [CodeSymbol]? {
    var bytes = AnswerBytes(answer)
    guard let count = bytes.number(), count <= 4096 else { return nil }
    var symbols: [CodeSymbol] = []
    for _ in 0..<count {
      guard let symbol = CodeSymbol(&bytes, isInverted: isInverted) else { return nil }
      symbols.append(symbol)
    }
    return bytes.isAtEnd ? symbols : nil
  }

  private init?(_ bytes: inout AnswerBytes, isInverted: Bool) {
    guard let format = bytes.number(), let flags = bytes.number(), let lines = bytes.number() else {
      return nil
    }
    var points: [SIMD2<Double>] = []
    for _ in 0..<4 {
      guard let x = bytes.signed(), let y = bytes.signed(), max(x.magnitude, y.magnitude) < 1 << 24
      else { return nil }
      // The library counts pixels; their centers lie at halves.
      points.append(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
    }
    guard let text = bytes.text(), let data = bytes.counted(), let identifier = bytes.text() else {
      return nil
    }
    let corners = PixelQuad(points[0], points[1], points[2], points[3])
    let isMirrored = Int(flags) & fov_codes_symbol_mirrored != 0
    self.init(
      format: CodeFormat(rawValue: format), text: text, bytes: data, identifier: identifier,
      isBinary: Int(flags) & fov_codes_symbol_binary != 0, isInverted: isInverted,
      lines: Int(lines), corners: isMirrored ? corners.mirrored : corners)
  }

  private init(
    format: CodeFormat, text: String, bytes: [UInt8], identifier: String, isBinary: Bool,
    isInverted: Bool, lines: Int, corners: PixelQuad
  ) {
    (self.format, self.text, self.bytes, self.identifier) = (format, text, bytes, identifier)
    (self.isBinary, self.isInverted, self.lines) = (isBinary, isInverted, lines)
    self.corners = corners
  }
}

extension PixelQuad {
  /// The corners of the same thing seen from behind.
  fileprivate var mirrored: PixelQuad { PixelQuad(corners[0], corners[3], corners[2], corners[1]) }
}
