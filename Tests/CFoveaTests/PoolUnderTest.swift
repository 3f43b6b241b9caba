// Fovea - a pool for the length of a test, and what its units write.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import CFovea.SPI
import Foundation
import FoveaTestSupport
import Synchronization
import Testing

/// A pool for the length of a test.
final class Pool: @unchecked Sendable {  // The C pool may be used by any thread.
  let handle: OpaquePointer

  init(threads: Int) throws {
    var handle: OpaquePointer?
    try #require(fov_pool_create(threads, &handle) == .ok)
    self.handle = try #require(handle)
  }

  deinit { fov_pool_destroy(handle) }
}

/// Runs a Swift closure as the body of a loop.
func parallelFor(
  _ pool: Pool?, units: Int, body: @escaping @Sendable (_ unit: Int, _ thread: Int) -> Void
) {
  final class Box: Sendable {
    let body: @Sendable (Int, Int) -> Void
    init(_ body: @escaping @Sendable (Int, Int) -> Void) { self.body = body }
  }
  let box = Box(body)
  withExtendedLifetime(box) {
    fov_parallel_for(
      pool?.handle, units,
      { context, unit, thread in
        Unmanaged<Box>.fromOpaque(context!).takeUnretainedValue().body(unit, thread)
      }, Unmanaged.passUnretained(box).toOpaque())
  }
}

/// Plain numbers that threads write without a lock: what the thread sanitizer watches.
final class Slots: @unchecked Sendable {  // Each unit touches its own slot.
  let values: UnsafeMutableBufferPointer<Int>

  init(count: Int) {
    values = .allocate(capacity: count)
    values.initialize(repeating: 0)
  }

  deinit { values.deallocate() }
}

/// Counts events on any thread.
final class Tally: Sendable {
  private let events = Atomic<Int>(0)

  var count: Int { events.load(ordering: .sequentiallyConsistent) }

  func add() { events.add(1, ordering: .sequentiallyConsistent) }

  /// Waits until there are `total`; gives up after ten seconds.
  func wait(for total: Int) {
    let deadline = ContinuousClock.now + .seconds(10)
    while count < total, ContinuousClock.now < deadline { sched_yield() }
  }
}

func busyWork(_ rounds: Int) -> UInt64 {
  var random = SplitMix(seed: UInt64(rounds))
  return (0..<rounds).reduce(0) { sum, _ in sum ^ random.next() }
}
