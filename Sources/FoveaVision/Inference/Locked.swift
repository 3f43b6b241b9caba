// Fovea - a value that one thread at a time may touch.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A value behind a lock of the C library.
///
/// `Synchronization.Mutex` would do the same, but on Linux its waiting lies in a library that the
/// thread sanitizer does not see into: it reports races where there are none, and would hide
/// real ones among them.
final class Locked<Value>: @unchecked Sendable {  // because every access holds the mutex
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Lends the value for the time of `body`. Not to be called from inside a body.
  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
