// Fovea - requests that find faces, with models that users name.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaRuntime
internal import FoveaStills

/// A request that finds faces, with the model that the environment variable `FOVEA_FACE_MODEL`
/// names. Without it the request fails with `dataUnavailable`.
public final class VNDetectFaceRectanglesRequest: VNImageBasedRequest {
  public override class var supportedRevisions: IndexSet { IndexSet(1...3) }

  public var results: [VNFaceObservation]? { found as? [VNFaceObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = try FaceModels.shared.faces()
    request.regionOfInterest = try region()
    return try picture.handler().perform(request).map { VNFaceObservation($0) }
  }
}

/// A request that finds faces and their landmarks, with the models that the environment variables
/// `FOVEA_FACE_MODEL` and `FOVEA_FACE_LANDMARK_MODEL` name.
public final class VNDetectFaceLandmarksRequest: VNImageBasedRequest {
  /// The faces whose landmarks are wanted; `nil` for all that are found.
  public var inputFaceObservations: [VNFaceObservation]?

  public override class var supportedRevisions: IndexSet { IndexSet(1...3) }

  public var results: [VNFaceObservation]? { found as? [VNFaceObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = try FaceModels.shared.landmarks()
    request.regionOfInterest = try region()
    request.inputFaceObservations = inputFaceObservations?.map { face in
      let box = face.boundingBox
      var given = FoveaStills.FaceObservation(
        boundingBox: NormalizedRect(x: box.minX, y: box.minY, width: box.width, height: box.height))
      given.confidence = face.confidence
      given.roll = face.roll?.doubleValue
      return given
    }
    return try picture.handler().perform(request).map { VNFaceObservation($0) }
  }
}

/// The models of faces, which are no part of Fovea. Those that were used last stay loaded: one that
/// finds faces, and one for landmarks.
private final class FaceModels: Sendable {
  static let shared = FaceModels()

  private let loaded = Locked(Loaded())

  private struct Loaded {
    var faces: (path: String, request: FoveaStills.DetectFaceRectanglesRequest)?
    var landmarks: (path: String, request: FoveaStills.DetectFaceLandmarksRequest)?
  }

  func faces() throws -> FoveaStills.DetectFaceRectanglesRequest {
    let path = try Self.path("FOVEA_FACE_MODEL")
    return try loaded.withLock { try Self.faces(path, &$0) }
  }

  func landmarks() throws -> FoveaStills.DetectFaceLandmarksRequest {
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
  ) throws -> FoveaStills.DetectFaceRectanglesRequest {
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

extension VNFaceObservation {
  fileprivate convenience init(_ face: FoveaStills.FaceObservation) {
    let box = CGRect(face.boundingBox)
    self.init(
      box, confidence: face.confidence, roll: face.roll, yaw: face.yaw, pitch: face.pitch,
      landmarks: face.landmarks.map { VNFaceLandmarks2D($0, box: box) })
  }
}
