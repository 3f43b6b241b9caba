// Fovea - a session with a pool of its own for the length of a test.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Testing

/// A session with a pool of its own for the length of a test.
final class SessionUnderTest {
  let handle: OpaquePointer
  private let pool: OpaquePointer

  init(of model: OpaquePointer, threads: Int) throws {
    var pool: OpaquePointer?
    try #require(fov_pool_create(threads, &pool) == .ok)
    self.pool = try #require(pool)
    var handle: OpaquePointer?
    try #require(fov_session_create(model, pool, &handle) == .ok)
    self.handle = try #require(handle)
  }

  deinit {
    fov_session_destroy(handle)
    fov_pool_destroy(pool)
  }

  /// Fills an input with bytes of exactly its size.
  func write(_ bytes: UnsafeRawBufferPointer, to index: Int) throws {
    var data: UnsafeMutableRawPointer?
    var count = 0
    try #require(fov_session_input(handle, index, &data, &count) == .ok)
    try #require(count == bytes.count)
    UnsafeMutableRawBufferPointer(start: data, count: count).copyMemory(from: bytes)
  }

  func run() { fov_session_run(handle) }

  /// The floats of an output.
  func output(_ index: Int) throws -> [Float] {
    var data: UnsafeRawPointer?
    var count = 0
    try #require(fov_session_output(handle, index, &data, &count) == .ok)
    return [Float](UnsafeRawBufferPointer(start: data, count: count).bindMemory(to: Float.self))
  }
}
