// Fovea - tests of decoding on one thread and looking on another.
// SPDX-License-Identifier: Apache-2.0
import FoveaLibc
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Order", .enabled(if: SharedData.isPresent), .tags(.startsThreads)) struct SequenceTests {
  private func source(_ name: String = "base.mp4") -> VideoSource {
    .file(SharedData.url("video/clips/\(name)").path)
  }

  @Test func filesGiveEveryPicture() throws {
    let sequence = try VideoSequence(source())
    var indices: [Int] = []
    while let (frame, counts) = try sequence.next() {
      indices.append(frame.index)
      #expect(counts.taken == indices.count)
      #expect(counts.dropped == 0)
    }
    #expect(indices == Array(0..<24))
    #expect(try sequence.next() == nil)
    #expect(sequence.counts.decoded == 24)
  }

  @Test func tasksGetEveryPicture() async throws {
    let sequence = try VideoSequence(source())
    var count = 0
    for try await (frame, _) in sequence {
      #expect(frame.index == count)
      count += 1
    }
    #expect(count == 24)
  }

  @Test func slowLookersSeeTheNewest() throws {
    var options = SequenceOptions()
    options.isPaced = true
    let sequence = try VideoSequence(source(), options)
    var taken = 0
    var ages: [Double] = []
    while let (frame, counts) = try sequence.next() {
      taken += 1
      ages.append(Double(MonotonicClock.nanoseconds() - frame.arrival) / 1e9)
      // Nothing newer has been decoded.
      #expect(frame.index == counts.decoded - 1)
      #expect(counts.decoded == counts.taken + counts.dropped)
      MonotonicClock.sleep(milliseconds: 100)
    }
    // Pictures come every 40 ms. A busy machine may hold some back.
    #expect(ages.sorted()[ages.count / 2] < 0.06)
    let counts = sequence.counts
    #expect(counts.decoded == 24)
    #expect(counts.taken == taken)
    #expect(counts.taken + counts.dropped == 24)
    #expect(counts.dropped >= 10)
  }

  @Test func resultsAfterTheDeadlineAreCounted() throws {
    var options = SequenceOptions()
    options.deadline = 0.02
    let sequence = try VideoSequence(source(), options)
    let (frame, _) = try #require(try sequence.next())
    MonotonicClock.sleep(milliseconds: 30)
    #expect(!sequence.finish(frame))
    #expect(sequence.counts.late == 1)
  }

  @Test func errorsOfOpeningAreThrown() throws {
    let sequence = try VideoSequence(.file("/nowhere/clip.mp4"))
    do {
      _ = try sequence.next()
      Issue.record("it opens")
    } catch {
      #expect(error.reason == .missing)
    }
    #expect(try sequence.next() == nil)
  }

  @Test func cancellingEndsBothSides() throws {
    let sequence = try VideoSequence(source("pets-768x576.mp4"))
    _ = try sequence.next()
    sequence.cancel()
    #expect(try sequence.next() == nil)
  }

  /// The picture at which the task is cancelled is the last one or the last but one.
  @Test func tasksAreCancelled() async throws {
    var options = SequenceOptions()
    options.isPaced = true
    let sequence = try VideoSequence(source("pets-768x576.mp4"), options)
    let task = Task {
      var count = 0
      for try await _ in sequence {
        count += 1
        if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    #expect(try await task.value <= 4)
  }
}
