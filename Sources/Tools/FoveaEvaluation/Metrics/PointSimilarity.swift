// Fovea - how similar the key points of two objects are.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The similarity of key points: COCO's "object keypoint similarity".
///
/// It is the mean over the labeled points of
///
///     exp(-d^2 / (2 area (2 deviation)^2))
///
/// with d the distance in pixels, the area of the annotation in square pixels, and how far, as a part
/// of the area's root, people's labels of that point deviate from each other.
public struct PointSimilarity: Hashable, Sendable {
  /// For each point, the deviation of people's labels.
  public let deviations: [Double]

  /// The 17 points of people in COCO.
  public static let coco = PointSimilarity(
    deviations: [
      0.026, 0.025, 0.025, 0.035, 0.035, 0.079, 0.079, 0.072, 0.072, 0.062, 0.062, 0.107, 0.107,
      0.087, 0.087, 0.089, 0.089,
    ])

  /// Creates a measure for points of known deviations, all above 0.
  public init(deviations: [Double]) { self.deviations = deviations }

  /// COCO's deviations for 17 points, and 1 / count for another number, as Ultralytics has it.
  public init(pointCount: Int) {
    self =
      pointCount == Self.coco.deviations.count
      ? .coco
      : PointSimilarity(
        deviations: Array(repeating: 1 / Double(max(1, pointCount)), count: pointCount))
  }

  /// The similarity in 0...1. For an object without labeled points, how far points lie outside the
  /// box of three times its size takes the place of distances.
  ///
  /// - Precondition: `found` and the object have as many points as there are deviations, or none.
  func similarity(of found: [PixelPoint], to object: GroundTruthObject) -> Double {
    guard let points = object.keypoints, points.count == found.count,
      found.count == deviations.count
    else { return 0 }
    let area = object.area + Double.ulpOfOne
    let isLabeled = points.contains { $0 != nil }
    var (sum, count) = (0.0, 0)
    for ((point, there), deviation) in zip(zip(found, points), deviations) {
      if isLabeled, there == nil { continue }
      let (x, y) = there.map { (point.x - $0.x, point.y - $0.y) } ?? Self.outside(point, object.box)
      let variance = 4 * deviation * deviation
      sum += exp(-((x * x + y * y) / variance / area / 2))
      count += 1
    }
    return count > 0 ? sum / Double(count) : 0
  }

  private static func outside(_ point: PixelPoint, _ box: PixelBox) -> (Double, Double) {
    func distance(_ place: Double, _ start: Double, _ length: Double) -> Double {
      max(0, start - length - place) + max(0, place - (start + length * 2))
    }
    return (distance(point.x, box.x, box.width), distance(point.y, box.y, box.height))
  }
}
