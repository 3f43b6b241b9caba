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
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    nanosleep(&time, nil)
  }

  /// Seconds since the same moment.
  package static func seconds() -> Double { Double(nanoseconds()) / 1e9 }
}
