// Fovea - labeled pictures to learn from.
// SPDX-License-Identifier: Apache-2.0
public import FoveaAnnotations

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
  /// What was noticed while pictures and annotations were read, such as pictures that were left out.
  public var findings: [AnnotationFinding] = []

  /// Creates a set.
  public init(labels: [String], pictures: [TrainingPicture]) {
    self.labels = labels
    self.pictures = pictures
  }

  /// The objects that count, of all pictures.
  public var objectCount: Int {
    pictures.reduce(0) { $0 + $1.objects.count { $0.weight > 0 } }
  }

  /// Reads pictures and the annotations for them, in any form that `FoveaAnnotations` reads.
  ///
  /// - Parameters:
  ///   - folder: Where the pictures are.
  ///   - annotations: A file or folder; `nil` to find them beside the pictures.
  ///   - labels: The classes of another set, whose numbers these are to have; `nil` for all that
  ///     have boxes.
  /// - Throws: `.unsuitablePictures`.
  public init(
    pictures folder: String, annotations: String?, labels: [String]? = nil
  ) throws(TrainingError) {
    do throws(AnnotationError) {
      self.init(
        try AnnotatedSet(pictures: folder, annotations: annotations), labels: labels)
    } catch {
      throw TrainingError(.unsuitablePictures, "\(error)")
    }
  }

  /// The pictures and boxes of an annotated set.
  ///
  /// Classes without boxes are left out: tools write one that stands for all others.
  ///
  /// - Parameter labels: As above; boxes of other classes are left out.
  public init(_ set: AnnotatedSet, labels: [String]? = nil) {
    let used = Set(set.pictures.lazy.flatMap(\.boxes).map(\.classIndex))
    let chosen = labels ?? set.classes.indices.filter(used.contains).map { set.classes[$0] }
    let places = set.classes.map { chosen.firstIndex(of: $0) }
    self.init(
      labels: chosen,
      pictures: set.pictures.map { picture in
        let (width, height) = (Double(picture.width), Double(picture.height))
        return TrainingPicture(
          path: picture.path,
          objects: picture.boxes.compactMap { box in
            places[box.classIndex].map {
              TrainingPicture.Object(
                label: $0, x: box.x / width, y: box.y / height, width: box.width / width,
                height: box.height / height, weight: box.isIgnored ? 0 : 1)
            }
          })
      })
    findings = set.findings
  }

  /// The pictures to learn from and those to measure on: a fifth, chosen by the names of files.
  func divided(seed: UInt64) -> (training: TrainingSet, validation: TrainingSet) {
    let isMeasured = SetSplit(
      names: pictures.map(\.path),
      labels: pictures.map { picture in
        Set(picture.objects.lazy.filter { $0.weight > 0 }.map(\.label))
      }, seed: seed
    ).isMeasured
    // A single picture is learned from.
    if isMeasured.allSatisfy({ $0 }) { return (self, TrainingSet(labels: labels, pictures: [])) }
    func part(_ side: Bool) -> TrainingSet {
      TrainingSet(
        labels: labels,
        pictures: zip(pictures, isMeasured).filter { $0.1 == side }.map(\.0))
    }
    return (part(false), part(true))
  }
}
