// Fovea - tests that asynchronous calls leave the threads of Swift's tasks alone.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite(.tags(.startsThreads)) struct InferenceThreadsTests {
  /// Far more images than there are cores are stuck while they are read, until another task runs.
  /// On the threads that tasks share that would be never.
  @Test func performingBlocksNoOtherTask() async throws {
    let request = try ExampleDetector.request(threads: 1)
    let image = SlowImage(image: try ExampleDetector.image(), gate: Gate())
    let expected = try Self.perform(request, on: image.image)
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    let opening = Task.detached {
      while image.gate.visitors == 0 { try await Task.sleep(for: .milliseconds(1)) }
      image.gate.open()
    }
    try await withThrowingTaskGroup(of: [RecognizedObjectObservation].self) { group in
      for place in 0..<count {
        group.addTask {
          guard place % 2 == 0 else { return try await request.perform(on: image) }
          return try await ImageRequestHandler(image.image).perform(request)
        }
      }
      for try await found in group { #expect(found == expected) }
    }
    try await opening.value
    #expect(!image.gate.wasForced)
  }

  private static func perform(
    _ request: DetectObjectsRequest, on image: Image
  ) throws -> [RecognizedObjectObservation] {
    try request.perform(on: image)
  }

  @Test(arguments: [1, 3])
  func noMoreThreadsWorkThanAllowed(_ limit: Int) async {
    let threads = InferenceThreads(limit: limit)
    let gauge = Gauge()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          await threads.run {
            gauge.enter()
            Thread.sleep(forTimeInterval: 0.002)
            gauge.leave()
          }
        }
      }
    }
    #expect(gauge.visits == 40 && gauge.most >= 1 && gauge.most <= limit)
  }

  @Test func errorsAndCancellationPassThrough() async throws {
    let threads = InferenceThreads(limit: 1)
    await #expect(throws: DetectionError.invalidRequest("no")) {
      try await threads.run { () throws(DetectionError) -> Int in throw .invalidRequest("no") }
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await threads.run { Task.isCancelled }
    }
    task.cancel()
    #expect(await task.value)
    #expect(await threads.run { !Task.isCancelled })
  }
}

/// An image that can be read once its gate is open.
private struct SlowImage: ImageConvertible {
  let image: Image
  let gate: Gate

  var imageSource: ImageSource {
    gate.pass()
    return image.imageSource
  }
}

/// What blocks threads until it is opened, a minute at most.
private final class Gate: @unchecked Sendable {  // because the condition's lock is held
  private let condition = NSCondition()
  private var isOpen = false
  private var count = 0
  private var isForced = false

  func pass() {
    condition.withLock {
      count += 1
      let end = Date(timeIntervalSinceNow: 60)
      while !isOpen {
        if condition.wait(until: end) { continue }
        (isOpen, isForced) = (true, true)
      }
    }
  }

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  var visitors: Int { condition.withLock { count } }
  var wasForced: Bool { condition.withLock { isForced } }
}

/// How many are inside at once.
private final class Gauge: @unchecked Sendable {  // because the lock is held
  private let lock = NSLock()
  private var inside = 0
  private(set) var most = 0
  private(set) var visits = 0

  func enter() {
    lock.withLock {
      inside += 1
      visits += 1
      most = max(most, inside)
    }
  }

  func leave() { lock.withLock { inside -= 1 } }
}
