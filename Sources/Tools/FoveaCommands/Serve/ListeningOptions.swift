// Fovea - where commands listen, and whom they let in.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaHTTP

/// What commands that listen share.
enum ListeningOptions {
  /// The address that an option names, or `port` on this machine.
  ///
  /// - Throws: `UsageError`.
  static func address(
    _ arguments: ArgumentList, _ name: String, default port: Int? = nil
  ) throws(UsageError) -> ServiceAddress {
    let text = arguments.value(name) ?? port.map { "\($0)" } ?? ""
    guard let address = ServiceAddress(text) else {
      throw UsageError(
        "\(name) is '\(text)'; expected a port such as 8080, or an address such as 0.0.0.0:8080")
    }
    return address
  }

  /// The word of `--token`. It needs no signs of percent in an address.
  ///
  /// - Throws: `UsageError`.
  static func token(_ arguments: ArgumentList) throws(UsageError) -> String? {
    guard let token = arguments.value("--token") else { return nil }
    let isPlain = token.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._~".utf8.contains(byte)
      }
    }
    guard isPlain, (8...128).contains(token.utf8.count) else {
      throw UsageError("--token needs 8 to 128 letters, digits or signs of -._~")
    }
    return token
  }

  /// Says that anybody is let in.
  static func warn(_ command: String, _ address: ServiceAddress, _ token: String?) {
    guard !address.isLoopback, token == nil else { return }
    SystemInterface.writeError(
      "fovea \(command): whoever reaches this machine is let in; --token WORD asks for a word\n")
  }
}
