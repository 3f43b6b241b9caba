// Fovea - what of objects is compared: boxes, masks, key points or turned boxes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaShapes

/// What of objects is compared. Each has an overlap in 0...1, which takes the place of the
/// intersection over union of boxes.
public enum ObjectOverlap: Hashable, Sendable {
  /// Boxes: intersection over union.
  case boxes
  /// Masks: intersection over union, in pixels.
  case masks
  /// Key points: their similarity (`PointSimilarity`). There are no small objects, and 20 detections
  /// of an image count.
  case keypoints(PointSimilarity)
  /// Turned boxes: the probabilistic overlap (Murrugarra-Llerena et al. 2021), as Ultralytics
  /// measures them.
  case corners

  /// What of objects is compared beside boxes, by what they have.
  package static func shapes(
    hasMasks: Bool, pointCount: Int, hasCorners: Bool
  ) -> [ObjectOverlap] {
    var overlaps: [ObjectOverlap] = []
    if hasMasks { overlaps.append(.masks) }
    if pointCount > 0 { overlaps.append(.keypoints(PointSimilarity(pointCount: pointCount))) }
    if hasCorners { overlaps.append(.corners) }
    return overlaps
  }

  /// What is compared, in words.
  package var name: String {
    switch self {
    case .boxes: "boxes"
    case .masks: "masks"
    case .keypoints: "key points"
    case .corners: "turned boxes"
    }
  }

  /// How many detections of a category in an image count.
  var detectionLimit: Int {
    if case .keypoints = self { 20 } else { CocoProtocol.detectionLimits.last! }
  }

  /// Whether an object may be found and need not.
  func needsNotFind(_ object: GroundTruthObject) -> Bool {
    guard !object.isCrowd, case .keypoints = self else { return object.isCrowd }
    return object.keypoints?.allSatisfy { $0 == nil } ?? true
  }

  /// The overlap of what was found with what is there; with a crowd, the part that lies in it.
  func overlap(of detection: DetectedObject, with object: GroundTruthObject) -> Double {
    switch self {
    case .boxes:
      return object.isCrowd
        ? detection.box.shareInside(object.box)
        : detection.box.intersectionOverUnion(with: object.box)
    case .masks:
      guard let found = detection.mask, let there = object.mask else { return 0 }
      return found.overlap(with: there, isCrowd: object.isCrowd)
    case .keypoints(let similarity):
      return similarity.similarity(of: detection.keypoints ?? [], to: object)
    case .corners:
      guard let found = TurnedRectangle(around: detection.corners ?? []),
        let there = TurnedRectangle(around: object.corners ?? [])
      else { return 0 }
      return found.overlap(with: there)
    }
  }

  // MARK: Checks

  /// - Throws: `.invalidObject` for an object without what is compared, or with numbers that are not
  ///   finite.
  func check(_ object: GroundTruthObject, _ image: Int) throws(EvaluationError) {
    guard object.box.isFinite, object.area.isFinite else {
      throw .invalidObject(image: image, reason: "the box of an object is not finite")
    }
    try check(
      "an object", image, hasMask: object.mask != nil, points: object.keypoints,
      corners: object.corners)
  }

  /// - Throws: As above.
  func check(_ detection: DetectedObject, _ image: Int) throws(EvaluationError) {
    guard detection.box.isFinite, detection.score.isFinite, detection.area?.isFinite ?? true else {
      throw .invalidObject(image: image, reason: "a detection's box or score is not finite")
    }
    try check(
      "a detection", image, hasMask: detection.mask != nil, points: detection.keypoints,
      corners: detection.corners)
  }

  private func check(
    _ what: String, _ image: Int, hasMask: Bool, points: [PixelPoint?]?, corners: [PixelPoint]?
  ) throws(EvaluationError) {
    let problem: String? =
      switch self {
      case .boxes: nil
      case .masks: hasMask ? nil : "has no mask"
      case .keypoints(let similarity):
        Self.problem(points, count: similarity.deviations.count, "key points")
      case .corners: Self.problem(corners, count: 4, "corners")
      }
    if let problem { throw .invalidObject(image: image, reason: "\(what) \(problem)") }
  }

  private static func problem(_ points: [PixelPoint?]?, count: Int, _ name: String) -> String? {
    guard let points else { return "has no \(name)" }
    if points.count != count { return "has \(points.count) \(name); expected \(count)" }
    return points.allSatisfy { $0?.isFinite ?? true } ? nil : "has \(name) that are not finite"
  }
}

extension MaskRunLengths {
  /// Intersection over union; with a crowd, the part that lies in it. 0 for masks of images of
  /// different sizes.
  func overlap(with other: MaskRunLengths, isCrowd: Bool = false) -> Double {
    guard imageSize == other.imageSize else { return 0 }
    let shared = intersection(with: other)
    let whole = isCrowd ? area : area + other.area - shared
    return shared > 0 ? Double(shared) / Double(whole) : 0
  }
}
