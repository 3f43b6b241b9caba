// Fovea - where the live view listens, and who may look.
// SPDX-License-Identifier: Apache-2.0

/// Where the live view listens.
package struct ViewAddress: Hashable, Sendable {
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
}

/// Who may look at the live view.
struct ViewAccess: Sendable {
  /// The word that a viewer must know; `nil` for none.
  let token: String?
  /// Names under which this machine is asked, in lower case.
  let names: Set<String>

  /// Whether a request may be answered: 200, or the status of the refusal.
  ///
  /// Pages of other sites can let a browser ask this machine under a name of their own, and read the
  /// answer. So only numbers and names of this machine are answered.
  func status(of request: HTTPRequest) -> Int {
    if let host = request.headers["host"], !isKnown(host) { return 421 }
    guard let token else { return 200 }
    let header = request.headers["authorization"] ?? ""
    let given = header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : request.query["token"]
    return Self.isEqual(given ?? "", token) ? 200 : 401
  }

  private func isKnown(_ header: String) -> Bool {
    var host = header[...]
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      host = host[host.index(after: host.startIndex)..<end]
    } else if let colon = host.firstIndex(of: ":") {
      host = host[..<colon]
    }
    let name = host.lowercased()
    return ViewAddress.isNumber(name) || names.contains(name)
  }

  /// Compares in a time that says nothing about how much is equal.
  private static func isEqual(_ given: String, _ wanted: String) -> Bool {
    let (given, wanted) = (Array(given.utf8), Array(wanted.utf8))
    var difference: UInt8 = given.count == wanted.count ? 0 : 1
    for (index, byte) in given.enumerated() {
      difference |= byte ^ wanted[index % max(wanted.count, 1)]
    }
    return difference == 0 && !wanted.isEmpty
  }
}
