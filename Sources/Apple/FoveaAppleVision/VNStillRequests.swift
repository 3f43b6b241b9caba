// Fovea - requests on still pictures: faces and rectangles.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaGeometry
internal import FoveaRuntime
internal import FoveaStills

/// A request that finds faces, with the model that the environment variable `FOVEA_FACE_MODEL`
/// names. Without it the request fails with `dataUnavailable`.
public final class VNDetectFaceRectanglesRequest: VNImageBasedRequest {
  public override class var supportedRevisions: IndexSet { IndexSet(1...3) }

  public var results: [VNFaceObservation]? { found as? [VNFaceObservation] }

  package override func observations(in picture: VisionPicture) throws -> [VNObservation] {
    var request = try FaceModels.faces()
    request.regionOfInterest = try region()
    return try picture.handler().perform(request).map { VNFaceObservation($0) }
  }
}

/// A request that finds faces and their landmarks, with the models that the environment variables
/// `FOVEA_FACE_MODEL` and `FOVEA_FACE_LANDMARK_MODEL` name.
public final class VNDetectFaceLandmarksRequest: VNImageBasedRequest {
  public override class var supportedRevisions: IndexSet { IndexSet(1...3) }

  public var results: [VNFaceObservation]? { found as? [VNFaceObservation] }

  package override func observations(in picture: VisionPicture) throws -> [VNObservation] {
    var request = try FaceModels.landmarks()
    request.regionOfInterest = try region()
    return try picture.handler().perform(request).map { VNFaceObservation($0) }
  }
}

/// The models of faces, which are no part of Fovea.
private enum FaceModels {
  static func faces() throws -> FoveaStills.DetectFaceRectanglesRequest {
    try DetectFaceRectanglesRequest(model: model("FOVEA_FACE_MODEL"))
  }

  static func landmarks() throws -> FoveaStills.DetectFaceLandmarksRequest {
    try DetectFaceLandmarksRequest(faces: faces(), model: model("FOVEA_FACE_LANDMARK_MODEL"))
  }

  private static func model(_ variable: String) throws -> Model {
    guard let path = ProcessInfo.processInfo.environment[variable] else {
      throw VisionFailure(
        .dataUnavailable,
        "no model of faces comes with Fovea; name one by the environment variable \(variable)")
    }
    do {
      return try Model(contentsOf: path)
    } catch {
      throw VisionFailure(.invalidModel, error.description)
    }
  }
}

extension VNFaceObservation {
  fileprivate convenience init(_ face: FaceObservation) {
    let box = CGRect(face.boundingBox)
    self.init(
      box, confidence: face.confidence, roll: face.roll, yaw: face.yaw, pitch: face.pitch,
      landmarks: face.landmarks.map { VNFaceLandmarks2D($0, box: box) })
  }
}

/// A request that finds rectangles. It fails with `unsupportedRequest`.
public final class VNDetectRectanglesRequest: VNImageBasedRequest {
  public var minimumAspectRatio: VNAspectRatio = 0.5
  public var maximumAspectRatio: VNAspectRatio = 1
  public var quadratureTolerance: VNDegrees = 30
  public var minimumSize: Float = 0.2
  public var minimumConfidence: VNConfidence = 0
  /// The most rectangles; 0 for all.
  public var maximumObservations = 1

  public var results: [VNRectangleObservation]? { found as? [VNRectangleObservation] }

  package override func observations(in picture: VisionPicture) throws -> [VNObservation] {
    throw VisionFailure(
      .unsupportedRequest, "rectangles are not looked for by this version of Fovea")
  }
}
