// Fovea - COCO's annotation files: images, categories and objects.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations

/// The content of a COCO annotation file for boxes, such as `instances_val2017.json`.
///
/// Each annotation gives `image_id`, `category_id`, `bbox`, `area`, `iscrowd` and `id`. The last
/// three may be absent; the area is then that of the box. A box of negative width or height
/// overlaps nothing, as in pycocotools. The file is read in one pass, and its text is not kept in
/// memory.
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
  /// - Throws: `.unreadable`; `.malformed` if the file is not JSON or not a COCO file;
  ///   `.inconsistent` if two images, categories or annotations have the same id.
  public init(contentsOf path: String) throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: path) { bytes throws(EvaluationError) in
      try CocoInstances(bytes, path: path)
    }
  }

  /// Reads the bytes of a file, which errors call `name`.
  ///
  /// - Throws: As `init(contentsOf:)`.
  public init(json bytes: [UInt8], name: String = "annotations") throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: bytes) { bytes throws(EvaluationError) in
      try CocoInstances(bytes, path: name)
    }
  }

  /// The objects in an image, in the order of the file.
  public func objects(inImage id: Int) -> [GroundTruthObject] { objects[id] }

  private init(_ bytes: UnsafeRawBufferPointer, path: String) throws(EvaluationError) {
    let document: CocoDocument
    do throws(AnnotationError) {
      document = try CocoDocument(bytes, file: path)
    } catch {
      throw EvaluationError(error)
    }
    images = document.images.map {
      Image(id: $0.id, fileName: $0.fileName, width: $0.width, height: $0.height)
    }.sorted { $0.id < $1.id }
    listedCategories = document.categories.map { Category(id: $0.id, name: $0.name) }
    categories = listedCategories.sorted { $0.id < $1.id }
    hasAnnotationZero = document.annotations.contains { $0.id == 0 }
    let objects = document.annotations.map { annotation in
      let box = annotation.box
      return GroundTruthObject(
        category: annotation.category,
        box: PixelBox(x: box.x, y: box.y, width: box.width, height: box.height),
        area: annotation.area, isCrowd: annotation.isCrowd, annotation: annotation.id)
    }
    self.objects = ObjectsByImage(objects, images: document.annotations.map(\.image))
  }
}
