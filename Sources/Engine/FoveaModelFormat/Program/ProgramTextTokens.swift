// Fovea - what stands between the parts of a program's text.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension ProgramTextReader {
  /// Brackets inside brackets in attributes that are skipped; real ones have about 10.
  private static let bracketDepth = 64

  // MARK: Taking tokens

  /// Takes a mark that must come.
  mutating func take(
    _ mark: Unicode.Scalar, or alternative: String? = nil
  ) throws(ModelFormatError) {
    guard scanner.token.isMark(mark) else {
      let expected = "'\(mark)'" + (alternative.map { " or \($0)" } ?? "")
      throw unexpected(scanner.token, expected: expected)
    }
    _ = try scanner.take()
  }

  /// Takes a mark that may come.
  mutating func take(if mark: Unicode.Scalar) throws(ModelFormatError) -> Bool {
    guard scanner.token.isMark(mark) else { return false }
    _ = try scanner.take()
    return true
  }

  /// Takes a certain name that may come.
  mutating func takeName(_ name: StaticString) throws(ModelFormatError) -> Bool {
    guard scanner.isName(scanner.token, name) else { return false }
    _ = try scanner.take()
    return true
  }

  /// Takes a name that must come.
  mutating func takeName(as what: String) throws(ModelFormatError) -> String {
    let token = try scanner.take()
    guard token.kind == .name else { throw unexpected(token, expected: what) }
    return scanner.text(token)
  }

  /// Reads parts with commas between them, and the mark behind the last one.
  mutating func readSeparated(
    until end: Unicode.Scalar, limit: Int,
    _ readPart: (inout ProgramTextReader) throws(ModelFormatError) -> Void
  ) throws(ModelFormatError) {
    if try take(if: end) { return }
    var count = 0
    repeat {
      try checkCount(count, limit)
      try readPart(&self)
      count += 1
    } while try take(if: ",")
    try take(end, or: "','")
  }

  /// Skips from an opening bracket to the one that closes it, without recursion.
  mutating func skipBrackets() throws(ModelFormatError) {
    let start = scanner.token.range.lowerBound
    var depth = 0
    repeat {
      let token = try scanner.take()
      guard case .mark(let mark) = token.kind else {
        guard token.kind != .end else { throw unexpected(token, expected: "a closing bracket") }
        continue
      }
      switch mark {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      guard depth <= Self.bracketDepth else {
        throw ModelFormatError(
          .limitExceeded, byteOffset: start,
          found: "more than \(Self.bracketDepth) brackets inside each other", expected: "fewer")
      }
    } while depth > 0
  }

  // MARK: Errors

  /// Refuses one part more than a limit.
  func checkCount(_ count: Int, _ limit: Int) throws(ModelFormatError) {
    guard count < limit else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: scanner.token.range.lowerBound,
        found: "more than \(limit) entries", expected: "at most \(limit)",
        remedy: "Raise the limit if the file is to be trusted.")
    }
  }

  /// The error of a token that does not belong where it stands.
  func unexpected(_ token: ProgramTextToken, expected: String) -> ModelFormatError {
    let isEnd = token.kind == .end
    return ModelFormatError(
      isEnd ? .truncated : .malformedEncoding, byteOffset: token.range.lowerBound,
      found: isEnd ? "the end of the text" : "'\(readable(token))'", expected: expected)
  }

  /// A token for people.
  func readable(_ token: ProgramTextToken) -> String {
    // A token may be long, and only its beginning is shown.
    ModelText.readable(String(decoding: scanner.bytes[token.range].prefix(400), as: UTF8.self))
  }
}
