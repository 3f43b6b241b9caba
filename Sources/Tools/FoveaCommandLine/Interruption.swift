// Fovea - ending a long command from the keyboard.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// What a long command does when it is to end: after Ctrl-C, or when the system asks.
package enum Interruption {
  private static let signalNumber = Locked<Int32>(0)

  /// The exit code of a command that was interrupted; `nil` where it was not.
  package static var exitCode: Int32? {
    signalNumber.withLock { $0 == 0 ? nil : 128 + $0 }
  }

  /// From now on, SIGINT and SIGTERM call `body`, on a thread of their own. A little later the
  /// process ends in any case. A signal that is ignored stays so. To be called once.
  ///
  /// - Parameter milliseconds: The time that the command has to end by itself.
  package static func listen(
    milliseconds: Int = 150, _ body: @escaping @Sendable () -> Void
  ) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let reading = ends[0]
    interruptionPipe = ends[1]
    let isStarted = startThread(stackBytes: 1 << 18) {
      var number: UInt8 = 0
      while read(reading, &number, 1) != 1 {
        guard errno == EINTR else { return }
      }
      signalNumber.withLock { $0 = Int32(number) }
      body()
      MonotonicClock.sleep(milliseconds: milliseconds)
      _exit(128 + Int32(number))
    }
    // Without a thread, signals end the process as they always did.
    guard isStarted else { return }
    for number in [SIGINT, SIGTERM] {
      let before = signal(number) { number in
        // Nothing but this may be done here. Libraries have threads that block no signal.
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(interruptionPipe, &byte, 1)
      }
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }
}

/// Where a signal writes its number: set once, before signals may come.
private nonisolated(unsafe) var interruptionPipe: Int32 = -1
