// Fovea - the text of a Darknet network.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The text of a Darknet network (`.cfg`): sections of options.
///
///     [convolutional]      a section; the first one describes the network
///     filters = 16         an option; blanks do not count, of equal keys the last one does
///     # words              a comment, as is a line that begins with ";"
struct DarknetText {
  /// The sections in their order.
  private(set) var sections: [DarknetSection] = []

  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0B, 0x0C, 0x0D]

  /// Takes a text apart.
  ///
  /// - Throws: At the first line that is no section, option or comment.
  init(_ bytes: [UInt8], fileName: String, limits: ReadingLimits) throws(ModelFormatError) {
    var number = 0
    for raw in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let line = raw.filter { !Self.blanks.contains($0) }
      guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else {
        continue
      }
      do throws(ModelFormatError) {
        if first == UInt8(ascii: "[") {
          try begin(line, number: number, fileName: fileName, limits)
        } else {
          try add(line, number: number)
        }
      } catch {
        throw error.within("line \(number) of \(fileName)")
      }
    }
  }

  private mutating func begin(
    _ line: [UInt8], number: Int, fileName: String, _ limits: ReadingLimits
  ) throws(ModelFormatError) {
    guard line.count > 2, line.last == UInt8(ascii: "]") else {
      throw Self.noOption(line, expected: "a section such as [convolutional]")
    }
    guard sections.count < limits.layers else {
      throw ModelFormatError(
        .limitExceeded, found: "more than \(limits.layers) sections", expected: "fewer")
    }
    sections.append(
      DarknetSection(
        name: ModelText.readable(String(decoding: line[1..<line.count - 1], as: UTF8.self)),
        line: number, fileName: fileName))
  }

  private mutating func add(_ line: [UInt8], number: Int) throws(ModelFormatError) {
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
      throw Self.noOption(line, expected: "an option such as filters=16, or a comment after #")
    }
    guard !sections.isEmpty else {
      throw Self.noOption(line, expected: "the section [net] before all options")
    }
    sections[sections.count - 1].options[String(decoding: line[..<equals], as: UTF8.self)] =
      DarknetSection.Option(
        value: String(decoding: line[(equals + 1)...], as: UTF8.self), line: number)
  }

  private static func noOption(_ line: [UInt8], expected: String) -> ModelFormatError {
    let text = ModelText.readable(String(decoding: line.prefix(40), as: UTF8.self))
    return ModelFormatError(
      .malformedEncoding, found: "\"\(text)\"", expected: expected,
      remedy: "Repair the line, or download the file again.")
  }
}

/// A section of a Darknet network with its options.
struct DarknetSection {
  /// What stands between the brackets.
  let name: String
  /// The number of its line, from 1.
  let line: Int
  /// The name of the file.
  let fileName: String
  fileprivate(set) var options: [String: Option] = [:]

  /// The value of an option, without blanks.
  struct Option {
    var value: String
    var line: Int
  }

  fileprivate init(name: String, line: Int, fileName: String) {
    self.name = name
    self.line = line
    self.fileName = fileName
  }

  // MARK: Options

  /// Whether an option is given.
  func has(_ key: String) -> Bool { options[key] != nil }

  /// A word.
  func word(_ key: String, default value: String) -> String { options[key]?.value ?? value }

  /// An integer in a range.
  func integer(
    _ key: String, default value: Int, in range: ClosedRange<Int>
  ) throws(ModelFormatError) -> Int {
    guard let option = options[key] else {
      guard range.contains(value) else {
        throw error(.missingField, found: "no '\(key)'", expected: Self.words(range))
      }
      return value
    }
    let number = try integer(option.value[...], key)
    guard range.contains(number) else {
      throw error(
        number < range.lowerBound ? .invalidValue : .limitExceeded, key, found: "\(number)",
        expected: Self.words(range))
    }
    return number
  }

  /// Whether a number is given that is not 0.
  func flag(_ key: String) throws(ModelFormatError) -> Bool {
    try integer(key, default: 0, in: Int.min...Int.max) != 0
  }

