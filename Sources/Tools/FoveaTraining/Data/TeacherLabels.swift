// Fovea - pictures that a detector labels, for another one to learn from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaVision

/// How a detector labels pictures.
public struct TeacherOptions: Sendable, Hashable {
  /// The least confidence of an object that is to be found. It counts as much as its confidence.
  public var confidence = 0.5
  /// Objects of less confidence, but at least this one, are neither to be found nor missed.
  public var doubt = 0.15
  /// The side of the teacher's input in pixels; `nil` for what the model says.
  public var size: Int?
  /// The classes that are to be found; `nil` for all that are.
  public var labels: [String]?
  /// The threads to use.
  public var threads: Int

  /// Creates options.
  public init(threads: Int) { self.threads = threads }

  fileprivate func check() throws(TrainingError) {
    guard confidence > 0, confidence <= 1, doubt > 0, doubt <= confidence else {
      throw TrainingError(
        .invalidOption,
        "objects count from a confidence of \(confidence) and are doubtful from \(doubt); expected"
          + " 0 to 1, and no more for the second")
    }
  }
}

extension TrainingSet {
  /// Labels all pictures of a folder by a detector.
  ///
  /// - Parameters:
  ///   - folder: Where the pictures are; annotations beside them are not read.
  ///   - teacher: The path of the detector.
  ///   - report: Is called before each picture with its place and the number of all. `false` stops.
  /// - Throws: `.unsuitablePictures` where nothing is found or a picture cannot be read,
  ///   `.unsuitableStart` for a teacher that finds no objects, `.interrupted`.
  public init(
    pictures folder: String, teacher: String, options: TeacherOptions,
    report: (Int, Int) -> Bool = { _, _ in true }
  ) throws(TrainingError) {
    try options.check()
    var set: AnnotatedSet
    do throws(AnnotationError) { set = try AnnotatedSet(picturesAlone: folder) } catch {
      throw TrainingError(.unsuitablePictures, "\(error)")
    }
    let labeling = try TeacherLabeling(teacher, options)
    set.classes = labeling.labels
    var pictures: [TrainingPicture] = []
    for (place, picture) in set.pictures.enumerated() {
      guard report(place, set.pictures.count) else {
        throw TrainingError(.interrupted, "stopped before a step was taken")
      }
      pictures.append(try labeling.labeled(picture.path))
    }
    self.init(labels: labeling.labels, pictures: pictures)
    findings = set.findings
    if options.labels == nil { keepFoundLabels() }
    guard objectCount > 0 else {
      throw TrainingError(
        .unsuitablePictures,
        "\(teacher): finds nothing with a confidence of \(options.confidence) in the"
          + " \(pictures.count) pictures of \(folder); lower --threshold, or take another teacher")
    }
  }

  /// The objects that are neither to be found nor missed, of all pictures.
  public var ignoredCount: Int {
    pictures.reduce(0) { $0 + $1.objects.count { $0.weight <= 0 } }
  }

  /// Leaves classes out that no object to be found has.
  private mutating func keepFoundLabels() {
    let found = Set(pictures.lazy.flatMap(\.objects).filter { $0.weight > 0 }.map(\.label))
    let kept = labels.indices.filter(found.contains)
    let places = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    labels = kept.map { labels[$0] }
    for index in pictures.indices {
      pictures[index].objects = pictures[index].objects.compactMap { object in
        guard let place = places[object.label] else { return nil }
        var object = object
        object.label = place
        return object
      }
    }
  }
}

/// A detector that labels pictures.
private struct TeacherLabeling {
  /// The classes, in the order of the numbers of objects.
  let labels: [String]
  private let request: DetectObjectsRequest
  private let options: TeacherOptions
  private let path: String

  init(_ path: String, _ options: TeacherOptions) throws(TrainingError) {
    (self.path, self.options) = (path, options)
    do {
      var loading = Model.Options()
      loading.pictures = PictureInput()
      loading.imageSize = options.size.map { ImageSize(width: $0, height: $0) }
      let model = try Model(contentsOf: path, options: loading)
      var request = try DetectObjectsRequest(
        model: model, pool: ThreadPool(threadCount: options.threads))
      request.minimumConfidence = Float(options.doubt)
      if let labels = options.labels { request.allowedLabels = Set(labels) }
      // Says at once which names are wrong.
      _ = try request.resolvedSettings()
      labels = options.labels ?? request.classLabels
      self.request = request
    } catch {
      let text = "\(error)"
      throw TrainingError(.unsuitableStart, text.hasPrefix(path) ? text : "\(path): \(text)")
    }
  }

  func labeled(_ picture: String) throws(TrainingError) -> TrainingPicture {
    let result: DetectObjectsResult
    do {
      result = try request.result(on: ImageFile(contentsOf: picture))
    } catch {
      throw TrainingError(.unsuitablePictures, "\(picture): \(error)")
    }
    let unit = ImageSize(width: 1, height: 1)
    return TrainingPicture(
      path: picture,
      objects: result.observations.compactMap { object in
        let box = object.boundingBox.clamped.toImageCoordinates(unit, origin: .upperLeft)
        let score = Double(object.topConfidence)
        guard let label = object.bestLabel.flatMap({ labels.firstIndex(of: $0.identifier) }),
          box.width > 0, box.height > 0
        else { return nil }
        return TrainingPicture.Object(
          label: label, x: box.x, y: box.y, width: box.width, height: box.height,
          weight: score >= options.confidence ? score : 0)
      })
  }
}
