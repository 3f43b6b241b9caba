// Fovea - ending a long command from the keyboard.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// What a long command does when it is to end: after Ctrl-C, or when the system asks.
package enum Interruption {
  /// The time that the command has to end by itself.
  private static let milliseconds = 150

  private static let signalNumber = Locked<Int32>(0)

  /// The exit code of a command that was interrupted; `nil` where it was not.
  package static var exitCode: Int32? {
    signalNumber.withLock { $0 == 0 ? nil : 128 + $0 }
  }

  /// From now on, SIGINT and SIGTERM call `body`, on a thread of their own; a little later the
  /// process ends in any case. To be called before other threads are started, which then leave
  /// these signals alone.
  package static func listen(_ body: @escaping @Sendable () -> Void) {
    var before = sigset_t()
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    let isStarted = startThread(stackBytes: 1 << 18) {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      sigaddset(&signals, SIGTERM)
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { return }
      signalNumber.withLock { $0 = number }
      body()
      MonotonicClock.sleep(milliseconds: milliseconds)
      _exit(128 + number)
    }
    // Without a thread, signals end the process as they always did.
    if !isStarted { pthread_sigmask(SIG_SETMASK, &before, nil) }
  }
}
