// Fovea - fovea detect: finds objects in pictures.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// Finds objects in pictures.
enum DetectCommand: Subcommand {
  static let description = CommandDescription(
    name: "detect", synopsis: "--model FILE [OPTIONS] IMAGE...",
    summary: "Finds objects in pictures.",
    options: [
      .init(name: "--model", value: "FILE", help: "the detector, a .mlmodel or .fovea file"),
      .backend, .weights, .calibrate, .threads,
      .init(
        name: "--confidence", value: "0...1",
        help: "least confidence (default: the model's own, else 0.25)"),
      .init(
        name: "--iou", value: "0...1",
        help: "greatest overlap of two objects (default: the model's own, else 0.45)"),
      .init(name: "--class-agnostic", help: "objects also displace those of other classes"),
      .init(name: "--max", value: "N", help: "greatest number of objects in a picture"),
      .init(name: "--only", value: "A,B", help: "only objects of these classes"),
      .init(
        name: "--orientation", value: "1...8", help: "how to turn the picture, instead of its EXIF"),
      .json,
    ],
    operandCount: 1...Int.max,
    notes: """
      Pictures are JPEG or PNG files. Prints for each object its class, the confidence of that
      class and its box in pixels of the upright picture, counted from the top left.
      A picture without objects is a result. When one picture of several fails, the others are
      still done and the exit code is 1.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let path = try arguments.required(
      "--model", "no model comes with this version; name a .mlmodel or .fovea file")
    let orientation = try arguments.integer("--orientation", in: 1...8)
      .flatMap { ImageOrientation(rawValue: $0) }
    let settings = try Settings(arguments)
    let pool = try ModelLoading.threads(arguments)
    let model = try ModelLoading.load(path, arguments)
    let request = try settings.request(model: model, path: path, pool: pool)
    return try detect(
      arguments.operands, request, modelPath: path, orientation: orientation,
      asJSON: arguments.has("--json"))
  }

  private static func detect(
    _ images: [String], _ request: DetectObjectsRequest, modelPath: String,
    orientation: ImageOrientation?, asJSON: Bool
  ) throws -> Int32 {
    var document = DetectionDocument()
    for (index, image) in images.enumerated() {
      showProgress(index, of: images.count, image)
      do throws(DetectionError) {
        let result = try request.result(on: image, orientation: orientation)
        if asJSON {
          document.images.append(
            .init(result, image: image, model: modelPath, backend: request.model.backend))
        } else {
          SystemInterface.writeOutput(text(result, image: image))
        }
      } catch {
        let failure = error.reported(file: image)
        guard let failure = failure as? CommandFailure else { throw failure }
        FoveaProgram.program.report(failure, of: description.name)
        document.errors = (document.errors ?? []) + [.init(image: image, message: failure.message)]
      }
    }
    if asJSON { try JSONOutput.write(document) }
    return document.errors == nil ? 0 : 1
  }

  private static func showProgress(_ index: Int, of count: Int, _ image: String) {
    guard count > 1, SystemInterface.showsProgress else { return }
    SystemInterface.writeError("[\(index + 1)/\(count)] \(image)\n")
  }

  private static func text(_ result: DetectObjectsResult, image: String) -> String {
    let size = result.imageSize
    let heading = "\(image)  \(size.width) x \(size.height)\n"
    guard !result.observations.isEmpty else { return heading + "  no objects\n" }
    var table = TextTable([
      .left("label"), .right("confidence"), .right("x"), .right("y"), .right("width"),
      .right("height"),
    ])
    for object in result.observations {
      let box = object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
      table.rows.append(
        [object.bestLabel?.identifier ?? "", NumberText.percent(Double(object.topConfidence))]
          + [box.x, box.y, box.width, box.height].map { NumberText.fixed($0, digits: 0) })
    }
    return heading + table.text(indentation: 2)
  }
}

extension Substring {
  /// The text without spaces at its ends.
  fileprivate var trimmingSpaces: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// What the options say about the request.
private struct Settings {
  var confidence: Double?
  var intersectionOverUnion: Double?
  var isClassAgnostic: Bool
  var maximum: Int?
  var labels: Set<String>?

  init(_ arguments: ArgumentList) throws(UsageError) {
    confidence = try arguments.fraction("--confidence")
    intersectionOverUnion = try arguments.fraction("--iou")
    isClassAgnostic = arguments.has("--class-agnostic")
    maximum = try arguments.integer("--max", in: 1...Int.max)
    labels = arguments.value("--only").map { list in
      Set(list.split(separator: ",").map { $0.trimmingSpaces }.filter { !$0.isEmpty })
    }
    if labels?.isEmpty == true { throw UsageError("--only needs the name of at least one class") }
  }

  func request(model: Model, path: String, pool: ThreadPool) throws -> DetectObjectsRequest {
    do throws(DetectionError) {
      var request = try DetectObjectsRequest(model: model, pool: pool)
      request.minimumConfidence = confidence.map { Float($0) }
      request.iouThreshold = intersectionOverUnion
      request.isClassAgnostic = isClassAgnostic ? true : nil
      request.maximumObservations = maximum
      request.allowedLabels = labels
      _ = try request.resolvedSettings()
      return request
    } catch {
      throw error.reported(file: path)
    }
  }
}
