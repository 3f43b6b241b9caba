// Fovea - fovea compare: whether two models, or two backends, find the same.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaFoundObjects
internal import FoveaMeasurement
internal import FoveaQuantization
internal import FoveaReports

/// Compares what two models, or two backends of one, find in images.
enum CompareCommand: Subcommand {
  static let description = CommandDescription(
    name: "compare", synopsis: "MODEL [MODEL2] --backends A,B --images FOLDER [OPTIONS]",
    summary: "Compares what two models, or two backends of one, find in images.",
    options: [
      .modelOperands,
      .init(
        name: "--backends", value: "A,B",
        help: "the backends of the two sides; one name is for both (default auto)"),
      .init(name: "--images", value: "FOLDER", help: "a folder of images, or a list of paths"),
      .init(
        name: "--layers", help: "also compare what the layers write, and name those that lose most"),
      ReportOption.option,
      .function, .size, .matchAspect, .head, .boxes, .scores, .task, .calibrate, .threads,
      .init(
        name: "--confidence", value: "0...1",
        help: "least confidence (default: each model's own, else 0.25)"),
      .init(
        name: "--iou", value: "0...1",
        help: "greatest overlap of two objects (default: each model's own, else 0.45)"),
    ] + ArrayInputOptions.options + DetectionNumbers.options(DetectionNumber.refinements)
      + ImageOptions.options + [.json],
    operandCount: 1...2,
    notes: """
      Boxes of one label that overlap by half or more are pairs, those that overlap most first. What
      only the first side finds is lost, what only the second finds is new. Shifts are those of the
      edge that moved most, in pixels of the image. Masks of pairs have an overlap of their own, and key
      points and corners a shift, where both sides have them. --calibrate is for the sides that are int8.

      The signal-to-noise ratio of a layer is 10 log10 of the sum of the squares of what the first side
      writes over that of the difference, of all images. It contains what was lost before; "lost" is
      how far it lies below the worst of the layers that this one reads, those counted as 40 dB at most;
      operations without weights that write no codes lose nothing of their own.
      """,
    leading: .models(atMost: 2))

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let sides = try sides(arguments)
    let folder = try arguments.required("--images", "name a folder of images")
    let options = try CompareOptions(arguments)
    let pool = try ModelLoading.threads(arguments)
    let paths = try ImageList.paths(in: folder)
    let prepared = try sides.map { side in
      try options.request(side, arguments, pool: pool)
    }
    let requests = prepared.map(\.request)
    var numbers = LabelNumbers()
    let categories = requests.map { numbers.numbers(of: $0.classLabels) }
    var report = AgreementReport(sides: zip(sides, requests).map { ($0.path, $1.model.backend) })
    let page = ReportOption(arguments)
    var found: [(first: [DetectedObject], second: [DetectedObject])] = []
    let layers = options.comparesLayers ? try comparison(sides, requests, pool) : nil
    for (place, path) in paths.enumerated() {
      SystemInterface.writeProgress("comparing \(place + 1)/\(paths.count)")
      do throws(DetectionError) {
        let image = try ImageFile(toDetectIn: path)
        let results = try prepared.map { (request, settings) throws(DetectionError) in
          try request.result(on: image, orientation: options.orientation, settings: settings)
        }
        let (first, second) = (
          results[0].detectedObjects(categories: categories[0], keepsShapes: true),
          results[1].detectedObjects(categories: categories[1], keepsShapes: true)
        )
        report.add(DetectionAgreement(reference: first, candidate: second), of: path)
        if page != nil { found.append((first, second)) }
        try layers?.compare(image, requests[0], orientation: options.orientation)
      } catch {
        SystemInterface.writeProgress("")
        throw error.reported(file: path)
      }
    }
    SystemInterface.writeProgress("")
    report.layers = layers?.layers
    try page?.write {
      try report.page(found, labels: numbers.labels).write(to: $0) {
        try ImageFile(contentsOf: $0)
      }
    }
    if arguments.has("--json") {
      try JSONOutput.write(AgreementDocument(report))
    } else {
      SystemInterface.writeOutput(report.text)
    }
    return 0
  }

  /// What compares the layers of the two sides.
  private static func comparison(
    _ sides: [CompareSide], _ requests: [DetectObjectsRequest], _ pool: ThreadPool
  ) throws(CommandFailure) -> LayerComparison {
    do throws(FoveaError) {
      return try LayerComparison(
        requests[0].model, requests[1].model, areOfOneFile: sides[0].path == sides[1].path,
        pool: pool)
    } catch {
      throw CommandFailure(error, file: sides[1].path)
    }
  }

  /// The two models and backends that the arguments name.
  private static func sides(_ arguments: ArgumentList) throws(UsageError) -> [CompareSide] {
    let names = (arguments.value("--backends") ?? "auto")
      .split(separator: ",", omittingEmptySubsequences: false)
    let backends = names.compactMap { Backend(rawValue: String($0)) }
    guard backends.count == names.count, (1...2).contains(backends.count) else {
      throw UsageError(
        "--backends is '\(names.joined(separator: ","))'; expected one or two of "
          + Backend.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let (first, last) = (arguments.operands[0], arguments.operands.last!)
    guard arguments.operands.count == 2 || backends.count == 2 else {
      throw UsageError("one model needs two backends: --backends float,int8")
    }
    guard !arguments.has("--calibrate") || backends.contains(.int8) else {
      throw UsageError("--calibrate is for int8, which --backends does not name")
    }
    return [
      CompareSide(path: first, backend: backends[0]),
      CompareSide(path: last, backend: backends.last!),
    ]
  }
}

extension LayerComparison {
  /// Adds an image as `request` prepares it.
  fileprivate func compare(
    _ image: ImageFile, _ request: DetectObjectsRequest, orientation: ImageOrientation?
  ) throws(DetectionError) {
    let arrays = try request.inputArrays(on: image, orientation: orientation)
    do throws(FoveaError) { try add(arrays) } catch { throw .runtime(error) }
  }
}

/// A model and the backend that runs it.
private struct CompareSide {
  var path: String
  var backend: Backend
}

/// What the options say about both sides.
private struct CompareOptions {
  private let confidence: Double?
  private let intersectionOverUnion: Double?
  private let refinement: DetectionNumbers
  private let images: ImageOptions
  let comparesLayers: Bool

  var orientation: ImageOrientation? { images.orientation }

  init(_ arguments: ArgumentList) throws(UsageError) {
    confidence = try arguments.fraction("--confidence")
    intersectionOverUnion = try arguments.fraction("--iou")
    refinement = try DetectionNumbers(DetectionNumber.refinements, arguments)
    images = try ImageOptions(arguments)
    comparesLayers = arguments.has("--layers")
  }

  /// The request of a side, and its settings, resolved once for all images.
  func request(
    _ side: CompareSide, _ arguments: ArgumentList, pool: ThreadPool
  ) throws -> (request: DetectObjectsRequest, settings: DetectionSettings) {
    let model = try ModelLoading.load(
      .file(side.path), arguments, backend: side.backend,
      calibration: side.backend == .int8 ? arguments.value("--calibrate") : nil,
      observesNodes: comparesLayers)
    do throws(DetectionError) {
      var request = try DetectObjectsRequest(model: model, pool: pool)
      request.minimumConfidence = confidence.map { Float($0) }
      request.iouThreshold = intersectionOverUnion
      refinement.apply(to: &request)
      images.apply(to: &request)
      return (request, try request.resolvedSettings())
    } catch {
      throw error.reported(file: side.path)
    }
  }
}

/// Labels as numbers: the same label has the same number on both sides.
private struct LabelNumbers {
  private var known: [String: Int] = [:]

  /// Labels by their numbers.
  var labels: [Int: String] {
    Dictionary(uniqueKeysWithValues: known.map { ($1, $0) })
  }

  mutating func numbers(of labels: [String]) -> [Int?] {
    labels.map { label in
      let number = known[label] ?? known.count
      known[label] = number
      return number
    }
  }
}
