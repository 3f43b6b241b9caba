// Fovea - COCO's average precision, an image at a time.
// SPDX-License-Identifier: Apache-2.0

/// Computes COCO's average precision and recall of boxes, masks or key points, one image at a time.
///
/// The numbers are those of pycocotools 2.0 (`COCOeval(..., "bbox")`, `"segm"` or `"keypoints"` with
/// its default parameters). `ObjectOverlap` is what they differ by.
/// The evaluator keeps 32 bytes for each detection, for at most 100 in a category and image. Images
/// may come in any order.
///
///     var evaluator = AveragePrecisionEvaluator(categories: instances.categories.map(\.id))
///     for image in instances.images {
///       try evaluator.add(
///         image: image.id, objects: instances.objects(inImage: image.id), detections: found)
///     }
///     print(evaluator.metrics().summary)
public struct AveragePrecisionEvaluator: Sendable {
  /// How a detection counts that matches the annotation with the id 0.
  public enum AnnotationZeroRule: Hashable, Sendable {
    /// It counts as wrong, as in pycocotools: it stores matches by id and reads 0 as none, so that
    /// a data set numbered from 0 loses one object.
    case neverMatched
    /// It counts as right, like any other match.
    case matched
  }

  /// The categories, ascending.
  public let categories: [Int]
  private let annotationZero: AnnotationZeroRule
  private let overlap: ObjectOverlap
  private let placeOfCategory: [Int: Int]
  private var records: [CategoryRecord]
  private var images: [Int] = []
  private var knownImages: Set<Int> = []
  private var matcher: ObjectMatcher

  /// Creates an evaluator without images.
  ///
  /// - Parameters:
  ///   - categories: The ids of the categories. Objects and detections of others do not count.
  ///   - annotationZero: How a match with the annotation of id 0 counts.
  ///   - overlap: What is compared.
  public init(
    categories: some Sequence<Int>, annotationZero: AnnotationZeroRule = .neverMatched,
    overlap: ObjectOverlap = .boxes
  ) {
    self.overlap = overlap
    matcher = ObjectMatcher(overlap)
    self.categories = Set(categories).sorted()
    self.annotationZero = annotationZero
    placeOfCategory = Dictionary(
      uniqueKeysWithValues: self.categories.enumerated().map { ($1, $0) })
    records = Array(repeating: CategoryRecord(), count: self.categories.count)
  }

  /// The number of images so far.
  public var imageCount: Int { images.count }

  /// Adds an image with all its objects and all its detections.
  ///
  /// - Parameters:
  ///   - image: The id of the image. Of detections with equal scores, those in the image of the
  ///     lower id come first, and in one image those that are first in `detections`.
  ///   - objects: The objects in the image.
  ///   - detections: The detections in the image, in any order.
  /// - Throws: `.repeatedImage`; `.invalidObject` for a number that is not finite, and for an object
  ///   without what is compared. Nothing is added then.
  public mutating func add(
    image: Int, objects: [GroundTruthObject], detections: [DetectedObject]
  ) throws(EvaluationError) {
    for object in objects { try overlap.check(object, image) }
    for detection in detections { try overlap.check(detection, image) }
    guard knownImages.insert(image).inserted else { throw .repeatedImage(image) }
    let place = UInt32(images.count)
    images.append(image)

    let objects = objects.byCategory { _, _ in false }
    let detections = detections.byCategory { $0.score > $1.score }
    var nextObject = 0, nextDetection = 0
    while nextObject < objects.count || nextDetection < detections.count {
      let category = min(
        nextObject < objects.count ? objects[nextObject].category : .max,
        nextDetection < detections.count ? detections[nextDetection].category : .max)
      let firstObject = nextObject, firstDetection = nextDetection
      nextObject = objects.end(of: category, from: nextObject)
      nextDetection = detections.end(of: category, from: nextDetection)
      judge(
        category, objects[firstObject..<nextObject],
        detections[firstDetection..<nextDetection].prefix(overlap.detectionLimit),
        image: place)
    }
  }

  /// The metrics of all images so far.
  ///
  /// - Complexity: O(n log n) in the number of detections.
  public func metrics() -> DetectionMetrics {
    let order = images.indices.sorted { images[$0] < images[$1] }
    var places = [UInt32](repeating: 0, count: images.count)
    for (place, index) in order.enumerated() { places[index] = UInt32(place) }
    return DetectionMetrics(
      imageCount: images.count,
      categories: zip(categories, records).map { category, record in
        CategoryMetrics(category: category, record: record, placeOfImage: places)
      })
  }

  private mutating func judge(
    _ category: Int, _ objects: ArraySlice<GroundTruthObject>,
    _ detections: ArraySlice<DetectedObject>, image: UInt32
  ) {
    guard let place = placeOfCategory[category] else { return }
    let counts = matcher.judge(
      detections, objects: objects, image: image,
      reproducesAnnotationZero: annotationZero == .neverMatched,
      into: &records[place].detections)
    for (size, count) in counts.enumerated() { records[place].objectCounts[size] += count }
  }
}

/// What is kept of a category.
struct CategoryRecord: Sendable {
  /// Best first within an image, image after image.
  var detections: [JudgedDetection] = []
  /// For each size, the objects that must be found.
  var objectCounts = [0, 0, 0, 0]
}

// MARK: Sorting by category

private protocol Categorized { var category: Int { get } }
extension GroundTruthObject: Categorized {}
extension DetectedObject: Categorized {}

extension Array where Element: Categorized {
  /// By category, then by `precedes`, then as they stand.
  fileprivate func byCategory(_ precedes: (Element, Element) -> Bool) -> [Element] {
    indices.sorted { left, right in
      let (first, second) = (self[left], self[right])
      if first.category != second.category { return first.category < second.category }
      if precedes(first, second) { return true }
      return !precedes(second, first) && left < right
    }.map { self[$0] }
  }

  /// The end of the elements of `category` that begin at `start`.
  fileprivate func end(of category: Int, from start: Int) -> Int {
    var end = start
    while end < count, self[end].category == category { end += 1 }
    return end
  }
}
