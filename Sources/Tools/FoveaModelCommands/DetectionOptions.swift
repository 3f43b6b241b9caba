// Fovea - what the options of fovea detect say about the request.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine

/// What the options of `fovea detect` say about the request.
package struct DetectionOptions: Sendable {
  /// Options that say what counts as an object.
  package static let thresholds: [CommandDescription.Option] =
    DetectionNumbers.options(DetectionNumber.all) + [
      .init(name: "--class-agnostic", help: "objects also displace those of other classes"),
      .init(name: "--max", value: "N", help: "greatest number of objects in an image"),
      .init(name: "--only", value: "A,B", help: "only objects of these classes"),
    ]

  package var numbers: DetectionNumbers
  package var isClassAgnostic: Bool
  package var maximum: Int?
  package var labels: Set<String>?
  package var images: ImageOptions
  package var background: BackgroundOption
  package var explains: Bool

  package init(_ arguments: ArgumentList) throws(UsageError) {
    numbers = try DetectionNumbers(DetectionNumber.all, arguments)
    isClassAgnostic = arguments.has("--class-agnostic")
    maximum = try arguments.integer("--max", in: 1...Int.max)
    images = try ImageOptions(arguments)
    background = try BackgroundOption(arguments)
    explains = arguments.has("--explain")
    labels = try arguments.names("--only").map { Set($0) }
  }

  package func request(
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
