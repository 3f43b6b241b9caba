// Fovea - the networks of requests that have one of their own on Apple's platforms.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaLibc
internal import FoveaRuntime
package import FoveaVision

/// The networks that a program chooses for requests that have one of their own on Apple's platforms.
///
///     VisionModels.bodyPose = URL(fileURLWithPath: "yolo11n-pose.mlpackage")
public enum VisionModels {
  private struct State {
    var bodyPose: URL?
    var loaded: (url: URL, request: DetectObjectsRequest)?
  }

  private static let state = Locked(State())

  /// A network that finds people with COCO's 17 key points.
  public static var bodyPose: URL? {
    get { state.withLock { $0.bodyPose } }
    set { state.withLock { $0 = State(bodyPose: newValue) } }
  }

  /// The request that finds people. Its network is loaded once.
  package static func bodies() throws -> DetectObjectsRequest {
    try state.withLock { state in
      guard let url = state.bodyPose else {
        throw VisionFailure(
          .dataUnavailable,
          "no network of body poses comes with Fovea; set VisionModels.bodyPose to the URL of one")
      }
      if let loaded = state.loaded, loaded.url == url { return loaded.request }
      do {
        let made = try DetectObjectsRequest(model: Model(contentsOf: url.path))
        state.loaded = (url, made)
        return made
      } catch {
        throw VisionFailure(.invalidModel, "VisionModels.bodyPose: \(error)")
      }
    }
  }
}
