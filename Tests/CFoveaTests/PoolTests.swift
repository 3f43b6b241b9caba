// Fovea - tests of the thread pool.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import FoveaTestSupport
import Testing

@Suite("Pool: loops", .tags(.startsThreads)) struct PoolTests {
  @Test(arguments: [1, 2, 3, 8])
  func eachUnitRunsOnce(threads: Int) throws {
    let pool = try Pool(threads: threads)
    for units in [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 100, 1000, 4097] {
      let slots = Slots(count: units)
      parallelFor(pool, units: units) { unit, _ in slots.values[unit] += unit + 1 }
      #expect(slots.values.elementsEqual(1..<(units + 1)), "\(units) units")
    }
  }

  /// More units than fit into one ticket (2^20 - 1).
  @Test func loopsOfMillionsOfUnitsAreCutInParts() throws {
    let pool = try Pool(threads: 3)
    let units = 1 << 21
    let slots = Slots(count: units)
    parallelFor(pool, units: units) { unit, _ in slots.values[unit] += 1 }
    #expect(slots.values.allSatisfy { $0 == 1 })
  }

  @Test func withoutPoolTheCallerRunsAll() {
    let slots = Slots(count: 100)
    parallelFor(nil, units: 100) { unit, thread in slots.values[unit] = thread + 1 }
    #expect(slots.values.allSatisfy { $0 == 1 })
    #expect(fov_pool_thread_count(nil) == 1)
  }

  /// A worker that is late for one loop must not take part in the next with the body of the last.
  @Test(arguments: [2, 3, 8])
  func manyShortLoops(threads: Int) throws {
    let pool = try Pool(threads: threads)
    let slots = Slots(count: 8)
    var expected = Array(repeating: 0, count: 8)
    for loop in 0..<20_000 {
      let units = loop % 9
      parallelFor(pool, units: units) { unit, _ in slots.values[unit] += loop }
      for unit in 0..<units { expected[unit] += loop }
      if !slots.values.elementsEqual(expected) {
        Issue.record("loop \(loop): \(Array(slots.values)) instead of \(expected)")
        return
      }
    }
  }

  /// Pauses longer than the workers' spinning, so that they sleep when the next loop comes. Each
  /// unit waits for the others: all workers have to come, those that pause as well.
  @Test(arguments: [2, 3, 8])
  func sleepingWorkersWakeUp(threads: Int) async throws {
    let pool = try Pool(threads: threads)
    for _ in 0..<10 {
      try await Task.sleep(for: .milliseconds(1))
      let tally = Tally()
      parallelFor(pool, units: threads) { _, _ in
        tally.add()
        tally.wait(for: threads)
      }
      try #require(tally.count == threads)
    }
  }

  /// The caller runs out of units long before the worker returns, and must be woken.
  @Test func sleepingCallerWakesUp() throws {
    let pool = try Pool(threads: 2)
    let slots = Slots(count: 2)
    for loop in 1...20 {
      parallelFor(pool, units: 2) { unit, thread in
        if thread == 1 { usleep(2000) }
        slots.values[unit] = loop
      }
      #expect(slots.values.allSatisfy { $0 == loop })
    }
  }

  @Test(arguments: [2, 3, 8])
  func threadIndexIsBelowTheCountAndExclusive(threads: Int) throws {
    let pool = try Pool(threads: threads)
    let inUse = Slots(count: threads)
    let failures = Tally()
    for _ in 0..<(BuildConfiguration.isOptimized ? 200 : 50) {
      parallelFor(pool, units: 64) { _, thread in
        guard thread >= 0, thread < threads else { return failures.add() }
        // Two units at the same time on one index would meet here; the sanitizer sees it too.
        if inUse.values[thread] != 0 { failures.add() }
        inUse.values[thread] = 1
        if busyWork(200) == 0 { failures.add() }
        inUse.values[thread] = 0
      }
    }
    #expect(failures.count == 0)
  }

  @Test func memoryOfUnitsIsVisibleToTheCallerAndTheNextLoop() throws {
    let pool = try Pool(threads: 3)
    let count = 97
    let slots = [Slots(count: count), Slots(count: count)]
    for loop in 1...500 {
      let (source, target) = (slots[(loop + 1) % 2], slots[loop % 2])
      parallelFor(pool, units: count) { unit, _ in
        target.values[unit] = source.values[(unit + 1) % count] + 1
      }
      #expect(target.values.allSatisfy { $0 == loop })
    }
  }
}

@Suite("Pool: several callers", .tags(.startsThreads)) struct PoolSharingTests {
  /// Each caller's loops are whole, whether it got the pool or ran alone.
  @Test(arguments: [1, 2, 3, 8])
  func callersShareOnePool(threads: Int) async throws {
    let pool = try Pool(threads: threads)
    let failures = Tally()
    await withTaskGroup(of: Void.self) { group in
      for caller in 1...4 {
        group.addTask {
          let slots = Slots(count: 40)
          for loop in 1...1000 {
            let units = 1 + (loop * caller) % 40
            parallelFor(pool, units: units) { unit, _ in slots.values[unit] = loop * caller }
            if !slots.values.prefix(units).allSatisfy({ $0 == loop * caller }) { failures.add() }
          }
        }
      }
    }
    #expect(failures.count == 0)
  }

  /// While the first caller's units wait for it, a second caller runs its loop on its own thread.
  @Test func callerThatFindsThePoolTakenRunsAlone() throws {
    let pool = try Pool(threads: 2)
    let (inside, outside, onThreadZero) = (Tally(), Tally(), Tally())
    Thread.detachNewThread {
      inside.wait(for: 2)
      parallelFor(pool, units: 50) { _, thread in
        if thread == 0 { onThreadZero.add() }
      }
      outside.add()
    }
    parallelFor(pool, units: 2) { _, _ in
      inside.add()
      outside.wait(for: 1)
    }
    #expect(onThreadZero.count == 50)
  }
}

@Suite("Pool: life", .tags(.startsThreads)) struct PoolLifeTests {
  @Test(arguments: [1, 2, 3, 8, 64])
  func threadCountIsTheOneAskedFor(threads: Int) throws {
    let pool = try Pool(threads: threads)
    #expect(fov_pool_thread_count(pool.handle) == threads)
  }

  @Test func zeroMeansTheDefault() throws {
    let pool = try Pool(threads: 0)
    #expect(fov_pool_thread_count(pool.handle) == fov_pool_default_thread_count())
  }

  @Test func defaultIsWithinTheCoresOfTheMachine() {
    let count = fov_pool_default_thread_count()
    #expect(count >= 1)
    #expect(count <= ProcessInfo.processInfo.processorCount)
  }

  @Test func noPoolIsOneThreadAndMayBeDestroyed() {
    #expect(fov_pool_thread_count(nil) == 1)
    fov_pool_destroy(nil)
  }

  @Test func tooManyThreadsAreRefused() {
    var handle: OpaquePointer?
    let most = Int(FOV_POOL_MAX_THREADS)
    #expect(fov_pool_create(most + 1, &handle) == .invalid_argument)
    #expect(fov_pool_create(-1, &handle) == .invalid_argument)
    #expect(handle == nil)
  }

  @Test func destroyedAtOnce() throws {
    for round in 0..<500 { _ = try Pool(threads: 1 + round % 8) }
  }

  @Test func destroyedAfterOneLoop() throws {
    let slots = Slots(count: 3)
    for round in 0..<500 {
      let pool = try Pool(threads: 1 + round % 4)
      parallelFor(pool, units: 3) { unit, _ in slots.values[unit] += 1 }
    }
    #expect(slots.values.allSatisfy { $0 == 500 })
  }
}
