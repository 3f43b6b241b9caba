// Fovea - the models that find faces, which the environment names.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import FoveaLibc
internal import FoveaRuntime
package import FoveaStills

/// The models of faces, which are no part of Fovea. Those that were used last stay loaded: one that
/// finds faces, and one for landmarks.
package final class FaceModels: Sendable {
  package static let shared = FaceModels()

  private let loaded = Locked(Loaded())

  private struct Loaded {
    var faces: (path: String, request: DetectFaceRectanglesRequest)?
    var landmarks: (path: String, request: DetectFaceLandmarksRequest)?
  }

  /// A request that finds faces.
  package func faces() throws -> DetectFaceRectanglesRequest {
    let path = try Self.path("FOVEA_FACE_MODEL")
    return try loaded.withLock { try Self.faces(path, &$0) }
  }

  /// A request that finds landmarks.
  ///
  /// - Parameter faces: The faces to look at; `nil` finds them first.
  package func landmarks(of faces: [FaceObservation]?) throws -> DetectFaceLandmarksRequest {
    var request = try landmarks()
    request.inputFaceObservations = faces?.map { face in
      var given = FaceObservation(boundingBox: face.boundingBox)
      (given.confidence, given.roll) = (face.confidence, face.roll)
      return given
    }
    return request
  }

  private func landmarks() throws -> DetectFaceLandmarksRequest {
    let facePath = try Self.path("FOVEA_FACE_MODEL")
    let path = try Self.path("FOVEA_FACE_LANDMARK_MODEL")
    return try loaded.withLock { loaded in
      let faces = try Self.faces(facePath, &loaded)
      if let kept = loaded.landmarks, kept.path == facePath + "\0" + path { return kept.request }
      let made = try DetectFaceLandmarksRequest(faces: faces, model: Self.model(path))
      loaded.landmarks = (facePath + "\0" + path, made)
      return made
    }
  }

  private static func faces(
    _ path: String, _ loaded: inout Loaded
  ) throws -> DetectFaceRectanglesRequest {
    if let kept = loaded.faces, kept.path == path { return kept.request }
    let made = try DetectFaceRectanglesRequest(model: model(path))
    loaded.faces = (path, made)
    return made
  }

  private static func path(_ variable: String) throws -> String {
    guard let path = ProcessInfo.processInfo.environment[variable] else {
      throw VisionFailure(
        .dataUnavailable,
        "no model of faces comes with Fovea; name one by the environment variable \(variable)")
    }
    return path
  }

  private static func model(_ path: String) throws -> Model {
    do {
      return try Model(contentsOf: path)
    } catch {
      throw VisionFailure(.invalidModel, error.description)
    }
  }
}
