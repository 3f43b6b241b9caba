// Fovea - images with what annotators say is in them.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation

/// Images with what annotators say is in them: a COCO file, or a folder of YOLO labels.
struct AnnotatedImages {
  /// An image.
  struct Entry {
    /// Its number: COCO's, or its place among the images.
    var id: Int
    var path: String
    /// The size that the annotations are meant for, where they state it.
    var statedSize: ImageSize?
  }

  let entries: [Entry]
  private let source: Source

  private enum Source {
    case coco(CocoInstances)
    /// The folder of the labels.
    case yolo(String)
  }

  /// The images of `folder` that `annotations` speaks of.
  ///
  /// - Throws: `CommandFailure`.
  init(annotations: String, folder: String) throws(CommandFailure) {
    if let labels = SystemInterface.fileNames(in: annotations) {
      guard labels.contains(where: { $0.hasSuffix(".txt") }) else {
        throw CommandFailure(
          "\(annotations): holds no labels (.txt); name a COCO file or a folder of YOLO labels")
      }
      let paths = try ImageList.paths(in: folder)
      entries = paths.enumerated().map { Entry(id: $0, path: $1) }
      source = .yolo(annotations)
    } else {
      let instances = try Self.instances(annotations)
      entries = try Self.entries(of: instances, annotations, folder)
      source = .coco(instances)
    }
  }

  /// Reads a COCO file.
  ///
  /// - Throws: `CommandFailure`.
  static func instances(_ path: String) throws(CommandFailure) -> CocoInstances {
    do throws(EvaluationError) {
      return try CocoInstances(contentsOf: path)
    } catch {
      throw CommandFailure(error, file: path)
    }
  }

  /// The categories as they are listed; those of YOLO labels are the classes of the model.
  func categories(labels: [String]) -> [CocoInstances.Category] {
    switch source {
    case .coco(let instances): instances.listedCategories
    case .yolo: labels.enumerated().map { .init(id: $0, name: $1) }
    }
  }

  /// Whether a match with annotation 0 is lost, as pycocotools loses it.
  var hasAnnotationZero: Bool {
    if case .coco(let instances) = source { instances.hasAnnotationZero } else { false }
  }

  /// What is in an image that turned out to be of `size`.
  ///
  /// - Throws: `CommandFailure` for another size than the annotations are meant for.
  func objects(
    in entry: Entry, size: ImageSize
  ) throws(CommandFailure) -> [GroundTruthObject] {
    switch source {
    case .coco(let instances):
      if let stated = entry.statedSize, stated != size {
        throw CommandFailure(
          "\(entry.path): is \(size), and the annotations are for \(stated); if the annotators "
            + "ignored its EXIF orientation, use --orientation 1")
      }
      return instances.objects(inImage: entry.id)
    case .yolo(let folder):
      let name = entry.path.split(separator: "/").last ?? ""
      let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
      let path = "\(folder)/\(stem).txt"
      // By YOLO's convention an image without a file has no objects.
      do throws(EvaluationError) {
        return try YOLOLabels.objects(contentsOf: path, imageSize: size)
      } catch .unreadable where SystemInterface.isMissing(path) {
        return []
      } catch {
        throw CommandFailure(error, file: path)
      }
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

extension DetectObjectsResult {
  /// The objects as evaluations compare them: in pixels, cut at the image's edges, in the order
  /// of their scores. Classes without a category are left out.
  func detectedObjects(categories: [Int?]) -> [DetectedObject] {
    observations.compactMap {
      DetectedObject(
        classIndex: $0.bestLabel?.classIndex, categories: categories, boundingBox: $0.boundingBox,
        imageSize: imageSize, confidence: $0.topConfidence)
    }
  }
}