  /// A number.
  func number(_ key: String, default value: Double) throws(ModelFormatError) -> Double {
    guard let option = options[key] else { return value }
    return try number(option.value[...], key)
  }

  /// Integers with commas between them; `nil` without the option.
  func integers(_ key: String) throws(ModelFormatError) -> [Int]? {
    var numbers: [Int] = []
    guard let parts = parts(key) else { return nil }
    for part in parts { numbers.append(try integer(part, key)) }
    return numbers
  }

  /// Numbers with commas between them; `nil` without the option.
  func numbers(_ key: String) throws(ModelFormatError) -> [Double]? {
    var numbers: [Double] = []
    guard let parts = parts(key) else { return nil }
    for part in parts { numbers.append(try number(part, key)) }
    return numbers
  }

  /// What stands between commas, before a comment. A comma may follow the last number.
  private func parts(_ key: String) -> [Substring]? {
    guard let value = options[key]?.value else { return nil }
    let list = value.prefix { $0 != "#" && $0 != ";" }
    var parts = list.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last == "" { parts.removeLast() }
    return parts
  }

  /// The number that a text begins with, as C's `atoi` reads it.
  private func integer(_ text: Substring, _ key: String) throws(ModelFormatError) -> Int {
    let sign = text.first == "-" || text.first == "+" ? 1 : 0
    let digits = text.dropFirst(sign).prefix(while: Self.isDigit)
    guard !digits.isEmpty else { throw noNumber(text, key, expected: "an integer") }
    guard let number = Int(text.prefix(sign + digits.count)) else {
      throw error(.limitExceeded, key, found: String(digits), expected: "a number of 64 bits")
    }
    return number
  }

  /// The number that a text begins with, as C's `atof` reads decimal ones.
  private func number(_ text: Substring, _ key: String) throws(ModelFormatError) -> Double {
    let sign = text.first == "-" || text.first == "+" ? 1 : 0
    var rest = text.dropFirst(sign).drop(while: Self.isDigit)
    if rest.first == "." { rest = rest.dropFirst().drop(while: Self.isDigit) }
    var mantissa = String(text[..<rest.startIndex])
    // ".3" and "1." are numbers in C.
    if mantissa.dropFirst(sign).first == "." {
      mantissa.insert("0", at: mantissa.index(mantissa.startIndex, offsetBy: sign))
    }
    if mantissa.last == "." { mantissa.removeLast() }
    let exponent = Self.exponent(rest)
    guard text.dropFirst(sign).prefix(2).contains(where: Self.isDigit),
      let number = Double(mantissa + exponent)
    else { throw noNumber(text, key, expected: "a number") }
    guard number.isFinite else {
      throw error(.invalidValue, key, found: "\(number)", expected: "a finite number")
    }
    return number
  }

  /// "e-3" where a text begins so; else nothing.
  private static func exponent(_ text: Substring) -> Substring {
    guard text.first == "e" || text.first == "E" else { return "" }
    var rest = text.dropFirst()
    if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
    guard rest.first.map(isDigit) == true else { return "" }
    return text[..<rest.drop(while: isDigit).startIndex]
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isWholeNumber
  }

  // MARK: Errors

  /// An error in the line of an option, or of the section itself.
  func error(
    _ code: ModelFormatError.Code, _ key: String? = nil, found: String, expected: String,
    remedy: String = DarknetSection.remedy
  ) -> ModelFormatError {
    let option = key.flatMap { options[$0] }
    return ModelFormatError(
      code, fieldPath: "line \(option?.line ?? line) of \(fileName)",
      found: option == nil || key == nil ? found : "\(key ?? "")=\(found)", expected: expected,
      remedy: remedy)
  }

  /// What helps against most errors in a text.
  static let remedy = "Repair the line, or take the .cfg that the weights were trained with."

  private func noNumber(
    _ text: Substring, _ key: String, expected: String
  ) -> ModelFormatError {
    error(
      .invalidValue, key, found: "\"\(ModelText.readable(String(text.prefix(40))))\"",
      expected: expected)
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    range.upperBound == .max
      ? "at least \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
