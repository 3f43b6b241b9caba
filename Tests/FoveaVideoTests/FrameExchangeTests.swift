// Fovea - tests of when the latest picture is handed over.
// SPDX-License-Identifier: Apache-2.0
import FoveaLibc
import FoveaTestSupport
import FoveaVideo
import Testing

@Suite("Latest pictures", .enabled(if: SharedData.isPresent), .tags(.startsThreads))
struct FrameExchangeTests {
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

  private func seconds(of body: () throws -> Void) rethrows -> Double {
    let start = MonotonicClock.seconds()
    try body()
    return MonotonicClock.seconds() - start
  }

  @Test func nextPictureIsWaitedForWhenItIsDue() async throws {
    let (exchange, put) = try exchange(age: 0.095)
    putSoon(put)
    #expect(try exchange.take()?.frame.index == 10)
    let (other, putOther) = try self.exchange(age: 0.095)
    putSoon(putOther)
    #expect(try await other.takeAsync()?.frame.index == 10)
    let (last, putLast) = try self.exchange(age: 0.095)
    #expect(!last.waitUntilReady(seconds: 0.01))
    putSoon(putLast)
    #expect(last.waitUntilReady(seconds: 1))
    #expect(try last.take()?.frame.index == 10)
  }

  @Test func latePicturesAreNotWaitedForForEver() async throws {
    let (exchange, _) = try exchange(age: 0.095)
    var index: Int?
    let time = try seconds { index = try exchange.take()?.frame.index }
    #expect(index == 9)
    #expect((0.15..<2).contains(time))
    let (other, _) = try self.exchange(age: 0.095)
    #expect(try await other.takeAsync()?.frame.index == 9)
    let (last, _) = try self.exchange(age: 0.095)
    let wait = seconds { #expect(last.waitUntilReady(seconds: 60)) }
    #expect((0.15..<2).contains(wait))
  }

  /// A fresh one, and one of a source that has stopped.
  @Test(arguments: [0, 0.4]) func othersAreTakenAtOnce(age: Double) throws {
    let (exchange, _) = try exchange(age: age)
    var index: Int?
    let time = try seconds { index = try exchange.take()?.frame.index }
    #expect(index == 9)
    #expect(time < 0.1)
  }

  @Test func ofAllPicturesTheOldestIsTakenAtOnce() throws {
    let (exchange, _) = try exchange(age: 0.095, keeping: .all)
    var index: Int?
    let time = try seconds { index = try exchange.take()?.frame.index }
    #expect(index == 8)
    #expect(time < 0.1)
  }

  @Test func lastPictureIsTakenAtOnce() throws {
    let (exchange, _) = try exchange(age: 0.095)
    exchange.finish(nil, ending: nil, VideoDamage())
    var index: Int?
    let time = try seconds { index = try exchange.take()?.frame.index }
    #expect(index == 9)
    #expect(time < 0.1)
    #expect(try exchange.take() == nil)
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
