// Fovea - bytes of a file, a pipe or a connection, with a deadline.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Bytes of an open file descriptor, which it closes. Reads end at the deadline of a guard.
final class ByteSource {
  private let descriptor: Int32
  private let reading: ReadingGuard
  private let source: String
  private let seconds: Double

  /// Takes a descriptor.
  init(_ descriptor: Int32, _ options: VideoOptions, source: String) {
    self.descriptor = descriptor
    self.source = source
    reading = options.reading
    seconds = options.limits.readingSeconds
  }

  deinit { close(descriptor) }

  /// Waits for bytes and reads what is there; 0 at the end.
  ///
  /// - Throws: `.timedOut`, `.cancelled`, `.unreadable`.
  func read(into memory: UnsafeMutableRawBufferPointer) throws(VideoError) -> Int {
    while true {
      try wait(for: Int16(POLLIN))
      let got = systemRead(descriptor, memory)
      if got >= 0 { return got }
      guard errno == EINTR || errno == EAGAIN else {
        throw VideoError(.unreadable(String(cString: strerror(errno))), source: source)
      }
    }
  }

  /// The next byte; `nil` at the end.
  func readByte() throws(VideoError) -> UInt8? {
    let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { byte.deallocate() }
    return try read(into: byte) == 1 ? byte[0] : nil
  }

  /// Sends bytes to the other side of a connection.
  func write(_ bytes: [UInt8]) throws(VideoError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try wait(for: Int16(POLLOUT))
      let sent = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent > 0 {
        rest = rest.dropFirst(sent)
      } else if errno != EINTR, errno != EAGAIN {
        throw VideoError(.unreadable(String(cString: strerror(errno))), source: source)
      }
    }
  }

  /// Waits until the descriptor is ready.
  func wait(for events: Int16) throws(VideoError) {
    while true {
      // Cancelling is noticed within 50 ms.
      let left = reading.millisecondsLeft(most: 50)
      if left == 0 {
        throw VideoError(
          reading.isCancelled ? .cancelled : .timedOut(seconds: seconds), source: source)
      }
      var entry = pollfd(fd: descriptor, events: events, revents: 0)
      let ready = poll(&entry, 1, left)
      if ready > 0 { return }
      guard ready == 0 || errno == EINTR else {
        throw VideoError(.unreadable(String(cString: strerror(errno))), source: source)
      }
    }
  }
}

// Outside the class, where `read` means that of the C library.
private func systemRead(_ file: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int {
  read(file, memory.baseAddress, memory.count)
}
