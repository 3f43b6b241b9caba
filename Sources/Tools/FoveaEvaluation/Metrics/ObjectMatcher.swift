// Fovea - which detections of one category in one image are right.
// SPDX-License-Identifier: Apache-2.0

/// A detection after it has met the objects of its image.
///
/// Bit `10 size + threshold` of the masks is the answer for that size of objects and that least
/// overlap.
struct JudgedDetection: Sendable {
  var score: Double
  /// Whether it stands for an object.
  var matched: UInt64
  /// Whether it counts neither way.
  var ignored: UInt64
  /// Which image, in the order of addition.
  var image: UInt32
  /// Detections of its category in its image that are better.
  var rank: UInt32

  static func mask(_ size: ObjectSize) -> UInt64 { 0x3FF << UInt64(10 * size.rawValue) }
  static func bit(_ size: ObjectSize, _ threshold: Int) -> UInt64 {
    1 << UInt64(10 * size.rawValue + threshold)
  }
}

/// Matches the detections of one category in one image with its objects, in memory that is kept.
///
/// The rule is that of `pycocotools.cocoeval.COCOeval.evaluateImg`: the best detection chooses
/// first; it takes the object that it overlaps most, of equal ones the last, among those nobody
/// has taken; objects that need not be found - crowds, other sizes, people without labeled points -
/// only where no other one is there; and a crowd is taken any number of times.
struct ObjectMatcher: Sendable {
  /// What is compared.
  let overlap: ObjectOverlap
  /// Overlaps, detection by detection.
  private var overlaps: [Double] = []
  /// Objects, those that need not be found last.
  private var order: [Int] = []
  private var isOptional: [Bool] = []
  private var isTaken: [Bool] = []
  /// Detections that overlap something enough to stand for it.
  private var candidates: [Int] = []

  init(_ overlap: ObjectOverlap) { self.overlap = overlap }

  /// Judges `detections`, which are sorted, the best first, and appends them to `judged`.
  ///
  /// - Returns: For each size, the number of objects that must be found.
  mutating func judge(
    _ detections: ArraySlice<DetectedObject>, objects: ArraySlice<GroundTruthObject>,
    image: UInt32, reproducesAnnotationZero: Bool, into judged: inout [JudgedDetection]
  ) -> [Int] {
    let first = judged.count
    for (rank, detection) in detections.enumerated() {
      let area = detection.area ?? detection.box.area
      let outside = ObjectSize.allCases.reduce(UInt64(0)) { mask, size in
        size.areas.contains(area) ? mask : mask | JudgedDetection.mask(size)
      }
      judged.append(
        JudgedDetection(
          score: detection.score, matched: 0, ignored: outside, image: image, rank: UInt32(rank)))
    }
    guard !objects.isEmpty else { return [0, 0, 0, 0] }
    measure(detections, objects)
    let indices = objects.indices
    return ObjectSize.allCases.map { size in
      sort(objects, for: size)
      guard !candidates.isEmpty else { return isOptional.count { !$0 } }
      for (index, threshold) in CocoProtocol.overlapThresholds.enumerated() {
        isTaken.refill(false, count: indices.count)
        for rank in candidates {
          guard let object = best(for: rank, objects, threshold) else { continue }
          isTaken[object] = true
          let bit = JudgedDetection.bit(size, index)
          // A match stored as annotation 0 reads as none, and then the detection's own size counts.
          let reads =
            !reproducesAnnotationZero || objects[indices.lowerBound + object].annotation != 0
          if reads {
            judged[first + rank].matched |= bit
            judged[first + rank].ignored &= ~bit
          }
          if isOptional[object] { judged[first + rank].ignored |= bit }
        }
      }
      return isOptional.count { !$0 }
    }
  }

  private mutating func measure(
    _ detections: ArraySlice<DetectedObject>, _ objects: ArraySlice<GroundTruthObject>
  ) {
    overlaps.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    for (rank, detection) in detections.enumerated() {
      var greatest = 0.0
      for object in objects {
        let overlap = overlap.overlap(of: detection, with: object)
        overlaps.append(overlap)
        greatest = max(greatest, overlap)
      }
      if greatest >= CocoProtocol.overlapThresholds[0] { candidates.append(rank) }
    }
  }

  /// Fills `order` and `isOptional`.
  private mutating func sort(_ objects: ArraySlice<GroundTruthObject>, for size: ObjectSize) {
    order.removeAll(keepingCapacity: true)
    isOptional.removeAll(keepingCapacity: true)
    for object in objects {
      isOptional.append(overlap.needsNotFind(object) || !size.areas.contains(object.area))
    }
    for index in isOptional.indices where !isOptional[index] { order.append(index) }
    for index in isOptional.indices where isOptional[index] { order.append(index) }
  }

  /// The object that the detection takes, or `nil`.
  private func best(
    for rank: Int, _ objects: ArraySlice<GroundTruthObject>, _ threshold: Double
  ) -> Int? {
    let first = rank * objects.count
    var greatest = min(threshold, 1 - 1e-10)
    var found: Int?
    for index in order {
      if isTaken[index] && !objects[objects.startIndex + index].isCrowd { continue }
      if let found, !isOptional[found], isOptional[index] { break }
      guard overlaps[first + index] >= greatest else { continue }
      greatest = overlaps[first + index]
      found = index
    }
    return found
  }
}

extension Array {
  /// Makes the array `count` times `element`, in the memory that it has if that is enough.
  fileprivate mutating func refill(_ element: Element, count: Int) {
    removeAll(keepingCapacity: true)
    append(contentsOf: repeatElement(element, count: count))
  }
}
