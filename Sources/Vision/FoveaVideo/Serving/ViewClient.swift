// Fovea - one connection to the live view.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// One connection to the live view. Nothing here waits.
final class ViewClient {
  /// What the connection is for.
  enum Purpose {
    case asking
    /// One answer, then the end.
    case answering
    /// Pictures or events, from a number on.
    case pictures, events
  }

  let descriptor: Int32
  private(set) var purpose = Purpose.asking
  /// The number of the last result that was sent or is being sent.
  var lastNumber = 0
  private var reader = HTTPRequestReader()
  /// What is to be sent; arrays of pictures are shared by all connections.
  private var pending: [[UInt8]] = []
  private var sent = 0
  /// When the connection was made, or bytes went through, in seconds.
  private(set) var lastProgress: Double
  private var isBroken = false
  /// When the last byte of an answer was sent.
  private var end: Double?

  /// The longest wait for a whole request, in seconds.
  static let askingSeconds = 5.0
  /// The longest wait for a viewer that takes nothing.
  static let stalledSeconds = 10.0
  /// How long the other side may take to end what has been answered. To close at once would take the
  /// answer away from who still sends.
  static let endingSeconds = 1.0

  init(_ descriptor: Int32, now: Double) {
    self.descriptor = descriptor
    lastProgress = now
  }

  deinit { close(descriptor) }

  /// Whether all has been sent.
  var isIdle: Bool { pending.isEmpty }

  /// Whether the connection has no future.
  func isOver(_ now: Double) -> Bool {
    switch purpose {
    case _ where isBroken: true
    case .asking: now - lastProgress > Self.askingSeconds
    case .answering:
      now - (end ?? .infinity) > Self.endingSeconds || now - lastProgress > Self.stalledSeconds
    case .pictures, .events: !isIdle && now - lastProgress > Self.stalledSeconds
    }
  }

  /// The events to wait for.
  var events: Int16 { Int16(POLLIN) | (isIdle ? 0 : Int16(POLLOUT)) }

  /// Reads what has come: a request, or the end of a viewer, who has nothing else to say.
  ///
  /// - Returns: The request, once.
  func receive(_ scratch: inout [UInt8]) -> HTTPRequestReader.Outcome {
    let count = scratch.withUnsafeMutableBytes {
      recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { isBroken = true }
    guard count > 0, purpose == .asking else { return .unfinished }
    return reader.append(scratch[..<count])
  }

  /// Begins an answer.
  func answer(_ purpose: Purpose, _ bytes: [UInt8], now: Double) {
    self.purpose = purpose
    enqueue([bytes], now)
  }

  /// Adds bytes to what is sent.
  func enqueue(_ chunks: [[UInt8]], _ now: Double) {
    if isIdle { lastProgress = now }
    pending += chunks
    flush(now)
  }

  /// Sends what the connection takes.
  func flush(_ now: Double) {
    while let first = pending.first, !isBroken {
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      let count = first.withUnsafeBytes { bytes in
        send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, flags)
      }
      guard count >= 0 else {
        if errno != EAGAIN, errno != EINTR { isBroken = true }
        return
      }
      lastProgress = now
      sent += count
      if sent == first.count {
        pending.removeFirst()
        sent = 0
      }
    }
    if purpose == .answering, isIdle, end == nil {
      shutdown(descriptor, Int32(SHUT_WR))
      end = now
    }
  }
}
