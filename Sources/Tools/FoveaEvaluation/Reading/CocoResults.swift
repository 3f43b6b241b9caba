// Fovea - COCO's result files: what a detector found.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
internal import FoveaJSON

/// The content of a COCO result file: an array of `{"image_id", "category_id", "bbox", "score"}`.
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

  /// The metrics of these detections.
  ///
  /// - Throws: `.inconsistent` if a detection is in an image that `instances` does not have.
  public func metrics(
    against instances: CocoInstances,
    annotationZero: AveragePrecisionEvaluator.AnnotationZeroRule = .neverMatched
  ) throws(EvaluationError) -> DetectionMetrics {
    let known = Set(instances.images.map(\.id))
    if let stranger = images.first(where: { !known.contains($0) }) {
      throw .inconsistent(
        path: path,
        reason: "has detections in image \(stranger), which the annotations do not have")
    }
    var evaluator = AveragePrecisionEvaluator(
      categories: instances.categories.lazy.map(\.id), annotationZero: annotationZero)
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
    try AnnotationFile.parse(bytes, path: path) { parser throws(JSONError) in
      try parser.readArray { parser throws(JSONError) in
        let (image, object) = try parser.readResult()
        images.append(image)
        found.append(object)
      }
    }
    self.path = path
    objects = ObjectsByImage(found, images: images)
  }
}

extension JSONPullParser {
  fileprivate mutating func readResult() throws(JSONError) -> (image: Int, DetectedObject) {
    var image: Int?, category: Int?, box: PixelBox?, score: Double?
    try readObject { parser, key throws(JSONError) in
      switch key {
      case "image_id": image = try parser.readInteger()
      case "category_id": category = try parser.readInteger()
      case "bbox":
        let (x, y, width, height) = try parser.readFourNumbers()
        box = PixelBox(x: x, y: y, width: width, height: height)
      case "score": score = try parser.readNumber().double
      default: try parser.skipValue()
      }
    }
    guard let image, let category, let box, let score else {
      throw error("a result without image_id, category_id, bbox or score")
    }
    return (image, DetectedObject(category: category, box: box, score: score))
  }
}
