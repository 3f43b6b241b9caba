// Fovea - threads for what is asynchronous.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
internal import FoveaRuntime

/// The threads that decode images and run networks for `async` calls.
///
/// Swift's tasks share a few threads, about one for each core. A network that ran there would keep
/// all other tasks of the process waiting. So the part of a task that works without a pause runs
/// here. It stays part of its task, which can be cancelled as ever:
///
///     task            perform --.                      .-- objects
///     threads here               '-- decode, sample, run --'
///
/// Threads start when there is work for them, as many as `limit`, and stay for the next.
/// Work beyond that waits in a queue, first come, first served.
package final class InferenceThreads: TaskExecutor {
  /// Those of the process: one for each thread that it may use.
  package static let shared = InferenceThreads(limit: ThreadPool.defaultThreadCount)

  /// As much as the first thread of a process has where stacks are not small.
  private static let stackBytes = 8 << 20

  private let limit: Int
  private let state = Locked(State())

  private struct State {
    var queue = JobQueue()
    var threadCount = 0
    var idleCount = 0
  }

  /// Threads of their own, at most `limit`, at least one.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// Runs what never pauses on one of the threads.
  package func run<Result: Sendable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await withTaskExecutorPreference(self) { () async throws(Failure) -> Result in
      try body()
    }
  }

  /// Queues a part of a task.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = state.withLock { state in
      state.queue.append(job)
      guard state.idleCount < state.queue.count, state.threadCount < limit else { return false }
      state.threadCount += 1
      return true
    }
    if needsThread, !startThread(stackBytes: Self.stackBytes, { self.work() }) {
      // Those that run do the work. Without any, the caller does.
      let isAlone = state.withLock { state in
        state.threadCount -= 1
        return state.threadCount == 0
      }
      if isAlone { while let job = state.withLock({ $0.queue.popFirst() }) { run(job) } }
    }
    state.wakeOne()
  }

  /// What a thread does, for ever.
  private func work() {
    while true {
      state.withLock { $0.idleCount += 1 }
      let job = state.wait { state in
        guard let job = state.queue.popFirst() else { return nil as UnownedJob? }
        state.idleCount -= 1
        return job
      }
      run(job)
    }
  }

  private func run(_ job: UnownedJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// Parts of tasks, first come, first served.
private struct JobQueue {
  private var jobs: [UnownedJob] = []
  private var start = 0

  var count: Int { jobs.count - start }

  mutating func append(_ job: UnownedJob) { jobs.append(job) }

  mutating func popFirst() -> UnownedJob? {
    guard start < jobs.count else { return nil }
    let job = jobs[start]
    start += 1
    // The room of what has left is used again, at a cost of one move for each job.
    if start * 2 >= jobs.count {
      jobs.removeFirst(start)
      start = 0
    }
    return job
  }
}
