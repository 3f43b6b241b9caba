// Fovea - images with what annotators say is in them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
package import FoveaCommandLine
package import FoveaEvaluation
package import FoveaGeometry

/// Images with what annotators say is in them, in any form of annotations.
package struct AnnotatedImages {
  /// An image.
  package struct Entry {
    /// Its number: COCO's, or its place among the images.
    package var id: Int
    package var path: String
    /// The size that the annotations are meant for, where they state it.
    package var statedSize: ImageSize?
  }

  package let entries: [Entry]
  private let source: Source

  private enum Source {
    /// With the numbers and areas that COCO's own evaluation uses.
    case coco(CocoInstances)
    case set(AnnotatedSet)
  }

  /// The images of `folder` that `annotations` speaks of.
  ///
  /// - Parameters:
  ///   - orientation: How all images are to be turned, whatever their files say.
  ///   - keepsShapes: Whether masks and key points are read.
  /// - Throws: `CommandFailure`.
  package init(
    annotations: String, folder: String, orientation: ImageOrientation?, keepsShapes: Bool = false
  ) throws(CommandFailure) {
    let isFolder = SystemInterface.fileNames(in: annotations) != nil
    if !isFolder, try Self.form(annotations) == .coco {
      let instances = try Self.read(annotations, keepsShapes: keepsShapes)
      self.init(
        entries: try Self.entries(of: instances, annotations, folder), source: .coco(instances))
      return
    }
    let set = try Self.set(annotations, folder, orientation)
    if set.form == .coco, let file = set.files.first {
      guard set.files.count == 1 else {
        throw CommandFailure("\(annotations): holds several COCO files; name one of them")
      }
      let instances = try Self.read(file, keepsShapes: keepsShapes)
      self.init(entries: try Self.entries(of: instances, file, folder), source: .coco(instances))
      return
    }
    let entries = set.pictures.enumerated().map { place, picture in
      Entry(
        id: place, path: picture.path,
        statedSize: ImageSize(width: picture.width, height: picture.height))
    }
    self.init(entries: entries, source: .set(set))
  }

  private init(entries: [Entry], source: Source) {
    self.entries = entries
    self.source = source
  }

  /// At most `count` of the images, evenly spread.
  package func limited(to count: Int) -> AnnotatedImages {
    guard count > 0, entries.count > count else { return self }
    let chosen = (0..<count).map { entries[$0 * entries.count / count] }
    return AnnotatedImages(entries: chosen, source: source)
  }

  // MARK: Reading

  /// Reads a COCO file; says what another file is.
  ///
  /// - Throws: `CommandFailure`.
  package static func instances(
    _ path: String, keepsShapes: Bool = false
  ) throws(CommandFailure) -> CocoInstances {
    let form = try form(path)
    guard form == .coco else {
      throw CommandFailure(
        "\(path): is \(form.title), which does not number its images as results do; "
          + "name a COCO file of instances")
    }
    return try read(path, keepsShapes: keepsShapes)
  }

  private static func form(_ path: String) throws(CommandFailure) -> AnnotationForm {
    do throws(AnnotationError) {
      return try AnnotationForm(ofFile: path)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  private static func read(
    _ path: String, keepsShapes: Bool
  ) throws(CommandFailure) -> CocoInstances {
    do throws(EvaluationError) {
      return try CocoInstances(contentsOf: path, keepsShapes: keepsShapes)
    } catch {
      throw CommandFailure(error, file: path)
    }
  }

  /// Reads annotations of any form, boxes as they are written.
  private static func set(
    _ annotations: String, _ folder: String, _ orientation: ImageOrientation?
  ) throws(CommandFailure) -> AnnotatedSet {
    var options = AnnotationOptions()
    options.orientation = orientation
    options.keepsBoxesAsWritten = true
    let list = SystemInterface.fileNames(in: folder) == nil ? try ImageList.paths(in: folder) : nil
    var set: AnnotatedSet
    do throws(AnnotationError) {
      set =
        if let list {
          try AnnotatedSet(paths: list, annotations: annotations, options: options)
        } else {
          try AnnotatedSet(pictures: folder, annotations: annotations, options: options)
        }
    } catch {
      throw CommandFailure("\(error)")
    }
    // A folder of YOLO's labels is for the images of one folder.
    if list == nil, set.form == .yolo, SystemInterface.fileNames(in: annotations) != nil {
      let isBelow = { (name: String) in name.utf8.contains(UInt8(ascii: "/")) }
      set.pictures.removeAll { isBelow($0.name) }
      set.findings.removeAll { $0.kind == .missingPicture || isBelow($0.file ?? "") }
    }
    if let finding = set.findings.first(where: { preventing.contains($0.kind) }) {
      throw CommandFailure("\(annotations): \(finding)")
    }
    guard !set.pictures.isEmpty else {
      throw CommandFailure("\(folder): holds no images that \(annotations) speaks of")
    }
    return set
  }

  /// What makes numbers worthless.
  private static let preventing: Set<AnnotationFinding.Kind> = [
    .unreadablePicture, .missingPicture, .ambiguousPicture, .unitsAreNotPixels,
  ]

  // MARK: Content

  /// The categories as they are listed; classes without names are those of the model.
  package func categories(labels: [String]) -> [CocoInstances.Category] {
    switch source {
    case .coco(let instances): instances.listedCategories
    case .set(let set):
      (set.hasNumbersForClasses ? labels : set.classes).enumerated().map { .init(id: $0, name: $1) }
    }
  }

  /// Whether a match with annotation 0 is lost, as pycocotools loses it.
  package var hasAnnotationZero: Bool {
    if case .coco(let instances) = source { instances.hasAnnotationZero } else { false }
  }

  /// Why a measure of something beside boxes cannot be taken; `nil` where it can.
  package func obstacle(to overlap: ObjectOverlap) -> String? {
    switch source {
    case .coco(let instances): instances.obstacle(to: overlap).map { "\($0)" }
    case .set(let set): set.obstacle(to: overlap)
    }
  }

  /// What is in an image that turned out to be of `size`.
  ///
  /// - Throws: `CommandFailure` for another size than the annotations are meant for.
  package func objects(
    in entry: Entry, size: ImageSize
  ) throws(CommandFailure) -> [GroundTruthObject] {
    if let stated = entry.statedSize, stated != size {
      throw CommandFailure(
        "\(entry.path): is \(size), and the annotations are for \(stated); if the annotators "
          + "ignored its EXIF orientation, use --orientation 1")
    }
    switch source {
    case .coco(let instances): return instances.objects(inImage: entry.id)
    case .set(let set):
      return set.pictures[entry.id].boxes.map { GroundTruthObject($0, imageSize: size) }
    }
  }

  private static func entries(
    of instances: CocoInstances, _ annotations: String, _ folder: String
  ) throws(CommandFailure) -> [Entry] {
    var entries: [Entry] = []
    for image in instances.images {
      guard let name = image.fileName, !name.split(separator: "/").contains("..") else {
        throw CommandFailure(
          "\(annotations): image \(image.id) has no file_name inside the folder of images")
      }
      var size: ImageSize?
      if let width = image.width, let height = image.height {
        size = ImageSize(width: width, height: height)
      }
      entries.append(Entry(id: image.id, path: "\(folder)/\(name)", statedSize: size))
    }
    guard !entries.isEmpty else { throw CommandFailure("\(annotations): has no images") }
    return entries
  }
}
