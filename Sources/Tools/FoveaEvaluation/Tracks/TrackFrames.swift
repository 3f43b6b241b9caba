// Fovea - objects and results of a sequence, frame by frame, with the overlaps of each frame.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// What is compared: the objects and results of a sequence, frame by frame.
struct TrackFrames {
  /// Of one frame. Tracks are numbered from 0 in ascending order of their identifiers.
  struct Frame {
    /// The tracks of the objects, in the order of the file.
    var objects: [Int] = []
    /// The tracks of the results, in the order of the file.
    var results: [Int] = []
    /// Intersection over union, object after object.
    var overlaps: [Double] = []

    /// The overlap of an object and a result, by their places in the frame.
    func overlap(_ object: Int, _ result: Int) -> Double {
      overlaps[object * results.count + result]
    }
  }

  /// The frames that have an object or a result, in order.
  private(set) var frames: [Frame] = []
  /// The number of frames of the sequence.
  let frameCount: Int
  /// For each track of the ground truth the number of its boxes.
  private(set) var objectCounts: [Int] = []
  /// For each track of the results the number of its boxes.
  private(set) var resultCounts: [Int] = []

  /// The number of boxes of the ground truth.
  var objectCount: Int { objectCounts.reduce(0, +) }
  /// The number of boxes of the results.
  var resultCount: Int { resultCounts.reduce(0, +) }

  /// Overlaps are compared with thresholds less this much, as TrackEval does.
  static let tolerance = Double.ulpOfOne

  /// Sorts boxes by frame, leaves out what the rules say, and computes overlaps.
  ///
  /// - Parameter frameCount: The number of frames, at least the last one of a box.
  init(
    results: [TrackedBox], truth: [TrackedBox], rules: GroundTruthRules, frameCount: Int
  ) {
    let places = Self.numbers([results.map(\.frame), truth.map(\.frame)])
    var objects = [[TrackedBox]](repeating: [], count: places.count)
    var found = objects
    for box in truth { objects[places[box.frame]!].append(box) }
    for box in results { found[places[box.frame]!].append(box) }
    var solver = AssignmentSolver()
    for place in objects.indices {
      rules.apply(objects: &objects[place], results: &found[place], solver: &solver)
    }
    let objectNumbers = Self.numbers(objects.map { $0.map(\.identifier) })
    let resultNumbers = Self.numbers(found.map { $0.map(\.identifier) })
    objectCounts = [Int](repeating: 0, count: objectNumbers.count)
    resultCounts = [Int](repeating: 0, count: resultNumbers.count)
    self.frameCount = frameCount
    for (objects, found) in zip(objects, found) {
      let frame = Frame(
        objects: objects.map { objectNumbers[$0.identifier]! },
        results: found.map { resultNumbers[$0.identifier]! },
        overlaps: Self.overlaps(objects, found))
      for track in frame.objects { objectCounts[track] += 1 }
      for track in frame.results { resultCounts[track] += 1 }
      frames.append(frame)
    }
  }

  /// Intersection over union of every pair, object after object.
  static func overlaps(_ objects: [TrackedBox], _ results: [TrackedBox]) -> [Double] {
    let corners = results.map(\.corners)
    var overlaps: [Double] = []
    overlaps.reserveCapacity(objects.count * corners.count)
    for object in objects {
      let box = object.corners
      for other in corners { overlaps.append(box.intersectionOverUnion(with: other)) }
    }
    return overlaps
  }

  /// Numbers from 0 for different values, in ascending order.
  private static func numbers(_ values: [[Int]]) -> [Int: Int] {
    let sorted = Set(values.joined()).sorted()
    return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
  }
}
