// Fovea - the objects that C programs hold.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The objects that C programs hold, by handles that are never given out twice.
///
/// A handle looks like a pointer and is a number. A program that uses what it has closed is told so,
/// where a pointer to freed memory would be followed. An object that is closed while a call uses it
/// lives until that call ends.
final class HandleTable: @unchecked Sendable {  // because every access holds the mutex
  static let shared = HandleTable()

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var objects: [UInt: any AnyObject & Sendable] = [:]
  private var last: UInt = 0
  private var forkCount = 0

  /// Garbage collectors end a program in whose pointers they find numbers below 4096.
  private static let first: UInt = 1 << 16
  private static let step: UInt = 16

  private init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    // A child of a fork has the calling thread alone: what others have locked stays locked there.
    pthread_atfork(
      { pthread_mutex_lock(HandleTable.shared.mutex) },
      { pthread_mutex_unlock(HandleTable.shared.mutex) },
      {
        HandleTable.shared.forkCount += 1
        pthread_mutex_unlock(HandleTable.shared.mutex)
      })
  }

  /// A new handle for an object, which it keeps alive.
  func insert(_ object: some AnyObject & Sendable) -> OpaquePointer? {
    withLock {
      repeat {
        last &+= Self.step
        if last < Self.first { last = Self.first }
      } while objects[last] != nil
      objects[last] = object
      return OpaquePointer(bitPattern: last)
    }
  }

  /// Forgets a handle. Nothing happens where it is not known.
  func remove<Object: AnyObject & Sendable>(_ handle: OpaquePointer?, _ type: Object.Type) {
    let key = UInt(bitPattern: handle)
    // The object ends its life outside of the lock.
    let removed = withLock { objects[key] is Object ? objects.removeValue(forKey: key) : nil }
    _ = removed
  }

  /// The object of a handle; `nil` where there is none of the type.
  func object<Object: AnyObject & Sendable>(
    _ handle: OpaquePointer?, _ type: Object.Type = Object.self
  ) -> Object? {
    withLock { objects[UInt(bitPattern: handle)] as? Object }
  }

  /// The model of a handle, and what runs it in this process.
  func model(_ handle: OpaquePointer?) throws(CallFailure) -> (OpenModel, RequestEngine) {
    let found = withLock {
      (objects[UInt(bitPattern: handle)] as? OpenModel).map { ($0, $0.engine(inFork: forkCount)) }
    }
    guard let found else { throw .closed(handle, "model") }
    return found
  }

  /// The number of forks that lie between this process and the one that loaded the library.
  var currentFork: Int { withLock { forkCount } }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
