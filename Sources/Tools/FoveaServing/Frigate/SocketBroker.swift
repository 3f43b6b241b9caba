// Fovea - a socket of ZeroMQ that any number of clients ask.
// SPDX-License-Identifier: Apache-2.0
internal import CSocketReader
internal import FoveaHTTP
internal import FoveaReader

/// A socket of ZeroMQ that any number of clients ask, in a process of its own (`fov_socket_reader.h`).
/// Used by one thread.
struct SocketBroker {
  /// A message: the identity of its client, then further frames.
  typealias Message = [[UInt8]]

  private let endpoint: String
  // One process: the socket lies in it.
  private let reader = IsolatedReader(fov_socket_reader(), idleLimit: 1)

  /// A socket that is bound with the first exchange.
  init(_ endpoint: String) { self.endpoint = endpoint }

  /// Sends messages, and waits a little for others. A process that died is replaced.
  ///
  /// - Throws: `ServiceError` where the endpoint cannot be bound, or the library is missing.
  func exchange(_ messages: [Message], seconds: Double) throws(ServiceError) -> [Message] {
    let milliseconds = UInt32(seconds * 1000)
    do {
      let answer = try reader.ask(
        0, parameters: Self.bytes(milliseconds) + Array(endpoint.utf8),
        picture: messages.flatMap(Self.bytes), answerBytes: 1 << 30, seconds: seconds + 30)
      return Self.messages(answer)
    } catch {
      guard case .refused(let words) = error else {
        if case .cannotStart = error { throw .outOfResources }
        return []
      }
      throw words.hasPrefix("L") || words.hasPrefix("T")
        ? .missingSockets(words: String(words.dropFirst()))
        : .unusable(address: endpoint, words: String(words.dropFirst()))
    }
  }

  // MARK: Bytes

  private static func bytes(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func bytes(_ message: Message) -> [UInt8] {
    bytes(UInt32(message.count)) + message.flatMap { bytes(UInt32($0.count)) + $0 }
  }

  /// What an answer holds. The process is not trusted: what does not fit ends the reading.
  static func messages(_ bytes: [UInt8]) -> [Message] {
    var rest = bytes[...]
    func number() -> Int? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var messages: [Message] = []
    while let count = number(), (1...Int(FOV_SOCKET_FRAMES_MAX)).contains(count) {
      var message: Message = []
      for _ in 0..<count {
        guard let length = number(), length <= rest.count else { return messages }
        message.append(Array(rest.prefix(length)))
        rest = rest.dropFirst(length)
      }
      messages.append(message)
    }
    return messages
  }
}
