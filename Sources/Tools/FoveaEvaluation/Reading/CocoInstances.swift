// Fovea - COCO's annotation files: images, categories and objects.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
internal import FoveaGeometry

/// The content of a COCO annotation file, such as `instances_val2017.json`.
///
/// Each annotation gives `image_id`, `category_id`, `bbox`, `area`, `iscrowd` and `id`. The last
/// three may be absent; the area is then that of the box. A box of negative width or height
/// overlaps nothing, as in pycocotools. The file is read in one pass, and its text is not kept in
/// memory. Masks (`segmentation`) and key points (`keypoints`) are read where they are asked for.
public struct CocoInstances: Sendable {
  /// An image.
  public struct Image: Hashable, Sendable {
    /// The id.
    public let id: Int
    /// The name of the image file, if the annotation file states it.
    public let fileName: String?
    /// The width in pixels, if stated.
    public let width: Int?
    /// The height in pixels, if stated.
    public let height: Int?
  }

  /// A category of objects.
  public struct Category: Hashable, Sendable {
    /// The id. Ids may have gaps.
    public let id: Int
    /// The name, if the file states it.
    public let name: String?

    /// Creates a category.
    public init(id: Int, name: String?) {
      self.id = id
      self.name = name
    }
  }

  /// The images, by ascending id.
  public let images: [Image]
  /// The categories, by ascending id.
  public let categories: [Category]
  /// The categories in the order in which the file lists them.
  public let listedCategories: [Category]
  /// The number of annotations.
  public var objectCount: Int { objects.count }
  /// Whether an annotation has the id 0; see `AveragePrecisionEvaluator.AnnotationZeroRule`.
  public let hasAnnotationZero: Bool

  private let objects: ObjectsByImage<GroundTruthObject>

  /// Reads the file at `path`.
  ///
  /// - Parameter keepsShapes: Whether objects have their masks and key points. They take about 2 KB
  ///   each.
  /// - Throws: `.unreadable`; `.malformed` if the file is not JSON or not a COCO file;
  ///   `.inconsistent` if two images, categories or annotations have the same id, or if a mask does
  ///   not fit its image.
  public init(contentsOf path: String, keepsShapes: Bool = false) throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: path) { bytes throws(EvaluationError) in
      try CocoInstances(bytes, path: path, keepsShapes: keepsShapes)
    }
  }

  /// Reads the bytes of a file, which errors call `name`.
  ///
  /// - Throws: As `init(contentsOf:)`.
  public init(
    json bytes: [UInt8], name: String = "annotations", keepsShapes: Bool = false
  ) throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: bytes) { bytes throws(EvaluationError) in
      try CocoInstances(bytes, path: name, keepsShapes: keepsShapes)
    }
  }

  /// The objects in an image, in the order of the file.
  public func objects(inImage id: Int) -> [GroundTruthObject] { objects[id] }

  /// The first object without what is compared, and what it is without; `nil` where all have it.
  public func obstacle(to overlap: ObjectOverlap) -> EvaluationError? {
    objects.obstacle { object, image throws(EvaluationError) in try overlap.check(object, image) }
  }

  private init(
    _ bytes: UnsafeRawBufferPointer, path: String, keepsShapes: Bool
  ) throws(EvaluationError) {
    let document: CocoDocument
    do throws(AnnotationError) {
      document = try CocoDocument(bytes, file: path, keepsShapes: keepsShapes)
    } catch {
      throw EvaluationError(error)
    }
    images = document.images.map {
      Image(id: $0.id, fileName: $0.fileName, width: $0.width, height: $0.height)
    }.sorted { $0.id < $1.id }
    listedCategories = document.categories.map { Category(id: $0.id, name: $0.name) }
    categories = listedCategories.sorted { $0.id < $1.id }
    hasAnnotationZero = document.annotations.contains { $0.id == 0 }
    let sizes = Dictionary(
      images.map { ($0.id, $0.size) }, uniquingKeysWith: { first, _ in first })
    var objects: [GroundTruthObject] = []
    objects.reserveCapacity(document.annotations.count)
    for annotation in document.annotations {
      let box = annotation.box
      var object = GroundTruthObject(
        category: annotation.category,
        box: PixelBox(x: box.x, y: box.y, width: box.width, height: box.height),
        area: annotation.area, isCrowd: annotation.isCrowd, annotation: annotation.id)
      object.mask = try annotation.shape.mask(
        imageSize: sizes[annotation.image] ?? nil,
        of: "annotation \(annotation.id ?? objects.count) in image \(annotation.image)", path: path)
      object.keypoints = annotation.shape.labeledPoints
      objects.append(object)
    }
    self.objects = ObjectsByImage(objects, images: document.annotations.map(\.image))
  }
}

extension CocoInstances.Image {
  /// The size of the image, if the file states it.
  fileprivate var size: ImageSize? {
    guard let width, let height else { return nil }
    return ImageSize(width: width, height: height)
  }
}
