// Fovea - a server on this machine that behaves as a test wants.
// SPDX-License-Identifier: Apache-2.0
import FoveaLibc

/// Accepts connections on the loopback address and lets a closure answer each, one after another.
public final class LocalServer: Sendable {
  /// The port that the system chose.
  public let port: UInt16
  private let listener: Int32
  private let connections = Locked(0)

  /// A connection, numbered from 0. Sends fail once the other side is gone.
  public struct Connection {
    /// The connected socket.
    public let descriptor: Int32
    /// How many connections came before.
    public let number: Int

    /// Sends bytes; `false` where the other side is gone.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          systemSend(descriptor, $0)
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Sends a text; `false` where the other side is gone.
    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Waits until the other side is gone, or so many seconds.
    public func waitForEnd(seconds: Int) {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var bytes = [UInt8](repeating: 0, count: 4096)
      for _ in 0..<seconds * 20 where poll(&entry, 1, 50) > 0 {
        if recv(descriptor, &bytes, bytes.count, 0) <= 0 { return }
      }
    }

    /// Reads the request up to its empty line.
    public func readRequest() {
      var last: [UInt8] = []
      var byte = UInt8(0)
      while last != Array("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 {
        last = Array((last + [byte]).suffix(4))
      }
    }
  }

  /// Listens, and lets `answer` talk to each connection.
  public init(_ answer: @escaping @Sendable (Connection) -> Void) {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(listener, address, length)
        _ = listen(listener, 8)
        _ = getsockname(listener, address, &length)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    let connections = connections
    _ = startThread(stackBytes: 1 << 19) {
      while true {
        let descriptor = accept(listener, nil, nil)
        // The number may be another's as soon as it is closed.
        if descriptor < 0 {
          close(listener)
          return
        }
        let number = connections.withLock { count in
          count += 1
          return count - 1
        }
        answer(Connection(descriptor: descriptor, number: number))
        close(descriptor)
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Where pictures come from.
  public var address: String { "http://127.0.0.1:\(port)/feed" }

  /// How many connections there were.
  public var connectionCount: Int { connections.withLock { $0 } }
}

// Outside the type, where `send` means that of the C library.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
}
