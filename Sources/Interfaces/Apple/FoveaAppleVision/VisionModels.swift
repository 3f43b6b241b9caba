// Fovea - the networks of requests that have one of their own on Apple's platforms.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaLibc
package import FoveaMaps
internal import FoveaRuntime
package import FoveaVision

/// The networks that a program chooses for requests that have one of their own on Apple's platforms.
///
///     VisionModels.bodyPose = URL(fileURLWithPath: "yolo11n-pose.mlpackage")
///
/// Each is loaded when a request needs it, and stays loaded.
public enum VisionModels {
  /// A network that finds people with COCO's 17 key points.
  public static var bodyPose: URL? {
    get { poses.url }
    set { poses.url = newValue }
  }

  /// A network that names what a picture shows.
  public static var imageClassification: URL? {
    get { classes.url }
    set { classes.url = newValue }
  }

  /// A network whose numbers tell how alike pictures are.
  public static var featurePrint: URL? {
    get { prints.url }
    set { prints.url = newValue }
  }

  /// A network that says of every pixel what it shows: it has a class "person", or two classes, of
  /// which the second is people.
  public static var personSegmentation: URL? {
    get { people.url }
    set { people.url = newValue }
  }

  /// A network that finds objects with masks.
  public static var instanceMasks: URL? {
    get { masks.url }
    set { masks.url = newValue }
  }

  // MARK: For requests

  package static let poses = ChosenModel("bodyPose", "body poses") {
    model throws(DetectionError) in try DetectObjectsRequest(model: model)
  }
  package static let classes = ChosenModel("imageClassification", "classes of pictures") {
    model throws(DetectionError) in try ClassifyImageRequest(model: model)
  }
  package static let prints = ChosenModel("featurePrint", "feature prints") {
    model throws(DetectionError) in try ImageEmbeddingRequest(model: model)
  }
  package static let people = ChosenModel("personSegmentation", "people's pixels") {
    model throws(DetectionError) in try SegmentImageRequest(model: model)
  }
  package static let masks = ChosenModel("instanceMasks", "objects with masks") {
    model throws(DetectionError) in try DetectObjectsRequest(model: model)
  }
}

/// A network that a program chooses, and the request that runs it.
package final class ChosenModel<Request: Sendable>: Sendable {
  private let name: String
  private let purpose: String
  private let make: @Sendable (Model) throws(DetectionError) -> Request
  private let state = Locked(State())

  private struct State {
    var url: URL?
    var request: Request?
  }

  fileprivate init(
    _ name: String, _ purpose: String,
    make: @escaping @Sendable (Model) throws(DetectionError) -> Request
  ) {
    (self.name, self.purpose, self.make) = (name, purpose, make)
  }

  fileprivate var url: URL? {
    get { state.withLock { $0.url } }
    set { state.withLock { $0 = State(url: newValue) } }
  }

  /// The request, whose network is loaded once.
  package func request() throws -> Request {
    try state.withLock { state in
      if let request = state.request { return request }
      guard let url = state.url else {
        throw VisionFailure(
          .dataUnavailable,
          "no network of \(purpose) comes with Fovea; set VisionModels.\(name) to the URL of one")
      }
      do {
        let made = try make(Model(contentsOf: url.path))
        state.request = made
        return made
      } catch {
        throw VisionFailure(.invalidModel, "VisionModels.\(name): \(error)")
      }
    }
  }
}
