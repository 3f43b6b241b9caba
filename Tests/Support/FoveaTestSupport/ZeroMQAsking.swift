// Fovea - a client of ZeroMQ for tests of what is served.
// SPDX-License-Identifier: Apache-2.0

/// A socket of the kind REQ, written from the specification (ZMTP 3.0, mechanism NULL): what the
/// server's library says is read by somebody else.
public struct ZeroMQAsking: Sendable {
  private let connection: ViewerConnection

  /// Connects to a port of the loopback address; `nil` where nobody speaks ZeroMQ.
  public init?(_ port: UInt16) {
    guard let connection = ViewerConnection(port) else { return nil }
    self.connection = connection
    var greeting: [UInt8] = [0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0]
    greeting += Array("NULL".utf8) + [UInt8](repeating: 0, count: 16 + 1 + 31)
    connection.send(greeting)
    let theirs = connection.read(count: 64)
    guard theirs.count == 64, theirs[0] == 0xFF, theirs[9] == 0x7F, theirs[10] >= 3 else {
      return nil
    }
    let property = [11] + Array("Socket-Type".utf8) + [0, 0, 0, 3] + Array("REQ".utf8)
    let ready = [5] + Array("READY".utf8) + property
    connection.send([4, UInt8(ready.count)] + ready)
    guard let frame = frame(), frame.flags & 4 != 0 else { return nil }
  }

  /// Sends frames.
  public func send(_ frames: [[UInt8]]) {
    var bytes: [UInt8] = [1, 0]
    for (place, frame) in frames.enumerated() {
      let more: UInt8 = place + 1 < frames.count ? 1 : 0
      if frame.count < 256 {
        bytes += [more, UInt8(frame.count)]
      } else {
        bytes.append(more | 2)
        withUnsafeBytes(of: UInt64(frame.count).bigEndian) { bytes += $0 }
      }
      bytes += frame
    }
    connection.send(bytes)
  }

  /// The frames of the answer, without the empty one before them; `nil` where none comes.
  public func receive() -> [[UInt8]]? {
    var frames: [[UInt8]] = []
    while let frame = frame() {
      if frame.flags & 4 != 0 { continue }
      frames.append(frame.body)
      if frame.flags & 1 == 0 { return frames.first == [] ? Array(frames.dropFirst()) : nil }
    }
    return nil
  }

  private func frame() -> (flags: UInt8, body: [UInt8])? {
    guard let flags = connection.read(count: 1).first else { return nil }
    let size = connection.read(count: flags & 2 == 0 ? 1 : 8)
    guard !size.isEmpty else { return nil }
    let count = size.reduce(0) { $0 << 8 | Int($1) }
    let body = connection.read(count: count)
    return body.count == count ? (flags, body) : nil
  }
}
