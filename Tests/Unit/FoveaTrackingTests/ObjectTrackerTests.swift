// Fovea - tests of tracking many objects: identifiers, gaps, crossings, times.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import FoveaTracking
import Testing

@Suite struct ObjectTrackerTests {
  private func detection(
    _ x: Double, _ y: Double = 100, width: Double = 40, height: Double = 100, score: Double = 0.9,
    label: Int = 0
  ) -> TrackingDetection {
    TrackingDetection(
      box: TrackingBox(x: x, y: y, width: width, height: height), score: score, label: label)
  }

  /// Feeds frames at a rate; returns the objects of each.
  private func track(
    _ frames: [[TrackingDetection]], rate: Double = 25, options: TrackingOptions = .init()
  ) -> [[TrackedObject]] {
    var tracker = ObjectTracker(options: options)
    return frames.enumerated().map { index, found in
      tracker.update(found, seconds: Double(index) / rate)
      return tracker.objects
    }
  }

  private func identifiers(_ results: [[TrackedObject]]) -> Set<Int> {
    Set(results.flatMap { $0.map(\.identifier) })
  }

  @Test func anObjectKeepsItsIdentifier() {
    let results = track((0..<50).map { [detection(100 + 4 * Double($0))] })
    for (index, objects) in results.enumerated() {
      #expect(objects.map(\.identifier) == [1])
      #expect(objects.map(\.detection) == [0])
      let x = objects.first?.box.x ?? 0
      #expect(abs(x - (100 + 4 * Double(index))) < 8, "frame \(index): \(x)")
    }
  }

  /// Exact measurements of constant velocity are met exactly in the end.
  @Test func aSteadyMotionIsFollowedExactly() {
    let results = track((0..<200).map { [detection(100 + 4 * Double($0))] })
    let last = results.last?.first?.box.x ?? 0
    #expect(abs(last - (100 + 4 * 199)) < 0.05)
  }

  @Test func anObjectThatAppearsLaterMustBeSeenThreeTimes() {
    let frames = (0..<8).map { $0 < 3 ? [] : [detection(100)] }
    let results = track(frames)
    #expect(results.map(\.count) == [0, 0, 0, 0, 0, 1, 1, 1])
  }

