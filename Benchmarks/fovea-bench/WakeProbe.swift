// Fovea - how late the machine wakes threads.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Measures how late the machine wakes threads: a host that lends its processors to several
/// machines takes them away for milliseconds, which no program can help.
///
/// On each processor a thread sleeps for half a millisecond, again and again, with a higher priority
/// than the rest of the process where that has one of real time.
final class WakeProbe: Sendable {
  /// A thread that was woken late; times of the monotonic clock in nanoseconds.
  private struct Delay {
    var due: UInt64
    var woken: UInt64
  }

  private static let period: UInt64 = 500_000
  /// The least delay that counts.
  private static let least: UInt64 = 1_000_000
  /// For how long delays are kept.
  private static let memory: UInt64 = 5_000_000_000

  private let delays = Locked<[Delay]>([])

  /// Starts the threads. They last as long as the process.
  init() {
    for processor in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) {
      _ = startThread(stackBytes: 1 << 17) { [delays] in
        guard Self.move(to: processor) else { return }
        Self.watch(delays)
      }
    }
  }

  /// By how much a thread was woken late between two times, at most; in seconds.
  func lateness(from start: UInt64, to end: UInt64) -> Double {
    delays.withLock { delays in
      let between = delays.filter { $0.woken > start && $0.due < end }
      return Double(between.map { $0.woken - $0.due }.max() ?? 0) / 1e9
    }
  }

  private static func watch(_ delays: Locked<[Delay]>) -> Never {
    while true {
      let due = MonotonicClock.nanoseconds() + period
      MonotonicClock.sleep(nanoseconds: Int(period))
      let woken = MonotonicClock.nanoseconds()
      guard woken > due + least else { continue }
      delays.withLock { delays in
        delays.removeAll { $0.woken + memory < woken }
        delays.append(Delay(due: due, woken: woken))
      }
    }
  }

  /// Binds the calling thread to a processor, and raises its priority of real time.
  private static func move(to processor: Int) -> Bool {
    #if os(Linux)
      // The C library declares this only for programs in C that ask for it.
      typealias Binding = @convention(c) (pid_t, Int, UnsafeRawPointer?) -> Int32
      guard processor < UInt.bitWidth, let found = dlsym(nil, "sched_setaffinity") else {
        return false
      }
      var mask: UInt = 1 << processor
      let bind = unsafeBitCast(found, to: Binding.self)
      guard bind(0, MemoryLayout<UInt>.size, &mask) == 0 else { return false }
      var scheduling = sched_param()
      if sched_getscheduler(0) == SCHED_FIFO, sched_getparam(0, &scheduling) == 0 {
        scheduling.sched_priority += 1
        _ = sched_setscheduler(0, SCHED_FIFO, &scheduling)
      }
    #endif
    return true
  }
}
