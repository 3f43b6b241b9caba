// Fovea - a connection to a server on this machine, for tests of what is served.
// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A connection to a port of the loopback address. Reading gives up after a minute.
public final class ViewerConnection: Sendable {
  private let descriptor: Int32

  /// Connects; `nil` where nobody listens.
  public init?(_ port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let descriptor = descriptor
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard descriptor >= 0, status == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Sends a text.
  public func send(_ text: String) {
    send(Array(text.utf8))
  }

  /// Sends bytes; gives how many were taken.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { systemSend(descriptor, $0) }
  }

  /// Asks for a path, and for the end of the connection behind the answer.
  public func ask(_ path: String, host: String = "localhost", more: String = "") {
    send("GET \(path) HTTP/1.0\r\nHost: \(host)\r\n\(more)\r\n")
  }

  /// So many bytes; fewer at the end.
  public func read(count: Int) -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count {
      let part = [UInt8](unsafeUninitializedCapacity: count - all.count) { memory, got in
        got = max(0, recv(descriptor, memory.baseAddress, count - all.count, 0))
      }
      if part.isEmpty { break }
      all += part
    }
    return all
  }

  /// What comes up to a text, and the text.
  public func read(until text: String) -> String {
    let end = Array(text.utf8)
    var all: [UInt8] = []
    while all.count < 1 << 22, !all.suffix(end.count).elementsEqual(end) {
      let next = read(count: 1)
      if next.isEmpty { break }
      all += next
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// The next event. Comments are passed over: a server sends one where no event comes for a while.
  public func readEvent() -> String {
    var event: String
    repeat { event = read(until: "\n\n") } while event.hasPrefix(":")
    return event
  }

  /// All bytes up to the end.
  public func readAll() -> [UInt8] { read(count: 1 << 22) }
}

// Outside the class, where names mean those of the C library.
private func systemConnect(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 { connect(descriptor, address, length) }

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
}
