// Fovea - the request to find faces.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaRuntime

/// A request that finds faces with a network that you name: no weights for faces come with Fovea.
///
/// BlazeFace (short range, full range, back camera; TensorFlow Lite) and YuNet (ONNX) are known by the
/// shapes of their outputs. The article "Finding faces" says where such files come from.
///
///     let request = try DetectFaceRectanglesRequest(
///       model: Model(contentsOf: "face_detection_full_range.tflite"))
///     for face in try request.perform(on: ImageFile(contentsOf: "family.jpg")) { print(face) }
///
/// Faces are found in every position: where none is upright, the picture is turned.
public struct DetectFaceRectanglesRequest: StillRequest {
  /// The part of the upright image to look at.
  public var regionOfInterest = NormalizedRect.fullImage

  /// The least confidence of a face, 0...1.
  public var minimumConfidence: Float = 0.5

  /// The side of the smallest face to look for, as a part of the longer side of what is looked at,
  /// above 0 and at most 1. Time grows with the inverse square: the network sees the whole picture,
  /// then squares of half the side, and so on. The default takes two such steps.
  public var minimumFaceSize = 0.04

  private let detector: FaceDetector

  /// A request that finds faces with `model`.
  ///
  /// - Throws: `.unsuitableModel` for a model whose input or outputs are not those of a detector of
  ///   faces; `.detection`.
  public init(model: Model) throws(StillError) { detector = try FaceDetector(model) }

  /// The faces in a picture, the surest first.
  ///
  /// - Throws: `.invalidRequest`, `.detection`.
  public func result(in picture: StillPicture) throws(StillError) -> [FaceObservation] {
    guard (0...1).contains(minimumConfidence) else {
      throw .invalidRequest("minimumConfidence is \(minimumConfidence); expected 0...1")
    }
    guard minimumFaceSize > 0, minimumFaceSize <= 1 else {
      throw .invalidRequest(
        "minimumFaceSize is \(minimumFaceSize); expected a part of the longer side, above 0 and at "
          + "most 1")
    }
    let part = try picture.part(regionOfInterest)
    return try detector.faces(
      in: part, minimumScore: Double(minimumConfidence), smallest: minimumFaceSize
    ).map { observation($0, part) }
  }

  private func observation(_ face: FaceCandidate, _ picture: StillPicture) -> FaceObservation {
    let half = face.size / 2
    let box = picture.quadrilateral(
      PixelQuad(
        x: face.center.x - half.x, y: face.center.y - half.y, width: face.size.x,
        height: face.size.y)
    ).boundingBox
    var turn = -face.roll
    while turn > .pi { turn -= 2 * .pi }
    while turn <= -.pi { turn += 2 * .pi }
    let named = zip(detector.points, face.points.map { picture.point(at: $0) })
    return FaceObservation(
      boundingBox: box, confidence: Float(face.score), roll: turn,
      points: Dictionary(uniqueKeysWithValues: named))
  }
}
