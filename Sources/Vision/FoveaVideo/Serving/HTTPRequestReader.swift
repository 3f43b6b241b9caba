// Fovea - the requests of browsers.
// SPDX-License-Identifier: Apache-2.0

/// A request of a browser, as far as the live view reads it.
package struct HTTPRequest: Hashable, Sendable {
  /// What is to be done with the path.
  package var method: String
  /// The path, as it was sent.
  package var path: String
  /// The words behind the question mark, decoded; the last of equal names.
  package var query: [String: String]
  /// The headers by their names in lower case; the last of equal names.
  package var headers: [String: String]
}

/// Reads a request piece by piece (RFC 9112), within limits. It has no body.
package struct HTTPRequestReader: Sendable {
  /// The most bytes of a request.
  package static let mostBytes = 8192
  /// The most headers.
  package static let mostHeaders = 64

  /// What the bytes so far are.
  package enum Outcome: Hashable, Sendable {
    /// The beginning of a request.
    case unfinished
    /// A request.
    case request(HTTPRequest)
    /// No request that is read; with the status of the answer.
    case refused(Int)
  }

  private var bytes: [UInt8] = []
  /// Bytes in front of which no request ends.
  private var searched = 0

  /// Creates a reader of one request.
  package init() {}

  /// Takes in bytes.
  package mutating func append(_ more: some Sequence<UInt8>) -> Outcome {
    bytes += more
    guard let end = endOfHead() else {
      guard bytes.count >= Self.mostBytes else { return .unfinished }
      return .refused(bytes.contains(0x0A) ? 431 : 414)
    }
    guard end <= Self.mostBytes else { return .refused(431) }
    return Self.parse(bytes[..<end])
  }

  /// Where the empty line begins: two ends of lines in a row, each with or without a return.
  private mutating func endOfHead() -> Int? {
    var place = max(searched, 1)
    defer { searched = place }
    while place < bytes.count {
      if bytes[place] == 0x0A {
        if bytes[place - 1] == 0x0A { return place }
        if place >= 2, bytes[place - 1] == 0x0D, bytes[place - 2] == 0x0A { return place - 1 }
      }
      place += 1
    }
    return nil
  }

  // MARK: Lines

  private static func parse(_ head: ArraySlice<UInt8>) -> Outcome {
    let lines = head.split(separator: 0x0A, omittingEmptySubsequences: true).map { line in
      line.last == 0x0D ? line.dropLast() : line
    }
    guard let first = lines.first, lines.count <= mostHeaders + 1 else {
      return .refused(lines.isEmpty ? 400 : 431)
    }
    let words = first.split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, isToken(words[0]), words[0].count <= 16 else { return .refused(400) }
    let version = Array(words[2])
    guard version == Array("HTTP/1.1".utf8) || version == Array("HTTP/1.0".utf8) else {
      return .refused(version.starts(with: "HTTP/".utf8) ? 505 : 400)
    }
    guard let target = Target(words[1]) else { return .refused(400) }
    guard let headers = headers(lines.dropFirst()) else { return .refused(400) }
    // A request to a path has no body here; what follows it is not read.
    guard headers["transfer-encoding"] == nil, ["0", nil].contains(headers["content-length"]) else {
      return .refused(413)
    }
    guard headers["host"] != nil || version.last == 0x30 else { return .refused(400) }
    return .request(
      HTTPRequest(
        method: String(decoding: words[0], as: UTF8.self), path: target.path, query: target.query,
        headers: headers))
  }

  /// - Returns: `nil` for lines that are no headers, and for two hosts.
  private static func headers(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [String: String]? {
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: 0x3A), isToken(line[..<colon]) else { return nil }
      let value = line[(colon + 1)...]
      guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name != "host" || headers[name] == nil else { return nil }
      let trimmed = value.drop { $0 == 0x20 || $0 == 0x09 }
      let end = trimmed.lastIndex { $0 != 0x20 && $0 != 0x09 }
      headers[name] = String(decoding: end.map { trimmed[...$0] } ?? [], as: UTF8.self)
    }
    return headers
  }

  /// Whether bytes are a word of letters, digits and the signs that names may have.
  private static func isToken(_ word: ArraySlice<UInt8>) -> Bool {
    !word.isEmpty
      && word.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// What is asked for.
  private struct Target {
    var path: String
    var query: [String: String] = [:]

    /// - Returns: `nil` for what does not begin with a slash, and for signs that no address has.
    init?(_ word: ArraySlice<UInt8>) {
      guard word.first == 0x2F, word.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
      let mark = word.firstIndex(of: 0x3F)
      path = String(decoding: word[..<(mark ?? word.endIndex)], as: UTF8.self)
      guard let mark else { return }
      for pair in word[(mark + 1)...].split(separator: 0x26) {
        let sign = pair.firstIndex(of: 0x3D) ?? pair.endIndex
        guard let name = Self.decoded(pair[..<sign]),
          let value = Self.decoded(pair[sign...].dropFirst())
        else { return nil }
        query[name] = value
      }
    }

    /// The text with %20 and + as spaces, and so on; `nil` where digits are missing.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
      var result: [UInt8] = []
      var rest = bytes
      while let byte = rest.popFirst() {
        switch byte {
        case 0x2B: result.append(0x20)
        case 0x25:
          let digits = rest.prefix(2)
          guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
          else { return nil }
          result.append(value)
          rest = rest.dropFirst(2)
        default: result.append(byte)
        }
      }
      return String(decoding: result, as: UTF8.self)
    }
  }
}
