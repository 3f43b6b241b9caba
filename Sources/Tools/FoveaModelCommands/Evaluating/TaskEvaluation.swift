// Fovea - fovea evaluate of networks that find no objects.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaMaps
internal import FoveaMeasurement
internal import FoveaNetworkTasks

/// Measures classifiers, maps of classes, and depths.
struct TaskEvaluation {
  static let levels = CommandDescription.Option(
    name: "--levels-per-meter", value: "N",
    help: "of depths in PNG files (default 1000; 256 for KITTI)")

  private let model: Model
  private let path: String
  private let arguments: ArgumentList
  private let folder: String
  private let images: ImageOptions
  private let pool: ThreadPool

  /// Measures a network that finds no objects.
  ///
  /// - Returns: Whether `model` is one.
  static func run(_ measured: MeasuredModel, _ arguments: ArgumentList) throws -> Bool {
    let measure: (TaskEvaluation) -> () throws -> Void
    let task = TaskReport.task(of: measured.model)?.task
    switch task {
    case .classify: measure = Self.classification
    case .semantic: measure = Self.classMaps
    case .depth: measure = Self.depths
    default:
      try refuse([levels.name], "networks of depths", arguments)
      return false
    }
    try refuse(
      objectOptions + DetectionNumbers.options(DetectionNumber.refinements).map(\.name),
      "networks that find objects", arguments)
    if task != .depth { try refuse([levels.name], "networks of depths", arguments) }
    let evaluation = TaskEvaluation(
      model: measured.model, path: measured.path, arguments: arguments, folder: measured.folder,
      images: try ImageOptions(arguments), pool: try ModelLoading.threads(arguments))
    try measure(evaluation)()
    return true
  }

  /// What other networks have no use for.
  private static let objectOptions = [
    "--confidence", "--iou", "--max", "--multi-label", "--plot", "--plot-classes", "--report",
  ]

  private static func refuse(
    _ options: [String], _ purpose: String, _ arguments: ArgumentList
  ) throws(UsageError) {
    guard let option = options.first(where: arguments.has) else { return }
    throw UsageError("\(option) is for \(purpose), which MODEL is not")
  }

  private func report(_ document: TaskDocument) throws {
    if arguments.has("--json") {
      try JSONOutput.write(document)
    } else {
      SystemInterface.writeOutput(document.text)
    }
  }

  private func document(_ count: Int, _ metrics: [TaskDocument.Metric]) -> TaskDocument {
    TaskDocument(
      model: path, backend: model.backend.rawValue, images: count, metrics: metrics)
  }

  /// A request, or an error that names the file.
  private func request<Request>(
    _ make: () throws(DetectionError) -> Request
  ) throws -> Request {
    do throws(DetectionError) {
      return try make()
    } catch {
      throw error.reported(file: path)
    }
  }

  /// Does something with each image, with a line about progress.
  private func each<Entry>(
    _ entries: [Entry], _ image: (Entry) -> String, _ body: (Entry) throws -> Void
  ) throws {
    defer { SystemInterface.writeProgress("") }
    for (place, entry) in entries.enumerated() {
      SystemInterface.writeProgress("evaluating \(place + 1)/\(entries.count)")
      do {
        try body(entry)
      } catch let error as DetectionError {
        throw error.reported(file: image(entry))
      }
    }
  }

  // MARK: Classifiers

  private func classification() throws {
    guard !arguments.has("--annotations") else {
      throw UsageError(
        "--annotations says where objects are, and MODEL is a classifier; put the images of each "
          + "class in a folder with its name below --images")
    }
    var request = try request { () throws(DetectionError) in
      try ClassifyImageRequest(model: model, pool: pool)
    }
    images.apply(to: &request)
    let labels = request.classLabels
    let folders = try ClassFolders(folder, labels: labels)
    var metrics = ClassificationMetrics(classCount: labels.count)
    try each(folders.entries, \.path) { entry in
      let found = try request.perform(
        on: ImageFile(toDetectIn: entry.path), orientation: images.orientation)
      metrics.add(truth: entry.classIndex, found: found.lazy.map(\.classIndex))
    }
    var document = document(
      folders.entries.count,
      [
        .init("top1", metrics.total.top1, "the most probable class is right"),
        .init("top5", metrics.total.top5, "the right class is among the first five"),
      ])
    document.categoriesBy = folders.rule.rawValue
    document.categories = zip(labels, metrics.classes).filter { $1.images > 0 }.map {
      .init(name: $0, count: $1.images, metrics: ["top1": $1.top1 ?? -1, "top5": $1.top5 ?? -1])
    }
    try report(document)
  }

  // MARK: Maps

  /// The images with their maps.
  private func maps(_ endings: [String]) throws -> [MapFolder.Entry] {
    let maps = try arguments.required(
      "--annotations", "name the folder of the maps: \(endings.joined(separator: " or "))")
    return try MapFolder(images: folder, maps: maps, endings: endings).entries
  }

  private func classMaps() throws {
    var request = try request { () throws(DetectionError) in
      try SegmentImageRequest(model: model, pool: pool)
    }
    request.view = images.view
    let labels = request.classLabels
    let entries = try maps([".png"])
    let ignored = ClassMap.unassigned(for: labels.count)
    var metrics = ClassMapMetrics(classCount: labels.count)
    try each(entries, \.image) { entry in
      let found = try request.perform(
        on: ImageFile(toDetectIn: entry.image), orientation: images.orientation)
      let truth = try MapFolder.classes(
        entry.map, size: ImageSize(width: found.width, height: found.height))
      if let stranger = metrics.add(truth: truth, found: found.classes, ignored: ignored) {
        throw CommandFailure(
          "\(entry.map): has the class \(stranger), and the model has \(labels.count), from 0; "
            + "write \(ignored) for pixels that do not count")
      }
    }
    var document = document(
      entries.count,
      [
        .init("meanIoU", metrics.meanOverlap, "mean overlap of the classes that occur"),
        .init("pixelAccuracy", metrics.pixelAccuracy, "pixels whose class is right"),
      ])
    document.categories = zip(labels, metrics.classes).compactMap { label, counts in
      counts.overlap.map { .init(name: label, count: counts.truth, metrics: ["IoU": $0]) }
    }
    try report(document)
  }

  private func depths() throws {
    let levels = try arguments.integer("--levels-per-meter", in: 1...1_000_000) ?? 1000
    var request = try request { () throws(DetectionError) in
      try EstimateDepthRequest(model: model, pool: pool)
    }
    request.view = images.view
    let isRelative = request.unit == .relative
    var metrics = DepthMetrics()
    let entries = try maps([".png", ".npy"])
    try each(entries, \.image) { entry in
      let found = try request.perform(
        on: ImageFile(toDetectIn: entry.image), orientation: images.orientation)
      let truth = try MapFolder.depths(
        entry.map, size: ImageSize(width: found.width, height: found.height),
        levelsPerMeter: Double(levels))
      guard metrics.add(truth: truth, found: found.values, isInverse: isRelative) else {
        throw CommandFailure("\(entry.map): has no depth above 0; move the image away")
      }
    }
    var document = document(
      entries.count,
      [
        .init(
          "absoluteRelativeError", metrics.absoluteRelativeError, "mean of |depth - truth| / truth"),
        .init("delta1", metrics.nearShare, "pixels less than a factor of 1.25 away"),
      ])
    if isRelative {
      document.note =
        "the network has a measure of its own, larger is nearer: a factor and an offset for each "
        + "image fit it to 1 / truth"
    }
    try report(document)
  }
}
