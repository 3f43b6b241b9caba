// Fovea - why a server cannot serve.
// SPDX-License-Identifier: Apache-2.0

/// Why a server cannot serve.
package enum ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address cannot be listened at; with the system's words.
  case unusable(address: String, words: String)
  /// The build lacks what the server needs.
  case traitDisabled(String)
  /// The system has no library for it; with the loader's words.
  case missingLibrary(words: String)
  /// The system has no library for sockets of ZeroMQ; with the loader's words.
  case missingSockets(words: String)
  /// Memory or threads ran out.
  case outOfResources

  /// One line with the cause and the remedy.
  package var description: String {
    switch self {
    case .unusable(let address, let words):
      "\(address) cannot be listened at: \(words); name another address or port"
    case .traitDisabled(let trait):
      "the server needs \(trait), which is left out of this build; build with the trait \(trait)"
    case .missingLibrary(let words):
      "HTTP cannot be served on this system: \(words); install libmicrohttpd12 (the name in Debian)"
    case .missingSockets(let words):
      "ZeroMQ is not spoken on this system: \(words); install libzmq5 (the name in Debian)"
    case .outOfResources: "the system gives no more memory or threads; end other programs"
    }
  }
}
