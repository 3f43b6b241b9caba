// Fovea - the same work for many things, on several threads.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
internal import FoveaRuntime

/// As many threads work on the parts of one picture.
package let stillThreads = min(ThreadPool.defaultThreadCount, 8)

/// What `body` makes of each thing, in their order. The caller works, too; a thread that the system does
/// not give is done without. Things are begun in their order: those that take long had better be first.
///
/// - Throws: The error of the first thing that has one.
package func concurrentMap<Thing: Sendable, Made: Sendable>(
  _ things: [Thing], threads: Int = stillThreads,
  _ body: @escaping @Sendable (Thing) throws(StillError) -> Made
) throws(StillError) -> [Made] {
  let state = Locked(ConcurrentWork<Made>(results: things.map { _ in nil }))
  let work: @Sendable () -> Void = {
    while let index = state.withLock({ $0.takeNext() }) {
      let result = Result { () throws(StillError) in try body(things[index]) }
      state.withLock { $0.results[index] = result }
    }
  }
  for _ in 1..<max(1, min(threads, things.count)) {
    state.withLock { $0.running += 1 }
    let isStarted = startThread(stackBytes: 8 << 20) {
      work()
      state.withLock { $0.running -= 1 }
      state.wakeAll()
    }
    if !isStarted { state.withLock { $0.running -= 1 } }
  }
  work()
  let results = state.wait { $0.running == 0 ? $0.results : nil }
  var made: [Made] = []
  for result in results { if let result { made.append(try result.get()) } }
  return made
}

/// What threads share.
private struct ConcurrentWork<Made: Sendable>: Sendable {
  var results: [Result<Made, StillError>?]
  var next = 0
  /// Threads beside the caller's.
  var running = 0

  mutating func takeNext() -> Int? {
    if next == results.count { return nil }
    next += 1
    return next - 1
  }
}
