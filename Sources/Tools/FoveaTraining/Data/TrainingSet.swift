// Fovea - labeled pictures to learn from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaEvaluation

/// A picture and the objects in it.
public struct TrainingPicture: Sendable, Hashable {
  /// The file.
  public var path: String
  /// The objects.
  public var objects: [Object]

  /// An object; lengths are fractions of the upright picture, from its top left corner.
  public struct Object: Sendable, Hashable {
    /// The class, by its place among the labels of the set.
    public var label: Int
    /// The left side.
    public var x: Double
    /// The upper side.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double
    /// How much the object counts: 1; 0 for one that is neither to be found nor missed.
    public var weight: Double

    /// Creates an object.
    public init(
      label: Int, x: Double, y: Double, width: Double, height: Double, weight: Double = 1
    ) {
      (self.label, self.weight) = (label, weight)
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// Creates a picture.
  public init(path: String, objects: [Object]) {
    self.path = path
    self.objects = objects
  }
}

/// Labeled pictures and the names of their classes.
///
/// Readers of annotations of any form make one of these.
public struct TrainingSet: Sendable, Hashable {
  /// The names of the classes.
  public var labels: [String]
  /// The pictures.
  public var pictures: [TrainingPicture]

  /// Creates a set.
  public init(labels: [String], pictures: [TrainingPicture]) {
    self.labels = labels
    self.pictures = pictures
  }

  /// The objects that count, of all pictures.
  public var objectCount: Int {
    pictures.reduce(0) { $0 + $1.objects.count { $0.weight > 0 } }
  }

  /// Reads a COCO file.
  ///
  /// Categories without objects have no class: tools write one that stands for all others.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - folder: Where its pictures are.
  /// - Throws: `.unsuitablePictures`.
  public init(coco path: String, pictures folder: String) throws(TrainingError) {
    let instances: CocoInstances
    do throws(EvaluationError) { instances = try CocoInstances(contentsOf: path) } catch {
      throw TrainingError(.unsuitablePictures, "\(path): \(error)")
    }
    var used: Set<Int> = []
    for image in instances.images {
      used.formUnion(instances.objects(inImage: image.id).map(\.category))
    }
    let categories = instances.categories.filter { used.contains($0.id) }
    var places: [Int: Int] = [:]
    for (place, category) in categories.enumerated() { places[category.id] = place }
    labels = categories.map { $0.name ?? "\($0.id)" }
    pictures = []
    for image in instances.images {
      guard let name = image.fileName, !name.split(separator: "/").contains("..") else {
        throw TrainingError(
          .unsuitablePictures, "\(path): image \(image.id) has no file_name in \(folder)")
      }
      guard let width = image.width, let height = image.height, width > 0, height > 0 else {
        throw TrainingError(
          .unsuitablePictures, "\(path): image \(image.id) has no width and height")
      }
      let objects = instances.objects(inImage: image.id).compactMap { object in
        places[object.category].map {
          TrainingPicture.Object(
            label: $0, x: object.box.x / Double(width), y: object.box.y / Double(height),
            width: object.box.width / Double(width), height: object.box.height / Double(height),
            weight: object.isCrowd ? 0 : 1)
        }
      }
      pictures.append(TrainingPicture(path: "\(folder)/\(name)", objects: objects))
    }
  }
}
