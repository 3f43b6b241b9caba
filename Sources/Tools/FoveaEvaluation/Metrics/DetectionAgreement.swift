// Fovea - how much two detectors agree, without labels.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaShapes

/// The agreement of the detections of two models, or of two backends of one model.
///
/// Two boxes of one category that overlap by half or more are a pair. Pairs are chosen by
/// descending overlap, so that the order of the two models does not matter unless overlaps are
/// equal. Boxes without a partner are lost or new.
public struct DetectionAgreement: Hashable, Codable, Sendable {
  /// The number of pairs.
  public var matchedCount: Int { boxes.count }
  /// The number of boxes that only the first model finds.
  public private(set) var lostCount = 0
  /// The number of boxes that only the second model finds.
  public private(set) var newCount = 0
  /// The greatest distance between an edge and that of the partner, in pixels.
  public private(set) var largestShift = 0.0
  /// The greatest absolute difference of the scores of a pair.
  public private(set) var largestScoreDifference = 0.0
  /// The least overlap of a pair; 1 without pairs.
  public var leastOverlap: Double { boxes.least }

  /// Of the masks of pairs, where both sides have masks.
  public private(set) var masks = Overlaps()
  /// The greatest distance of a key point, or of a corner of a turned box, from that of the partner,
  /// in pixels; `nil` where pairs have neither.
  public private(set) var largestPointShift: Double?

  private var boxes = Overlaps()
  private var scoreDifferenceSum = 0.0
  private var shiftSum = 0.0
  private var likenessSum = 0.0

  /// Overlaps of pairs.
  public struct Overlaps: Hashable, Codable, Sendable {
    /// The number of overlaps.
    public private(set) var count = 0
    /// The least one; 1 without any.
    public private(set) var least = 1.0
    private var sum = 0.0

    /// The mean; `nil` without any.
    public var mean: Double? { count > 0 ? sum / Double(count) : nil }

    mutating func add(_ overlap: Double) {
      count += 1
      sum += overlap
      least = min(least, overlap)
    }

    mutating func add(_ other: Overlaps) {
      count += other.count
      sum += other.sum
      least = min(least, other.least)
    }
  }

  /// The least overlap that makes two boxes a pair.
  public static let leastPairOverlap = 0.5

  /// Creates the agreement of no images.
  public init() {}

  /// Compares the detections of two models in one image.
  ///
  /// - Parameters:
  ///   - reference: What the first model finds.
  ///   - candidate: What the second finds.
  public init(reference: [DetectedObject], candidate: [DetectedObject]) {
    let pairs = Self.pairs(reference, candidate)
    for (left, right, overlap) in pairs { add(reference[left], candidate[right], overlap) }
    lostCount = reference.count - pairs.count
    newCount = candidate.count - pairs.count
  }

  /// The mean overlap of the pairs; `nil` without pairs.
  public var meanOverlap: Double? { boxes.mean }

  /// The mean, over the pairs, of the greatest distance of edges, in pixels; `nil` without pairs.
  public var meanShift: Double? { matchedCount > 0 ? shiftSum / Double(matchedCount) : nil }

  /// The mean of the second score minus the first; `nil` without pairs.
  public var meanScoreDifference: Double? {
    matchedCount > 0 ? scoreDifferenceSum / Double(matchedCount) : nil
  }

  /// The number of pairs, divided by the number of pairs plus half of the boxes without a partner.
  /// It is 1 if both models found the same, or nothing.
  public var share: Double {
    let all = 2 * matchedCount + lostCount + newCount
    return all == 0 ? 1 : Double(2 * matchedCount) / Double(all)
  }

  /// The same, but a pair counts by how alike its masks, key points and corners are, the least of
  /// them: by their `ObjectOverlap`. Pairs without any count whole.
  public var shapeShare: Double {
    let all = 2 * matchedCount + lostCount + newCount
    return all == 0 ? 1 : 2 * likenessSum / Double(all)
  }

