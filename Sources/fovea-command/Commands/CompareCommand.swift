// Fovea - fovea compare: whether two models, or two backends, find the same.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation

/// Compares what two models, or two backends of one, find in pictures.
enum CompareCommand: Subcommand {
  static let description = CommandDescription(
    name: "compare", synopsis: "MODEL [MODEL2] --backends A,B --images FOLDER [OPTIONS]",
    summary: "Compares what two models, or two backends of one, find in pictures.",
    options: [
      .init(
        name: "--backends", value: "A,B",
        help: "the backends of the two sides; one name is for both (default auto)"),
      .init(name: "--images", value: "FOLDER", help: "a folder of pictures, or a list of paths"),
      .calibrate, .threads,
      .init(
        name: "--confidence", value: "0...1",
        help: "least confidence (default: each model's own, else 0.25)"),
      .init(
        name: "--iou", value: "0...1",
        help: "greatest overlap of two objects (default: each model's own, else 0.45)"),
    ] + PictureOptions.options + [.json],
    operandCount: 1...2,
    notes: """
      Boxes of one label that overlap by half or more are pairs, those that overlap most first. What
      only the first side finds is lost, what only the second finds is new. Shifts are those of the
      edge that moved most, in pixels of the picture. --calibrate is for the sides that are int8.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let sides = try sides(arguments)
    let folder = try arguments.required("--images", "name a folder of pictures")
    let options = try CompareOptions(arguments)
    let pool = try ModelLoading.threads(arguments)
    let paths = try PictureList.paths(in: folder)
    let requests = try sides.map { side in
      try options.request(side, calibration: arguments.value("--calibrate"), pool: pool)
    }
    var numbers = LabelNumbers()
    let categories = requests.map { numbers.numbers(of: $0.classLabels) }
    var report = AgreementReport(sides: zip(sides, requests).map { ($0.path, $1.model.backend) })
    for (place, path) in paths.enumerated() {
      SystemInterface.writeProgress("comparing \(place + 1)/\(paths.count)")
      do throws(DetectionError) {
        let first = try requests[0].result(on: path, orientation: options.orientation)
        let second = try requests[1].result(on: path, orientation: options.orientation)
        report.add(
          DetectionAgreement(
            first.detectedObjects(categories: categories[0]),
            second.detectedObjects(categories: categories[1])), of: path)
      } catch {
        SystemInterface.writeProgress("")
        throw error.reported(file: path)
      }
    }
    SystemInterface.writeProgress("")
    if arguments.has("--json") {
      try JSONOutput.write(AgreementDocument(report))
    } else {
      SystemInterface.writeOutput(report.text)
    }
    return 0
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

/// A model and the backend that runs it.
private struct CompareSide {
  var path: String
  var backend: Backend
}

/// What the options say about both sides.
private struct CompareOptions {
  private let confidence: Double?
  private let intersectionOverUnion: Double?
  private let pictures: PictureOptions

  var orientation: ImageOrientation? { pictures.orientation }

  init(_ arguments: ArgumentList) throws(UsageError) {
    confidence = try arguments.fraction("--confidence")
    intersectionOverUnion = try arguments.fraction("--iou")
    pictures = try PictureOptions(arguments)
  }

  func request(
    _ side: CompareSide, calibration: String?, pool: ThreadPool
  ) throws -> DetectObjectsRequest {
    let model = try ModelLoading.load(
      side.path, backend: side.backend, calibration: side.backend == .int8 ? calibration : nil)
    do throws(DetectionError) {
      var request = try DetectObjectsRequest(model: model, pool: pool)
      request.minimumConfidence = confidence.map { Float($0) }
      request.iouThreshold = intersectionOverUnion
      pictures.apply(to: &request)
      _ = try request.resolvedSettings()
      return request
    } catch {
      throw error.reported(file: side.path)
    }
  }
}

/// Labels as numbers: the same label has the same number on both sides.
private struct LabelNumbers {
  private var known: [String: Int] = [:]

  mutating func numbers(of labels: [String]) -> [Int?] {
    labels.map { label in
      let number = known[label] ?? known.count
      known[label] = number
      return number
    }
  }
}
