// Fovea - COCO's average precision, an image at a time.
// SPDX-License-Identifier: Apache-2.0

/// Computes COCO's average precision and recall of boxes, an image at a time.
///
/// The numbers are those of pycocotools 2.0 (`COCOeval(..., "bbox")` with its own parameters). Of
/// each image only its detections stay, 32 bytes each, at most 100 of a category; images may
/// come in any order.
///
///     var evaluator = AveragePrecisionEvaluator(categories: instances.categories.map(\.id))
///     for image in instances.images {
///       try evaluator.add(
///         image: image.id, objects: instances.objects(inImage: image.id), detections: found)
///     }
///     print(evaluator.metrics().summary)
public struct AveragePrecisionEvaluator: Sendable {
  /// What becomes of a detection that stands for the annotation numbered 0.
  public enum AnnotationZeroRule: Hashable, Sendable {
    /// It counts as wrong. pycocotools notes matches by the annotation's number, and reads 0 as
    /// none: a data set numbered from 0 loses one object.
    case neverMatched
    /// It counts as right, like any other.
    case matched
  }

  /// The categories, ascending.
  public let categories: [Int]
  private let annotationZero: AnnotationZeroRule
  private let placeOfCategory: [Int: Int]
  private var records: [CategoryRecord]
  private var images: [Int] = []
  private var knownImages: Set<Int> = []
  private var matcher = ObjectMatcher()

  /// An evaluator without images.
  ///
  /// - Parameter categories: The categories' numbers. Objects and detections of others do not count.
  public init(
    categories: some Sequence<Int>, annotationZero: AnnotationZeroRule = .neverMatched
  ) {
    self.categories = Set(categories).sorted()
    self.annotationZero = annotationZero
    placeOfCategory = Dictionary(
      uniqueKeysWithValues: self.categories.enumerated().map { ($1, $0) })
    records = Array(repeating: CategoryRecord(), count: self.categories.count)
  }

  /// The number of images that were added.
  public var imageCount: Int { images.count }

  /// Adds an image: all objects that are in it and all detections.
  ///
  /// - Parameters:
  ///   - image: The image's number. Among detections of equal score, those in the image of the
  ///     lower number come first, and in one image those that stand first in `detections`.
  /// - Throws: `.repeatedImage`; `.invalidObject` for a box, an area or a score that is not finite.
  ///   Then nothing is added.
  public mutating func add(
    image: Int, objects: [GroundTruthObject], detections: [DetectedObject]
  ) throws(EvaluationError) {
    guard objects.allSatisfy({ $0.box.isFinite && $0.area.isFinite }) else {
      throw .invalidObject(image: image, reason: "the box of an object is not finite")
    }
    guard detections.allSatisfy({ $0.box.isFinite && $0.score.isFinite }) else {
      throw .invalidObject(image: image, reason: "a detection's box or score is not finite")
    }
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
        detections[firstDetection..<nextDetection].prefix(CocoProtocol.detectionLimits.last!),
        image: place)
    }
  }

  /// The numbers for what was added so far.
  ///
  /// Complexity: O(n log n) in the number of detections.
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
