// Fovea - how work grows with its size, whatever the machine's speed.
// SPDX-License-Identifier: Apache-2.0
import FoveaLibc

/// The seconds that this thread computes, whatever else the machine does.
public func threadSeconds<Failure: Error>(
  _ body: () throws(Failure) -> Void
) throws(Failure) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
  let start = now()
  try body()
  return now() - start
}

/// Whether eight times the size takes less than 32 times the work: 8 is linear, 64 is quadratic.
///
/// Work is the time that this thread computes, the least of up to three attempts. Less than 10
/// milliseconds count as 10, since clocks and memory disturb what is short.
public func growsLinearly(to size: Int, _ work: (Int) throws -> Void) rethrows -> Bool {
  for _ in 0..<3 {
    let few = try threadSeconds { try work(size / 8) }
    let many = try threadSeconds { try work(size) }
    if many < max(few, 0.01) * 32 { return true }
  }
  return false
}
