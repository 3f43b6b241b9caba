// Fovea - locks and threads of the C library.
// SPDX-License-Identifier: Apache-2.0

/// A value behind a lock of the C library.
///
/// `Synchronization.Mutex` would do the same, but on Linux its waiting lies in a library that the
/// thread sanitizer does not see into: it reports races where there are none, and would hide
/// real ones among them.
package final class Locked<Value>: @unchecked Sendable {  // because every access holds the mutex
  /// The clock of waits that end by themselves.
  private static var clock: clockid_t {
    #if canImport(Darwin)
      CLOCK_REALTIME
    #else
      CLOCK_MONOTONIC
    #endif
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  /// Puts a value behind a lock.
  package init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      pthread_condattr_setclock(&attributes, Self.clock)
    #endif
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Lends the value for the time of `body`. Not to be called from inside a body.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Lends the value again and again, after each `wakeOne()` or
  /// `wakeAll()`, until `body` finds something in it.
  package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// `wait` for so many seconds at most; `nil` if `body` has found nothing by then.
  package func wait<Result>(seconds: Double, for body: (inout Value) -> Result?) -> Result? {
    var end = timespec()
    clock_gettime(Self.clock, &end)
    let nanoseconds = end.tv_nsec + Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      guard pthread_cond_timedwait(changed, mutex, &end) == 0 else { return body(&value) }
    }
  }

  /// Lets one of those that wait look again.
  package func wakeOne() { pthread_cond_signal(changed) }

  /// Lets all of those that wait look again.
  package func wakeAll() { pthread_cond_broadcast(changed) }
}

/// Starts a thread of its own, which ends with `body`.
///
/// - Parameter stackBytes: The size of its stack; some systems give little unless told.
/// - Returns: Whether the system gave one.
package func startThread(stackBytes: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
  var attributes = pthread_attr_t()
  guard pthread_attr_init(&attributes) == 0 else { return false }
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setstacksize(&attributes, stackBytes)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Glibc) || canImport(Android)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  let context = Unmanaged.passRetained(ThreadBody(body))
  let status = pthread_create(
    &thread, &attributes,
    { context in
      let context: UnsafeMutableRawPointer? = context
      if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
      return nil
    }, context.toOpaque())
  if status != 0 { context.release() }
  return status == 0
}

/// What a thread does.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
