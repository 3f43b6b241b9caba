// Fovea - tests of who waits for whom in the thread pool.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import FoveaTestSupport
import Testing

@Suite("Pool: the caller finishes alone", .tags(.startsThreads)) struct PoolIndependenceTests {
  /// Each worker holds one unit until all others have run; none of those may wait for a worker.
  @Test(arguments: [2, 3, 8])
  func unitsThatNobodyHoldsDoNotWaitForWorkers(threads: Int) throws {
    let pool = try Pool(threads: threads)
    let units = 10  // few enough to be claimed one by one
    for _ in 0..<20 {
      let (held, run) = (Tally(), Tally())
      parallelFor(pool, units: units) { _, thread in
        if thread != 0 {
          held.add()
          while held.count + run.count < units { sched_yield() }
        }
        run.add()
      }
      #expect(run.count == units)
      #expect(held.count < units)
    }
  }

  /// All workers are stuck in a long loop of another caller.
  @Test(arguments: [2, 4])
  func loopDoesNotWaitForTheLoopOfAnotherCaller(threads: Int) throws {
    let pool = try Pool(threads: threads)
    let (stuck, free, ended) = (Tally(), Tally(), Tally())
    Thread.detachNewThread {
      parallelFor(pool, units: threads) { _, _ in
        stuck.add()
        free.wait(for: 1)
      }
      ended.add()
    }
    stuck.wait(for: threads)
    let slots = Slots(count: 1000)
    for loop in 1...100 {
      parallelFor(pool, units: 1000) { unit, _ in slots.values[unit] = loop }
    }
    #expect(slots.values.allSatisfy { $0 == 100 })
    #expect(ended.count == 0)
    free.add()
    ended.wait(for: 1)
    #expect(ended.count == 1)
  }

  /// A loop inside a unit runs on that unit's thread.
  @Test(arguments: [1, 2, 3])
  func nestedLoopsRunWhole(threads: Int) throws {
    let pool = try Pool(threads: threads)
    let slots = Slots(count: 20 * 30)
    parallelFor(pool, units: 20) { outer, _ in
      parallelFor(pool, units: 30) { inner, _ in slots.values[30 * outer + inner] += 1 }
    }
    #expect(slots.values.allSatisfy { $0 == 1 })
  }
}

@Suite("Pool: waking", .tags(.startsThreads)) struct PoolWakingTests {
  @Test func noPoolNeedsNoWaking() { fov_pool_wake(nil) }

  /// Loops that come at once, while workers spin, and when they sleep again.
  @Test(arguments: [1, 2, 3, 8])
  func loopsAfterWaking(threads: Int) throws {
    let pool = try Pool(threads: threads)
    let slots = Slots(count: 50)
    for loop in 1...300 {
      fov_pool_wake(pool.handle)
      if loop % 3 == 1 { usleep(50) }
      if loop % 3 == 2 { usleep(300) }
      parallelFor(pool, units: 50) { unit, _ in slots.values[unit] += 1 }
      #expect(slots.values.allSatisfy { $0 == loop })
    }
  }

  @Test func anyThreadMayWake() throws {
    let pool = try Pool(threads: 3)
    let done = Tally()
    for _ in 0..<3 {
      Thread.detachNewThread {
        for _ in 0..<1000 { fov_pool_wake(pool.handle) }
        done.add()
      }
    }
    let slots = Slots(count: 20)
    var loops = 0
    while done.count < 3 || loops < 100 {
      loops += 1
      parallelFor(pool, units: 20) { unit, _ in slots.values[unit] += 1 }
    }
    #expect(slots.values.allSatisfy { $0 == loops })
  }

  @Test func destroyedWhileWorkersSpin() throws {
    for round in 0..<300 {
      let pool = try Pool(threads: 2 + round % 3)
      if round % 2 == 0 { usleep(200) }
      fov_pool_wake(pool.handle)
    }
  }

  /// Unoptimized work takes a hundred times as long, under the thread sanitizer too.
  static let crowdedLoops: Int = {
    #if DEBUG
      3
    #else
      200
    #endif
  }()

  /// Workers that lose their cores to other threads pause; loops stay whole, and pools end.
  @Test func crowdedCores() throws {
    let stop = Tally()
    for _ in 0..<4 {
      Thread.detachNewThread { while stop.count == 0 { _ = busyWork(1000) } }
    }
    for threads in [2, 3, 8] {
      let pool = try Pool(threads: threads)
      let slots = Slots(count: 64)
      for loop in 1...Self.crowdedLoops {
        parallelFor(pool, units: 64) { unit, _ in
          slots.values[unit] = busyWork(500) == 0 ? 0 : loop
        }
        #expect(slots.values.allSatisfy { $0 == loop })
      }
    }
    stop.add()
  }
}
