// Fovea - COCO's annotation files: images, categories and annotations.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// The content of a COCO file of instances, as it stands there. It is read in one pass, and its text is
/// not kept in memory.
package struct CocoDocument {
  /// An image.
  package struct Image {
    package var id: Int
    package var fileName: String?
    package var width: Int?
    package var height: Int?
  }

  /// A category of objects.
  package struct Category {
    package var id: Int
    package var name: String?
    /// The name of a group of categories.
    var group: String?
  }

  /// An annotation; its box is COCO's `[x, y, width, height]`.
  package struct Annotation {
    package var id: Int?
    package var image: Int
    package var category: Int
    package var box: (x: Double, y: Double, width: Double, height: Double)
    package var area: Double?
    package var isCrowd: Bool
    /// `nil` where the file does not say it, and where shapes were not asked for.
    package var shape = CocoShape()
  }

  package private(set) var images: [Image] = []
  package private(set) var categories: [Category] = []
  package private(set) var annotations: [Annotation] = []
  private let keepsShapes: Bool

  /// Reads the bytes of a file, which errors call `file`.
  ///
  /// - Parameter keepsShapes: Whether masks and key points are read, which take much memory.
  /// - Throws: `.malformed`, also where an id stands there twice.
  package init(
    _ bytes: UnsafeRawBufferPointer, file: String, keepsShapes: Bool = false
  ) throws(AnnotationError) {
    self.keepsShapes = keepsShapes
    try JSONAnnotations.parse(bytes, file: file) { parser throws(JSONError) in
      try read(&parser)
    }
    for (what, ids) in [
      ("images", images.map(\.id)), ("categories", categories.map(\.id)),
      ("annotations", annotations.compactMap(\.id)),
    ] {
      let sorted = ids.sorted()
      guard let repeated = zip(sorted, sorted.dropFirst()).first(where: ==)?.0 else { continue }
      throw AnnotationError(
        .malformed, file, "two \(what) have the id \(repeated)", "give each an id of its own")
    }
  }

  private mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
    var seen: Set<Section> = []
    try parser.readObject { parser, key throws(JSONError) in
      guard let section = Section(key) else { return try parser.skipValue() }
      guard seen.insert(section).inserted else {
        throw parser.error("'\(section.rawValue)' stands there twice")
      }
      try parser.readArray { parser throws(JSONError) in
        switch section {
        case .images: images.append(try Self.image(&parser))
        case .categories: categories.append(try Self.category(&parser))
        case .annotations: annotations.append(try annotation(&parser))
        }
      }
    }
    for section in Section.allCases where !seen.contains(section) {
      throw parser.error("no '\(section.rawValue)'; expected a COCO file of instances")
    }
  }

  private static func image(_ parser: inout JSONPullParser) throws(JSONError) -> Image {
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
    return Image(id: id, fileName: fileName, width: width, height: height)
  }

  private static func category(_ parser: inout JSONPullParser) throws(JSONError) -> Category {
    var id: Int?, name: String?, group: String?
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "id": id = try parser.readInteger()
      case "name":
        name = try parser.unlessNull { parser throws(JSONError) in try parser.readText() }
      case "supercategory": group = try parser.readTextIfAny()
      default: try parser.skipValue()
      }
    }
    guard let id else { throw parser.error("a category without id") }
    return Category(id: id, name: name, group: group)
  }

  private func annotation(_ parser: inout JSONPullParser) throws(JSONError) -> Annotation {
    var id: Int?, image: Int?, category: Int?, area: Double?
    var box: (Double, Double, Double, Double)?
    var shape = CocoShape()
    var isCrowd = false
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "id": id = try parser.readInteger()
      case "image_id": image = try parser.readInteger()
      case "category_id": category = try parser.readInteger()
      case "bbox": box = try parser.readFourNumbers()
      case "area":
        area = try parser.unlessNull { parser throws(JSONError) in try parser.readNumber().double }
      case "iscrowd": isCrowd = try parser.readFlag()
      default:
        if keepsShapes, try shape.read(key, &parser) { return }
        try parser.skipValue()
      }
    }
    guard let image, let category, let box else {
      throw parser.error("an annotation without image_id, category_id or bbox")
    }
    return Annotation(
      id: id, image: image, category: category, box: box, area: area, isCrowd: isCrowd, shape: shape
    )
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

extension RawAnnotations {
  /// The content of a COCO file.
  ///
  /// - Throws: `.malformed` where an annotation names what the file does not have.
  package init(_ document: CocoDocument, file: String) throws(AnnotationError) {
    hasListedLabels = true
    let used = Set(document.annotations.map(\.category))
    let groups = Set(document.categories.compactMap(\.group))
    var labelOfCategory: [Int: Int] = [:]
    for category in document.categories {
      let name = category.name ?? "\(category.id)"
      // Roboflow lists the name of the group as a category of its own, which has no boxes.
      if !used.contains(category.id), groups.contains(name) { continue }
      labelOfCategory[category.id] = label(name)
    }
    var placeOfImage: [Int: Int] = [:]
    for image in document.images {
      placeOfImage[image.id] = pictures.count
      pictures.append(
        Picture(
          name: image.fileName ?? "\(image.id)", width: image.width.map(Double.init),
          height: image.height.map(Double.init)))
    }
    for annotation in document.annotations {
      guard let place = placeOfImage[annotation.image],
        let label = labelOfCategory[annotation.category]
      else {
        throw AnnotationError(
          .malformed, file,
          "an annotation is of image \(annotation.image) and category \(annotation.category), "
            + "which are not both listed", "export the file again")
      }
      let box = annotation.box
      pictures[place].boxes.append(
        Box(
          label: label,
          rectangle: RawRectangle(x: box.x, y: box.y, width: box.width, height: box.height),
          isIgnored: annotation.isCrowd))
    }
  }
}
