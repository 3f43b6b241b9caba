// Fovea - a track: what is known of one object.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// What is known of one object.
struct Track: Sendable {
  /// 0 until the object was seen often enough.
  var identifier = 0
  let label: Int
  private(set) var score: Double
  /// How often it was seen.
  private(set) var hits = 1
  /// For how many frames it has not been seen.
  private(set) var misses = 0
  /// For how many seconds it has not been seen.
  private(set) var missedSeconds = 0.0
  /// Its detection in this frame, or -1.
  private(set) var detection: Int
  private(set) var filter: BoxFilter
  /// The filter and the box when the object was last seen.
  private var seenFilter: BoxFilter
  private(set) var seenBox: TrackingBox

  /// A virtual path has at most this many steps.
  private static let greatestStepCount = 60

  init(_ found: TrackingDetection, place: Int, _ noise: MotionNoise) {
    filter = BoxFilter(found.box, noise)
    (seenFilter, seenBox) = (filter, found.box)
    (label, score, detection) = (found.label, found.score, place)
  }

  var isConfirmed: Bool { identifier > 0 }
  var isMatched: Bool { detection >= 0 }

  /// Goes to the next frame.
  mutating func predict(seconds: Double, motion: AffineMap?, _ noise: MotionNoise) {
    detection = -1
    if let motion {
      filter.move(motion)
      seenFilter.move(motion)
      seenBox = seenBox.moved(motion)
    }
    filter.predict(seconds: seconds, keepsSize: misses > 0, noise)
  }

  /// The object is seen, `seconds` after the frame before.
  mutating func see(_ found: TrackingDetection, place: Int, seconds: Double, _ noise: MotionNoise) {
    if misses > 0, isConfirmed {
      replay(to: found.box, seconds: missedSeconds + seconds, noise)
    } else {
      filter.update(found.box, noise)
    }
    (seenFilter, seenBox) = (filter, found.box)
    score = found.score
    detection = place
    hits += 1
    misses = 0
    missedSeconds = 0
  }

  /// The object is not seen.
  mutating func miss(seconds: Double) {
    misses += 1
    missedSeconds += seconds
  }

  /// Puts the filter back to when the object was last seen, and leads it straight to where it is
  /// seen now: what it believed in between was wrong (Cao et al., OC-SORT, 2023).
  private mutating func replay(to box: TrackingBox, seconds: Double, _ noise: MotionNoise) {
    let count = min(misses + 1, Self.greatestStepCount)
    filter = seenFilter
    for step in 1...count {
      filter.predict(seconds: seconds / Double(count), keepsSize: false, noise)
      filter.update(
        seenBox.mixed(with: box, share: Double(step) / Double(count)), noise)
    }
  }
}
