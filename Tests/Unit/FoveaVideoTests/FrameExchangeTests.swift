// Fovea - tests of when the latest picture is handed over.
// SPDX-License-Identifier: Apache-2.0
import FoveaLibc
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite(.enabled(if: SharedData.isPresent), .tags(.startsThreads)) struct FrameExchangeTests {
  /// Pictures of a tenth of a second each, of which the newest is so many seconds old.
  private func exchange(
    age: Double, keeping: FrameKeeping = .latest
  ) throws -> (exchange: FrameExchange, put: @Sendable () -> Void) {
    let clip = VideoSource.file(SharedData.url("video/clips/base.mp4").path)
    let frame = try #require(try clip.open(VideoOptions()).next())
    let exchange = FrameExchange(keeping)
    let newest = MonotonicClock.nanoseconds() - UInt64(age * 1e9)
    @Sendable func put(_ index: Int, _ arrival: UInt64) {
      var frame = frame
      (frame.index, frame.arrival) = (index, arrival)
      _ = exchange.put(frame, VideoDamage(), earlier: VideoDamage())
    }
    for index in keeping == .all ? [8, 9] : Array(0..<10) {
      put(index, newest - UInt64(9 - index) * 100_000_000)
    }
    return (exchange, { put(10, MonotonicClock.nanoseconds()) })
  }

  /// Puts the next picture after 30 ms.
  private func putSoon(_ put: @escaping @Sendable () -> Void) {
    _ = startThread(stackBytes: 1 << 18) {
      MonotonicClock.sleep(milliseconds: 30)
      put()
    }
  }

  /// Whether the next picture is taken, which comes 30 ms after the call. Where other tests held it
  /// up for longer than it is waited for, it is tried again.
  private func takesTheNext(
    _ take: (FrameExchange) async throws -> (frame: VideoFrame, counts: SequenceCounts)?
  ) async throws -> Bool {
    for _ in 0..<5 {
      let (exchange, put) = try exchange(age: 0.095)
      putSoon(put)
      if try await take(exchange)?.frame.index == 10 { return true }
    }
    return false
  }

  @Test func nextPictureIsWaitedForWhenItIsDue() async throws {
    #expect(try await takesTheNext { try $0.take() })
    #expect(try await takesTheNext { try await $0.takeAsync() })
    let isTaken = try await takesTheNext { exchange in
      #expect(!exchange.waitUntilReady(seconds: 0.01))
      #expect(exchange.waitUntilReady(seconds: 1))
      return try exchange.take()
    }
    #expect(isTaken)
  }

  /// The seconds that taking a picture of this index takes.
  private func seconds(of index: Int, _ exchange: FrameExchange) throws -> Double {
    let start = MonotonicClock.seconds()
    #expect(try exchange.take()?.frame.index == index)
    return MonotonicClock.seconds() - start
  }

  /// Whether one of five attempts takes so many seconds. Other tests make one shorter or longer:
  /// they hold up the beginning, or the end.
  private func takes(_ seconds: Range<Double>, _ attempt: () throws -> Double) rethrows -> Bool {
    for _ in 0..<5 {
      if seconds.contains(try attempt()) { return true }
    }
    return false
  }

  @Test func latePicturesAreNotWaitedForForEver() async throws {
    let isTaken = try takes(0.15..<1) { try seconds(of: 9, try exchange(age: 0.095).exchange) }
    #expect(isTaken)
    let (other, _) = try exchange(age: 0.095)
    #expect(try await other.takeAsync()?.frame.index == 9)
    let isReady = try takes(0.15..<1) {
      let (exchange, _) = try exchange(age: 0.095)
      let start = MonotonicClock.seconds()
      #expect(exchange.waitUntilReady(seconds: 60))
      return MonotonicClock.seconds() - start
    }
    #expect(isReady)
  }

  /// A fresh one, and one of a source that has stopped.
  @Test(arguments: [0, 0.4]) func othersAreTakenAtOnce(age: Double) async throws {
    let time = try await leastSeconds(below: 0.1) {
      try seconds(of: 9, try exchange(age: age).exchange)
    }
    #expect(time < 0.1)
  }

  @Test func ofAllPicturesTheOldestIsTakenAtOnce() async throws {
    let time = try await leastSeconds(below: 0.1) {
      try seconds(of: 8, try exchange(age: 0.095, keeping: .all).exchange)
    }
    #expect(time < 0.1)
  }

  @Test func lastPictureIsTakenAtOnce() async throws {
    let time = try await leastSeconds(below: 0.1) {
      let (exchange, _) = try exchange(age: 0.095)
      exchange.finish(nil, ending: nil, VideoDamage())
      let time = try seconds(of: 9, exchange)
      #expect(try exchange.take() == nil)
      return time
    }
    #expect(time < 0.1)
  }

  // MARK: The pace

  @Test func paceFollowsTheArrivals() {
    var pace = ArrivalPace()
    #expect(pace.interval == nil && pace.patience(at: 1 << 40) == 0)
    for index in 1...100 { pace.note(UInt64(index) * 40_000_000) }
    #expect(abs((pace.interval ?? 0) - 0.04) < 1e-9)
    func patience(_ milliseconds: Double) -> Double {
      pace.patience(at: 4_000_000_000 + UInt64(milliseconds * 1e6))
    }
    #expect(patience(0) == 0 && patience(35.9) == 0 && patience(120.1) == 0)
    #expect(abs(patience(36.1) - 0.0839) < 1e-6 && abs(patience(100) - 0.02) < 1e-6)
    // A stop of a minute counts as two intervals.
    pace.note(64_000_000_000)
    #expect(abs((pace.interval ?? 0) - 0.045) < 1e-9)
  }

  /// Of slow sources, waiting would take long.
  @Test func slowSourcesAreNotWaitedFor() {
    var pace = ArrivalPace()
    for index in 1...10 { pace.note(UInt64(index) * 200_000_000) }
    #expect(pace.patience(at: 2_199_000_000) == 0)
  }
}
