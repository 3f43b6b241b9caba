// Fovea - what the options of fovea detect say about the request.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

extension Substring {
  /// The text without spaces at its ends.
  fileprivate var trimmingSpaces: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// What the options of `fovea detect` say about the request.
struct DetectionOptions {
  /// Options that say what counts as an object.
  static let thresholds: [CommandDescription.Option] = [
    .init(
      name: "--confidence", value: "0...1",
      help: "least confidence (default: the model's own, else 0.25)"),
    .init(
      name: "--iou", value: "0...1",
      help: "greatest overlap of two objects (default: the model's own, else 0.45)"),
    .init(name: "--class-agnostic", help: "objects also displace those of other classes"),
    .init(name: "--max", value: "N", help: "greatest number of objects in an image"),
    .init(name: "--only", value: "A,B", help: "only objects of these classes"),
  ]

  var confidence: Double?
  var intersectionOverUnion: Double?
  var isClassAgnostic: Bool
  var maximum: Int?
  var labels: Set<String>?
  var refinement: RefinementOptions
  var images: ImageOptions
  var explains: Bool

  init(_ arguments: ArgumentList) throws(UsageError) {
    confidence = try arguments.fraction("--confidence")
    intersectionOverUnion = try arguments.fraction("--iou")
    isClassAgnostic = arguments.has("--class-agnostic")
    maximum = try arguments.integer("--max", in: 1...Int.max)
    refinement = try RefinementOptions(arguments)
    images = try ImageOptions(arguments)
    explains = arguments.has("--explain")
    labels = arguments.value("--only").map { list in
      Set(list.split(separator: ",").map { $0.trimmingSpaces }.filter { !$0.isEmpty })
    }
    if labels?.isEmpty == true { throw UsageError("--only needs the name of at least one class") }
  }

  func request(
    model: Model, pool: ThreadPool
  ) throws(DetectionError) -> DetectObjectsRequest {
    var request = try DetectObjectsRequest(model: model, pool: pool)
    request.minimumConfidence = confidence.map { Float($0) }
    request.iouThreshold = intersectionOverUnion
    request.isClassAgnostic = isClassAgnostic ? true : nil
    request.maximumObservations = maximum
    request.allowedLabels = labels
    request.retainsScores = explains
    refinement.apply(to: &request)
    images.apply(to: &request)
    return request
  }
}
