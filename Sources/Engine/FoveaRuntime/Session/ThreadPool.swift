// Fovea - threads that sessions share.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaCore
internal import FoveaLibc

/// Threads that share the work of one operation at a time.
///
/// Several sessions may use one pool at the same time. A session that finds the pool busy works
/// alone, and computes the same bytes. The caller of `Session.run()` works, too: a pool of n
/// threads starts n - 1.
public final class ThreadPool: Sendable {
  private let handle: PoolHandle

  /// The number of threads, with the caller.
  public let threadCount: Int

  /// The number of threads that this process may use: at least 1, at most its affinity mask and the
  /// quota of its control group.
  public static var defaultThreadCount: Int { Int(clamping: fov_pool_default_thread_count()) }

  /// How many threads a pool may have. Commands and C programs are told the same.
  package static var threadCounts: ClosedRange<Int> { 1...Int(FOV_POOL_MAX_THREADS) }

  /// Starts a pool.
  ///
  /// - Parameter threadCount: The number of threads, with the caller; `nil` for
  ///   `defaultThreadCount`.
  /// - Throws: `invalidArgument` for a count below 1; `threadFailure` if the system cannot start a
  ///   thread.
  public init(threadCount: Int? = nil) throws(FoveaError) {
    let wanted = threadCount ?? Self.defaultThreadCount
    guard wanted >= 1 else {
      throw FoveaError(.invalidArgument, "a pool needs at least 1 thread; \(wanted) were asked for")
    }
    var pool: OpaquePointer?
    try FoveaError.check(
      fov_pool_create(wanted, &pool), "a pool of \(wanted) threads; ask for fewer threads")
    guard let pool else { throw FoveaError(.threadFailure, "no thread pool was made") }
    handle = PoolHandle(pointer: pool)
    self.threadCount = Int(clamping: fov_pool_thread_count(pool))
  }

  /// The core's pool; borrowed, valid while this object lives.
  package var pointer: OpaquePointer { handle.pointer }

  /// What `body` gives for 0 ..< `count`, in this order. All threads compute, in any order.
  ///
  /// - Throws: The error of the first place that has one. All places are computed.
  package func map<Element: Sendable, Failure: Error>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    let found = Locked([Result<Element, Failure>?](repeating: nil, count: count))
    let unit: @Sendable (Int) -> Void = { place in
      let result = Result { () throws(Failure) in try body(place) }
      found.withLock { $0[place] = result }
    }
    withUnsafePointer(to: unit) { unit in
      fov_parallel_for(
        pointer, count,
        { context, place, _ in
          context!.assumingMemoryBound(to: (@Sendable (Int) -> Void).self).pointee(place)
        }, UnsafeMutableRawPointer(mutating: unit))
    }
    var elements: [Element] = []
    for case .some(let result) in found.withLock({ $0 }) { elements.append(try result.get()) }
    return elements
  }
}

/// Owns a pool of the core.
private final class PoolHandle: @unchecked Sendable {  // because fov_pool locks for itself
  let pointer: OpaquePointer

  init(pointer: OpaquePointer) { self.pointer = pointer }

  deinit { fov_pool_destroy(pointer) }
}