  /// Adds the agreement of another image.
  public mutating func add(_ other: DetectionAgreement) {
    lostCount += other.lostCount
    newCount += other.newCount
    boxes.add(other.boxes)
    shiftSum += other.shiftSum
    likenessSum += other.likenessSum
    scoreDifferenceSum += other.scoreDifferenceSum
    largestShift = max(largestShift, other.largestShift)
    largestScoreDifference = max(largestScoreDifference, other.largestScoreDifference)
    masks.add(other.masks)
    largestPointShift = Self.larger(largestPointShift, other.largestPointShift)
  }

  private static func larger(_ one: Double?, _ other: Double?) -> Double? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }

  /// The greatest distance of two points of one place in both lists; `nil` for lists of different
  /// lengths, and for empty ones. Turned boxes may begin at any corner.
  private static func pointShift(_ first: DetectedObject, _ second: DetectedObject) -> Double? {
    func shift(_ one: [PixelPoint], _ other: [PixelPoint]) -> Double? {
      one.count != other.count
        ? nil : zip(one, other).map { max(abs($0.x - $1.x), abs($0.y - $1.y)) }.max()
    }
    let points = shift(first.keypoints ?? [], second.keypoints ?? [])
    let (corners, others) = (first.corners ?? [], second.corners ?? [])
    let turned = corners.indices.compactMap { start in
      shift(corners, Array(others[min(start, others.count)...] + others.prefix(start)))
    }.min()
    return larger(points, turned)
  }

  /// How alike two objects are beside their boxes, 0...1.
  private static func likeness(_ first: DetectedObject, _ second: DetectedObject) -> Double {
    var object = GroundTruthObject(category: first.category, box: first.box)
    (object.mask, object.keypoints, object.corners) = (first.mask, first.keypoints, first.corners)
    let overlaps = ObjectOverlap.shapes(
      hasMasks: first.mask != nil, pointCount: first.keypoints?.count ?? 0,
      hasCorners: first.corners != nil)
    return overlaps.map { $0.overlap(of: second, with: object) }.min() ?? 1
  }

  private mutating func add(_ first: DetectedObject, _ second: DetectedObject, _ overlap: Double) {
    let (one, other) = (first.box, second.box)
    // Sums first, so that exchanging the two changes nothing.
    let right = (one.x + one.width) - (other.x + other.width)
    let lower = (one.y + one.height) - (other.y + other.height)
    let shift = max(abs(one.x - other.x), abs(one.y - other.y), abs(right), abs(lower))
    let difference = second.score - first.score
    boxes.add(overlap)
    shiftSum += shift
    scoreDifferenceSum += difference
    largestShift = max(largestShift, shift)
    largestScoreDifference = max(largestScoreDifference, abs(difference))
    likenessSum += Self.likeness(first, second)
    if let mask = first.mask, let other = second.mask { masks.add(mask.overlap(with: other)) }
    largestPointShift = Self.larger(largestPointShift, Self.pointShift(first, second))
  }

  /// Greedy, by descending overlap; equal ones as they stand.
  package static func pairs(
    _ first: [DetectedObject], _ second: [DetectedObject]
  ) -> [(Int, Int, overlap: Double)] {
    var possible: [(Int, Int, overlap: Double)] = []
    for (left, one) in first.enumerated() {
      for (right, other) in second.enumerated() where one.category == other.category {
        let overlap = one.box.intersectionOverUnion(with: other.box)
        if overlap >= leastPairOverlap { possible.append((left, right, overlap)) }
      }
    }
    possible.sort { ($1.overlap, $0.0, $0.1) < ($0.overlap, $1.0, $1.1) }
    var isTaken = (
      [Bool](repeating: false, count: first.count), [Bool](repeating: false, count: second.count)
    )
    return possible.filter { left, right, _ in
      guard !isTaken.0[left], !isTaken.1[right] else { return false }
      isTaken.0[left] = true
      isTaken.1[right] = true
      return true
    }
  }
}
