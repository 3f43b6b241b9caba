// Fovea - what the options of fovea detect say about the request.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands

/// What the options of `fovea detect` say about the request.
struct DetectionOptions {
  /// Options that say what counts as an object.
  static let thresholds: [CommandDescription.Option] =
    DetectionNumbers.options(DetectionNumber.all) + [
      .init(name: "--class-agnostic", help: "objects also displace those of other classes"),
      .init(name: "--max", value: "N", help: "greatest number of objects in an image"),
      .init(name: "--only", value: "A,B", help: "only objects of these classes"),
    ]

  var numbers: DetectionNumbers
  var isClassAgnostic: Bool
  var maximum: Int?
  var labels: Set<String>?
  var images: ImageOptions
  var background: BackgroundOption
  var explains: Bool

  init(_ arguments: ArgumentList) throws(UsageError) {
    numbers = try DetectionNumbers(DetectionNumber.all, arguments)
    isClassAgnostic = arguments.has("--class-agnostic")
    maximum = try arguments.integer("--max", in: 1...Int.max)
    images = try ImageOptions(arguments)
    background = try BackgroundOption(arguments)
    explains = arguments.has("--explain")
    labels = try arguments.names("--only").map { Set($0) }
  }

  func request(
    model: Model, pool: ThreadPool
  ) throws(DetectionError) -> DetectObjectsRequest {
    var request = try DetectObjectsRequest(model: model, pool: pool)
    request.isClassAgnostic = isClassAgnostic ? true : nil
    request.maximumObservations = maximum
    request.allowedLabels = labels
    request.retainsScores = explains
    numbers.apply(to: &request)
    images.apply(to: &request)
    return request
  }
}
