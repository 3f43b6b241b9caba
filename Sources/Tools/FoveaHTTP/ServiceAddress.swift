// Fovea - where a server listens, and whom it answers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Where a server listens.
package struct ServiceAddress: Hashable, Sendable {
  /// The name or number of the machine's interface; the loopback address unless a user says another.
  package var host = "127.0.0.1"
  /// The port; 0 lets the system choose.
  package var port: UInt16

  /// Reads `PORT` or `HOST:PORT`; numbers of IPv6 stand in brackets.
  ///
  /// - Returns: `nil` for what is no address.
  package init?(_ text: String) {
    var portText = text[...]
    if let colon = text.lastIndex(of: ":") {
      portText = text[text.index(after: colon)...]
      var host = text[..<colon]
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = host.dropFirst().dropLast()
      } else if host.contains(":") {
        return nil
      }
      guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2F }) else {
        return nil
      }
      self.host = String(host)
    }
    guard !portText.isEmpty, portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(portText)
    else { return nil }
    self.port = port
  }

  /// Whether only this machine can reach it.
  package var isLoopback: Bool {
    host == "localhost" || host == "::1" || Self.isNumber(host) && host.hasPrefix("127.")
  }

  /// Whether a name is a number of IPv4 or IPv6.
  static func isNumber(_ host: String) -> Bool {
    if host.contains(":") {
      return host.utf8.allSatisfy { "0123456789abcdefABCDEF:.%".utf8.contains($0) }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
  /// The name of this machine, in lower case; `nil` where it has none.
  package static var machineName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return nil }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text.lowercased()
  }

  /// The address of a server that listens here, at a port that the system may have chosen, for people.
  package func text(port: UInt16) -> String {
    // Who listens at all interfaces is found under the machine's name.
    let isAny = ["0.0.0.0", "::"].contains(host)
    let shown = isAny ? Self.machineName ?? "localhost" : host.contains(":") ? "[\(host)]" : host
    return "http://\(shown):\(port)"
  }
}
