// Fovea - the clock of the system that never goes back.
// SPDX-License-Identifier: Apache-2.0

/// The clock that never goes back.
package enum MonotonicClock {
  /// Nanoseconds since some moment in the past.
  package static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Lets the thread rest.
  package static func sleep(milliseconds: Int) {
    sleep(nanoseconds: milliseconds * 1_000_000)
  }

  /// Lets the thread rest; the system wakes it a little later.
  package static func sleep(nanoseconds: Int) {
    var time = timespec(
      tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    nanosleep(&time, nil)
  }

  /// Seconds since the same moment.
  package static func seconds() -> Double { Double(nanoseconds()) / 1e9 }
}
