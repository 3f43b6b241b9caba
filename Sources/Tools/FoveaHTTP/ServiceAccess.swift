// Fovea - whom a server answers.
// SPDX-License-Identifier: Apache-2.0

/// Whom a server answers.
package struct ServiceAccess: Sendable {
  /// The word that a client must know; `nil` for none.
  let token: String?
  /// Names under which this machine is asked, in lower case; `nil` for any name.
  let names: Set<String>?

  /// Answers who knows the token, under the names that the machine has.
  package init(
    token: String?, at address: ServiceAddress, underAnyName isAnyName: Bool = false
  ) {
    self.token = token
    guard !isAnyName else {
      names = nil
      return
    }
    var names: Set<String> = ["localhost", address.host.lowercased()]
    if let machine = ServiceAddress.machineName { names.formUnion([machine, machine + ".local"]) }
    self.names = names
  }

  /// Whether a request may be answered: 200, or the status of the refusal.
  ///
  /// Pages of other sites can let a browser ask this machine under a name of their own, and read the
  /// answer. So only numbers and names of this machine are answered.
  package func status(of request: HTTPRequest) -> Int {
    if let host = request.headers["host"], let names, !isKnown(host, names) { return 421 }
    guard let token else { return 200 }
    return Self.isEqual(request.givenToken ?? "", token) ? 200 : 401
  }

  private func isKnown(_ header: String, _ names: Set<String>) -> Bool {
    var host = header[...]
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      host = host[host.index(after: host.startIndex)..<end]
    } else if let colon = host.firstIndex(of: ":") {
      host = host[..<colon]
    }
    let name = host.lowercased()
    return ServiceAddress.isNumber(name) || names.contains(name)
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
