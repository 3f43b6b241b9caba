// Fovea - COCO's result files: what a detector found.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
internal import FoveaJSON
internal import FoveaShapes

/// The content of a COCO result file: an array of `{"image_id", "category_id", "bbox", "score"}`, with
/// `segmentation` or `keypoints` beside the box or in its place. Without a box, it is the least one
/// around the mask or the points.
public struct CocoResults: Sendable {
  private let objects: ObjectsByImage<DetectedObject>
  private let path: String

  /// Reads the file at `path`.
  ///
  /// - Throws: `.unreadable`; `.malformed` if the file is not JSON or not a result file.
  public init(contentsOf path: String) throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: path) { bytes throws(EvaluationError) in
      try CocoResults(bytes, path: path)
    }
  }

  /// Reads the bytes of a file, which errors call `name`.
  ///
  /// - Throws: As `init(contentsOf:)`.
  public init(json bytes: [UInt8], name: String = "results") throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: bytes) { bytes throws(EvaluationError) in
      try CocoResults(bytes, path: name)
    }
  }

  /// The number of detections.
  public var count: Int { objects.count }

  /// The ids of the images that have detections, ascending.
  public var images: [Int] { objects.images }

  /// The detections in an image, in the order of the file.
  public func detections(inImage id: Int) -> [DetectedObject] { objects[id] }

  /// What can be compared beside boxes: what the first detection has.
  public let shapes: [ObjectOverlap]
  /// Whether masks were left out, because outlines do not say how large their image is.
  public let leavesOutlinesOut: Bool

  /// The metrics of these detections.
  ///
  /// - Parameter overlap: What is compared. For others than boxes, `instances` must have been read
  ///   with their shapes.
  /// - Throws: `.inconsistent` if a detection is in an image that `instances` does not have;
  ///   `.invalidObject` where an object or a detection has not what is compared.
  public func metrics(
    against instances: CocoInstances,
    annotationZero: AveragePrecisionEvaluator.AnnotationZeroRule = .neverMatched,
    overlap: ObjectOverlap = .boxes
  ) throws(EvaluationError) -> DetectionMetrics {
    let known = Set(instances.images.map(\.id))
    if let stranger = images.first(where: { !known.contains($0) }) {
      throw .inconsistent(
        path: path,
        reason: "has detections in image \(stranger), which the annotations do not have")
    }
    var evaluator = AveragePrecisionEvaluator(
      categories: instances.categories.lazy.map(\.id), annotationZero: annotationZero,
      overlap: overlap)
    for image in instances.images {
      try evaluator.add(
        image: image.id, objects: instances.objects(inImage: image.id),
        detections: detections(inImage: image.id))
    }
    return evaluator.metrics()
  }

  private init(_ bytes: UnsafeRawBufferPointer, path: String) throws(EvaluationError) {
    var found: [DetectedObject] = []
    var images: [Int] = []
    var failure: EvaluationError?
    var outlineCount = 0
    try AnnotationFile.parse(bytes, path: path) { parser throws(JSONError) in
      try parser.readArray { parser throws(JSONError) in
        var result = try parser.readResult()
        if case .outlines = result.shape.segmentation {
          result.shape.segmentation = nil
          outlineCount += 1
        }
        do throws(EvaluationError) {
          found.append(try result.object(number: found.count + 1, path: path))
        } catch {
          failure = failure ?? error
          return
        }
        images.append(result.image)
      }
    }
    if let failure { throw failure }
    self.path = path
    leavesOutlinesOut = outlineCount > 0
    let first = found.first
    shapes =
      (first?.mask == nil ? [] : [.masks])
      + (first?.keypoints.map { [.keypoints(PointSimilarity(pointCount: $0.count))] } ?? [])
    objects = ObjectsByImage(found, images: images)
  }
}

/// A detection as it stands in a file.
private struct ResultEntry {
  var image: Int
  var category: Int
  var score: Double
  var box: PixelBox?
  var shape: CocoShape

  /// The detection. As in pycocotools, its area is that of the box where the file states one, else
  /// that of the mask.
  func object(number: Int, path: String) throws(EvaluationError) -> DetectedObject {
    let mask = try shape.mask(imageSize: nil, of: "result \(number)", path: path)
    let points = shape.foundPoints
    guard
      let box = box ?? mask.map(PixelBox.init(around:)) ?? points.flatMap(PixelBox.init(around:))
    else {
      throw .inconsistent(
        path: path, reason: "result \(number) has neither bbox nor segmentation nor keypoints")
    }
    var object = DetectedObject(category: category, box: box, score: score)
    if self.box == nil, let mask { object.area = Double(mask.area) }
    (object.mask, object.keypoints) = (mask, points)
    return object
  }
}

extension JSONPullParser {
  fileprivate mutating func readResult() throws(JSONError) -> ResultEntry {
    var image: Int?, category: Int?, box: PixelBox?, score: Double?
    var shape = CocoShape()
    try readObject { parser, key throws(JSONError) in
      switch key {
      case "image_id": image = try parser.readInteger()
      case "category_id": category = try parser.readInteger()
      case "bbox":
        let (x, y, width, height) = try parser.readFourNumbers()
        box = PixelBox(x: x, y: y, width: width, height: height)
      case "score": score = try parser.readNumber().double
      default: if try !shape.read(key, &parser) { try parser.skipValue() }
      }
    }
    guard let image, let category, let score else {
      throw error("a result without image_id, category_id or score")
    }
    return ResultEntry(image: image, category: category, score: score, box: box, shape: shape)
  }
}
