// Fovea - COCO's annotation files: images, categories and objects.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

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
    var content = Content()
    try AnnotationFile.parse(bytes, path: path) { parser throws(JSONError) in
      try content.read(&parser)
    }
    images = content.images.sorted { $0.id < $1.id }
    listedCategories = content.categories
    categories = content.categories.sorted { $0.id < $1.id }
    let numbers = content.annotations.sorted()
    for (what, ids) in [
      ("images", images.map(\.id)), ("categories", categories.map(\.id)),
      ("annotations", numbers),
    ] {
      guard let repeated = zip(ids, ids.dropFirst()).first(where: ==)?.0 else { continue }
      throw .inconsistent(path: path, reason: "two \(what) have the id \(repeated)")
    }
    hasAnnotationZero = numbers.contains(0)
    objects = ObjectsByImage(content.objects, images: content.imageOfObject)
  }
}

// MARK: Reading

/// What has been read so far.
private struct Content {
  var images: [CocoInstances.Image] = []
  var categories: [CocoInstances.Category] = []
  var objects: [GroundTruthObject] = []
  var imageOfObject: [Int] = []
  var annotations: [Int] = []

  mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
    var seen: Set<Section> = []
    try parser.readObject { parser, key throws(JSONError) in
      guard let section = Section(key) else { return try parser.skipValue() }
      guard seen.insert(section).inserted else {
        throw parser.error("'\(section.rawValue)' stands there twice")
      }
      try parser.readArray { parser throws(JSONError) in
        switch section {
        case .images: try readImage(&parser)
        case .categories: try readCategory(&parser)
        case .annotations: try readAnnotation(&parser)
        }
      }
    }
    for section in Section.allCases where !seen.contains(section) {
      throw parser.error("no '\(section.rawValue)'; expected a COCO file of instances")
    }
  }

  private mutating func readImage(_ parser: inout JSONPullParser) throws(JSONError) {
    var id: Int?, width: Int?, height: Int?, fileName: String?
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "id": id = try parser.readInteger()
      case "width":
        width = try parser.unlessNull { parser throws(JSONError) in try parser.readInteger() }
      case "height":
        height = try parser.unlessNull { parser throws(JSONError) in try parser.readInteger() }
      case "file_name":
        fileName = try parser.unlessNull { parser throws(JSONError) in try parser.readText() }
      default: try parser.skipValue()
      }
    }
    guard let id else { throw parser.error("an image without id") }
    images.append(.init(id: id, fileName: fileName, width: width, height: height))
  }

  private mutating func readCategory(_ parser: inout JSONPullParser) throws(JSONError) {
    var id: Int?, name: String?
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "id": id = try parser.readInteger()
      case "name":
        name = try parser.unlessNull { parser throws(JSONError) in try parser.readText() }
      default: try parser.skipValue()
      }
    }
    guard let id else { throw parser.error("a category without id") }
    categories.append(.init(id: id, name: name))
  }

  private mutating func readAnnotation(_ parser: inout JSONPullParser) throws(JSONError) {
    var id: Int?, image: Int?, category: Int?, box: PixelBox?, area: Double?
    var isCrowd = false
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "id": id = try parser.readInteger()
      case "image_id": image = try parser.readInteger()
      case "category_id": category = try parser.readInteger()
      case "bbox": box = try parser.readBox()
      case "area":
        area = try parser.unlessNull { parser throws(JSONError) in try parser.readNumber().double }
      case "iscrowd": isCrowd = try parser.readFlag()
      default: try parser.skipValue()
      }
    }
    guard let image, let category, let box else {
      throw parser.error("an annotation without image_id, category_id or bbox")
    }
    if let id { annotations.append(id) }
    imageOfObject.append(image)
    objects.append(
      GroundTruthObject(
        category: category, box: box, area: area, isCrowd: isCrowd, annotation: id))
  }

  private enum Section: String, CaseIterable {
    case images, categories, annotations

    init?(_ key: JSONKey) {
      switch key {
      case "images": self = .images
      case "categories": self = .categories
      case "annotations": self = .annotations
      default: return nil
      }
    }
  }
}

extension JSONPullParser {
  /// Reads `[x, y, width, height]`.
  mutating func readBox() throws(JSONError) -> PixelBox {
    var box = PixelBox(x: 0, y: 0, width: 0, height: 0)
    var count = 0
    try readArray { parser throws(JSONError) in
      let number = try parser.readNumber().double
      switch count {
      case 0: box.x = number
      case 1: box.y = number
      case 2: box.width = number
      case 3: box.height = number
      default: throw parser.error("a box of more than four numbers")
      }
      count += 1
    }
    guard count == 4 else {
      throw error("a box of \(count) numbers; expected [x, y, width, height]")
    }
    return box
  }

  /// Reads `0`, `1`, `false` or `true`.
  fileprivate mutating func readFlag() throws(JSONError) -> Bool {
    guard numberFollows() else { return try readBoolean() }
    let start = offset
    let number = try readInteger()
    guard number == 0 || number == 1 else { throw error("expected 0 or 1", at: start) }
    return number == 1
  }

  /// Reads a value that may be `null`.
  fileprivate mutating func unlessNull<Value>(
    _ read: (inout JSONPullParser) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    try takeNull() ? nil : read(&self)
  }
}
