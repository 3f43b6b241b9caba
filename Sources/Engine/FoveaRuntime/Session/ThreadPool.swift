// Fovea - threads that sessions share.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaCore

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
  var pointer: OpaquePointer { handle.pointer }
}

/// Owns a pool of the core.
private final class PoolHandle: @unchecked Sendable {  // because fov_pool locks for itself
  let pointer: OpaquePointer

  init(pointer: OpaquePointer) { self.pointer = pointer }

  deinit { fov_pool_destroy(pointer) }
}