  @Test func aGapIsCoastedThenHealed() {
    let frames = (0..<60).map { (20..<35).contains($0) ? [] : [detection(100 + 4 * Double($0))] }
    let results = track(frames)
    // Three frames, as long as they are within 0.2 s: then silence, then the same identifier.
    for frame in 20..<23 {
      #expect(results[frame].map(\.isPredicted) == [true])
      let x = results[frame].first?.box.x ?? 0
      #expect(abs(x - (100 + 4 * Double(frame))) < 6)
    }
    for frame in 23..<35 { #expect(results[frame].isEmpty) }
    for frame in 35..<60 {
      #expect(results[frame].map(\.identifier) == [1])
      #expect(results[frame].map(\.isPredicted) == [false])
    }
  }

  @Test func identifiersAreNeverUsedAgain() {
    // Each visit is longer ago than objects are remembered.
    let frames = (0..<300).map { $0 % 60 < 10 ? [detection(100)] : [] }
    let results = track(frames)
    let order = results.flatMap { $0.map(\.identifier) }
    #expect(order == order.sorted())
    #expect(Set(order) == [1, 2, 3, 4, 5])
  }

  @Test func peopleWhoCrossKeepTheirIdentifiers() {
    // One is nearer, so taller; both are seen all the time.
    let frames = (0..<80).map { frame -> [TrackingDetection] in
      let step = 5 * Double(frame)
      return [
        detection(100 + step, 200, height: 120), detection(500 - step, 190, height: 90),
      ]
    }
    for objects in track(frames) {
      #expect(objects.map(\.identifier) == [1, 2])
      #expect(objects.map(\.detection) == [0, 1])
    }
  }

  @Test func unsureDetectionsContinueButDoNotBegin() {
    let low = (0..<20).map { [detection(100 + Double($0), score: 0.2)] }
    #expect(track(low).flatMap { $0 } == [])
    let fading = (0..<30).map { [detection(100 + Double($0), score: $0 < 10 ? 0.9 : 0.2)] }
    for objects in track(fading) {
      #expect(objects.map(\.identifier) == [1])
      #expect(objects.map(\.isPredicted) == [false])
    }
  }

  @Test func labelsKeepObjectsApart() {
    let frames = (0..<20).map { [detection(100, label: $0 < 10 ? 0 : 1)] }
    #expect(identifiers(track(frames)) == [1, 2])
    var options = TrackingOptions()
    options.matchesLabels = false
    #expect(identifiers(track(frames, options: options)) == [1])
  }

  /// The same walk at 30, 10 and 5 frames a second; a frame may be missing anywhere.
  @Test(arguments: [30.0, 10, 5]) func timesCountAndNotFrames(rate: Double) {
    var tracker = ObjectTracker()
    var identifiers: Set<Int> = []
    for frame in 0..<Int(4 * rate) where frame % 7 != 6 {
      let time = Double(frame) / rate
      // 60 pixels a second: 1.5 widths.
      tracker.update([detection(100 + 60 * time)], seconds: time)
      identifiers.formUnion(tracker.objects.map(\.identifier))
    }
    #expect(identifiers == [1])
  }

  @Test func aMovingCameraIsNoMotionOfObjects() {
    // The picture jumps by two widths each frame; people stand still in the world.
    var tracker = ObjectTracker()
    for frame in 0..<30 {
      let shift = 80 * Double(frame)
      tracker.update(
        [detection(100 + shift), detection(400 + shift)], seconds: Double(frame) / 25,
        motion: frame == 0 ? nil : .translation(x: 80, y: 0))
      #expect(tracker.objects.map(\.identifier) == [1, 2])
    }
  }

  @Test func aPauseForgetsWhoWasThere() {
    var tracker = ObjectTracker()
    for frame in 0..<10 { tracker.update([detection(100)], seconds: Double(frame) / 25) }
    for frame in 0..<10 { tracker.update([detection(100)], seconds: 60 + Double(frame) / 25) }
    #expect(tracker.objects.map(\.identifier) == [2])
    // A camera that takes a picture every ten seconds has no pauses.
    var slow = ObjectTracker()
    for frame in 0..<10 { slow.update([detection(100)], seconds: 10 * Double(frame)) }
    #expect(slow.objects.map(\.identifier) == [1])
  }

  @Test func nonsenseIsPassedOver() {
    var tracker = ObjectTracker()
    let nonsense = [
      detection(.nan), detection(.infinity), detection(1, width: 0), detection(1, height: -3),
      detection(1, width: .infinity), detection(1e300), detection(1, score: .nan),
    ]
    for frame in 0..<20 {
      // Times stand still, go back, or are no numbers.
      let times = [Double(frame), 0, -1, .nan, .infinity, -.infinity]
      tracker.update(nonsense + [detection(100)], seconds: times[frame % 6])
      for object in tracker.objects {
        #expect(object.box.x.isFinite && object.box.width > 0)
      }
    }
  }

  @Test func resettingGoesOnUpwards() {
    var tracker = ObjectTracker()
    tracker.update([detection(100)], seconds: 0)
    tracker.reset()
    #expect(tracker.objects.isEmpty)
    tracker.update([detection(100)], seconds: 0)
    #expect(tracker.objects.map(\.identifier) == [2])
  }

  @Test func familiarNamesSetTheOptions() {
    var familiar = FamiliarOptions()
    familiar.trackHighThreshold = 0.25
    familiar.trackBuffer = 60
    familiar.matchThreshold = 0.8
    familiar.fusesScore = false
    var options = TrackingOptions()
    familiar.apply(to: &options)
    #expect(options.highScore == 0.25)
    #expect(options.lowScore == TrackingOptions().lowScore)
    #expect(options.memory == 2)
    #expect(abs(options.similarity - 0.2) < 1e-12)
    #expect(options.scoreWeight == 0)
  }
}
