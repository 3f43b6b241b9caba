// Fovea - requests that find faces, with models that users name.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

/// A request that finds faces, with the model that the environment variable `FOVEA_FACE_MODEL`
/// names. Without it the request fails with `dataUnavailable`.
public final class VNDetectFaceRectanglesRequest: VNImageBasedRequest {
  public override class var supportedRevisions: IndexSet { IndexSet(1...3) }

  public var results: [VNFaceObservation]? { found as? [VNFaceObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    try picture.found(FaceModels.shared.faces(), in: regionOfInterest)
      .map { VNFaceObservation($0) }
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
    let request = try FaceModels.shared.landmarks(of: inputFaceObservations?.map(\.face))
    return try picture.found(request, in: regionOfInterest).map { VNFaceObservation($0) }
  }
}
