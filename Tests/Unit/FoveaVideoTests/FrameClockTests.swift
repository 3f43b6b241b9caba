// Fovea - tests of times that never fall.
// SPDX-License-Identifier: Apache-2.0
import FoveaVideo
import Testing

@Suite("Times of pictures")
struct FrameClockTests {
  private func times(
    _ stated: [Double?], start: Double? = nil, duration: Double? = 0.1
  ) -> [Double] {
    var clock = FrameClock(start: start, duration: duration)
    return stated.map { ((clock.time(of: $0).seconds * 1e6).rounded()) / 1e6 }
  }

  @Test func theStartBecomesZero() {
    #expect(times([1.48, 1.52, 1.60], start: 1.48) == [0, 0.04, 0.12])
    #expect(times([7, 7.5]) == [0, 0.5])
  }

  @Test func missingTimesFollowByTheDuration() {
    #expect(times([nil, nil, nil]) == [0, 0.1, 0.2])
    #expect(times([0, 0.1, nil, 0.3]) == [0, 0.1, 0.2, 0.3])
    #expect(times([nil, nil], duration: .nan) == [0, 0.04])
    #expect(times([nil, nil], duration: 0) == [0, 0.04])
  }

  @Test func jumpsBecomeSteps() {
    #expect(times([10, 10.1, 2, 2.1], start: 10) == [0, 0.1, 0.2, 0.3])
    #expect(times([0, 0.1, 50, 50.1], start: 0) == [0, 0.1, 0.2, 0.3])
    // A pause of a live source is no jump.
    #expect(times([0, 9, 9.1], start: 0) == [0, 9, 9.1])
  }

  @Test func timesNeverFallWhateverIsStated() {
    var clock = FrameClock(start: 3, duration: 0.04)
    var last = 0.0
    for stated in [3, 2.99, .nan, -1e300, 1e300, .infinity, 3, 3, nil, 3.01, 9e15] as [Double?] {
      let time = clock.time(of: stated).seconds
      #expect(time >= last && time < 1e3)
      last = time
    }
  }
}
