// Fovea - what a code says.
// SPDX-License-Identifier: Apache-2.0

/// What a code says, in the form that does not depend on the library.
package struct CodePayload: Hashable, Sendable {
  /// The text; `nil` where the bytes are none.
  package var string: String?
  /// The bytes.
  package var bytes: [UInt8]
  /// The digits beside an EAN or UPC code.
  package var addOn: String?
  /// Whether it is a GS1 element string.
  package var isGS1: Bool

  /// What a symbol says.
  package init(_ symbol: CodeSymbol) {
    isGS1 = ["]C1", "]e0", "]d2", "]Q3", "]J1"].contains(symbol.identifier)
    bytes = symbol.bytes
    // Encodings that the library does not know give no text.
    string = symbol.isBinary || (symbol.text.isEmpty && !bytes.isEmpty) ? nil : symbol.text
    if CodeFormat.retail.contains(symbol.format) {
      let parts = symbol.text.split(separator: " ", maxSplits: 1).map(String.init)
      addOn = parts.count > 1 ? parts[1] : nil
      set(Self.allDigits(parts.first ?? "", symbol.format))
    } else if symbol.format == .dataBar {
      isGS1 = true
      set(symbol.text.count == 14 ? "01" + symbol.text : symbol.text)
    } else if symbol.format == .dataBarExpanded {
      isGS1 = true
      set(Self.withoutBrackets(symbol.text))
    } else if isGS1, symbol.bytes.allSatisfy({ $0 < 128 }) {
      // The text has brackets around the numbers of elements.
      string = String(decoding: symbol.bytes, as: UTF8.self)
    }
  }

  private mutating func set(_ digits: String) {
    string = digits
    bytes = Array(digits.utf8)
  }

  /// An element string without the brackets around the numbers of its elements, which have two to four
  /// digits.
  private static func withoutBrackets(_ text: String) -> String {
    var (result, rest) = ("", text[...])
    while let open = rest.firstIndex(of: "(") {
      let number = rest[rest.index(after: open)...].prefix { $0.isNumber }
      result += rest[..<open]
      rest = rest[open...].dropFirst()
      guard (2...4).contains(number.count), rest[number.endIndex...].first == ")" else {
        result += "("
        continue
      }
      result += number
      rest = rest[number.endIndex...].dropFirst()
    }
    return result + rest
  }

  /// 13 digits for UPC-A and UPC-E, as in an EAN-13.
  private static func allDigits(_ digits: String, _ format: CodeFormat) -> String {
    switch format {
    case .upca where digits.count == 12: "0" + digits
    case .upce: expandedUPCE(digits).map { "0" + $0 } ?? digits
    default: digits
    }
  }

  /// The 12 digits of the UPC-A that a UPC-E of 8 digits stands for: zeros go where the last digit of the
  /// six in the middle says.
  static func expandedUPCE(_ text: String) -> String? {
    let digits = Array(text)
    guard digits.count == 8, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    let middle = digits[1...6].map(String.init)
    let first = middle[0] + middle[1]
    let number: String
    switch middle[5] {
    case "0", "1", "2": number = first + middle[5] + "0000" + middle[2] + middle[3] + middle[4]
    case "3": number = first + middle[2] + "00000" + middle[3] + middle[4]
    case "4": number = first + middle[2] + middle[3] + "00000" + middle[4]
    default: number = first + middle[2] + middle[3] + middle[4] + "0000" + middle[5]
    }
    return String(digits[0]) + number + String(digits[7])
  }
}

extension CodeSymbol {
  /// The symbology, of those that are asked for; `nil` if it is none of them.
  func symbology(of wanted: Set<BarcodeSymbology>) -> BarcodeSymbology? {
    candidates.first(where: wanted.contains)
  }

  /// What the symbol may be called, the most exact name first.
  private var candidates: [BarcodeSymbology] {
    switch format {
    case .aztec: return [.aztec]
    case .codabar: return [.codabar]
    case .code39: return code39Candidates
    case .code93: return [.code93, .code93i]
    case .code128: return [.code128]
    case .dataBar: return [.gs1DataBar]
    case .dataBarExpanded: return [.gs1DataBarExpanded]
    case .dataMatrix: return [.dataMatrix]
    case .ean8: return [.ean8]
    case .ean13, .upca: return [.ean13]
    case .itf:
      let isChecked = hasRetailCheckDigit
      return (text.count == 14 && isChecked ? [.itf14] : [])
        + [.i2of5] + (isChecked ? [.i2of5Checksum] : [])
    case .pdf417: return [.pdf417]
    case .qr: return [.qr]
    case .upce: return [.upce]
    case .microQR: return [.microQR]
    default: return []
    }
  }

  /// The characters of Code 39 in the order of their values.
  private static let code39Alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%")

  private var code39Candidates: [BarcodeSymbology] {
    let isFull = text.contains { !Self.code39Alphabet.contains($0) }
    let isChecked = hasCode39Check
    return isFull
      ? [.code39FullASCII] + (isChecked ? [.code39FullASCIIChecksum] : [])
      : [.code39] + (isChecked ? [.code39Checksum] : []) + [.code39FullASCII]
  }

  /// Whether the last digit is the check digit of GS1: weights 3 and 1 from the right.
  private var hasRetailCheckDigit: Bool {
    let digits = text.utf8.map { Int($0) - 48 }
    guard digits.count >= 2, digits.allSatisfy((0...9).contains) else { return false }
    let sum = digits.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 * 2 + 1) }
    return sum % 10 == 0
  }

  /// Whether the last character is the sum of the others, modulo 43.
  private var hasCode39Check: Bool {
    let values = text.map { Self.code39Alphabet.firstIndex(of: $0) }
    guard values.count >= 2, let last = values.last ?? nil else { return false }
    return values.dropLast().reduce(0) { $0 + ($1 ?? 0) } % 43 == last
      && !values.contains(where: { $0 == nil })
  }
}
