// Fovea - the request to find the landmarks of faces.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
internal import FoveaLibc
public import FoveaRuntime

/// A request that finds the landmarks of faces with a network that you name: MediaPipe's face mesh of
/// 468 or 478 points (TensorFlow Lite).
///
///     let request = try DetectFaceLandmarksRequest(
///       faces: DetectFaceRectanglesRequest(model: faces), model: landmarks)
///     for face in try request.perform(on: photo) { print(face.landmarks?[.leftEye] ?? "none") }
public struct DetectFaceLandmarksRequest: StillRequest {
  /// The part of the upright image in which faces are looked for.
  public var regionOfInterest = NormalizedRect.fullImage

  /// The faces to look at; `nil` finds them first.
  public var inputFaceObservations: [FaceObservation]?

  /// The least confidence of the network that it sees a face, 0...1. A face below has no landmarks.
  public var minimumConfidence: Float = 0.5

  /// The request that finds faces.
  public var faces: DetectFaceRectanglesRequest

  private let network: ImageNetwork
  private let (meshOutput, scoreOutput): (Int, Int)

  /// The side of what the network sees, as a multiple of the longer side of a face's box.
  private static let surroundings = 1.5

  /// A request that finds faces with `faces`, and their landmarks with `model`.
  ///
  /// - Throws: `.unsuitableModel` for a model that does not place 468 or 478 points; `.detection`.
  public init(faces: DetectFaceRectanglesRequest, model: Model) throws(StillError) {
    self.faces = faces
    network = try ImageNetwork(model)
    let counts = network.outputs.map { $0.shape.reduce(1, *) }
    guard
      let mesh = counts.firstIndex(where: { count in FaceMesh.counts.contains { 3 * $0 == count } }
      ),
      let score = counts.firstIndex(of: 1)
    else {
      throw .unsuitableModel(
        "\(model.name): the model writes \(counts) numbers; expected a mesh of 1404 or 1434, and one "
          + "score")
    }
    (meshOutput, scoreOutput) = (mesh, score)
  }

  /// The faces in a picture with their landmarks, the surest first.
  ///
  /// - Throws: `.invalidRequest`, `.detection`.
  public func result(in picture: StillPicture) throws(StillError) -> [FaceObservation] {
    guard (0...1).contains(minimumConfidence) else {
      throw .invalidRequest("minimumConfidence is \(minimumConfidence); expected 0...1")
    }
    var request = faces
    request.regionOfInterest = regionOfInterest
    var found: [FaceObservation]
    if let given = inputFaceObservations {
      found = given
    } else {
      found = try request.result(in: picture)
    }
    for index in found.indices { try addLandmarks(to: &found[index], picture) }
    return found
  }

  private func addLandmarks(
    to face: inout FaceObservation, _ picture: StillPicture
  ) throws(StillError) {
    let size = network.inputSize
    let view = view(of: face, picture)
    guard let image = picture.rectified(view.quad, width: size.width, height: size.height),
      let map = PerspectiveMap(
        rectangle: Double(size.width), Double(size.height), to: view.quad.corners)
    else { return }
    let outputs = try network.run(image, .unit)
    let confidence = 1 / (1 + exp(-outputs[scoreOutput][0]))
    let mesh = outputs[meshOutput]
    guard confidence >= minimumConfidence, mesh.allSatisfy(\.isFinite) else { return }
    let points = (0..<mesh.count / 3).map { index in
      map(SIMD2(Double(mesh[3 * index]), Double(mesh[3 * index + 1])))
    }
    face.landmarks = FaceLandmarks(
      points.map { picture.point(at: $0) }, confidence: confidence, box: face.boundingBox)
    let turn = FaceTurn(mesh)
    (face.yaw, face.pitch) = (turn.yaw, turn.pitch)
  }

  /// What the network is shown of a face: upright, in the middle.
  private func view(of face: FaceObservation, _ picture: StillPicture) -> FaceView {
    let box = face.boundingBox.toImageCoordinates(picture.fullSize, origin: .upperLeft)
    let center = SIMD2(box.midX - Double(picture.place.x), box.midY - Double(picture.place.y))
    return FaceView(
      center: center, side: Self.surroundings * max(box.width, box.height),
      turn: -(face.roll ?? 0))
  }
}

/// How far a face is turned, by the depth of its mesh, which has the unit of its columns.
private struct FaceTurn {
  /// In radians; see `FaceObservation`.
  let yaw, pitch: Double

  init(_ mesh: [Float]) {
    func depth(from first: Int, to second: Int, along axis: Int) -> Double {
      let length = Double(mesh[3 * second + axis] - mesh[3 * first + axis])
      return atan2(Double(mesh[3 * second + 2] - mesh[3 * first + 2]), length)
    }
    // Depth grows away from the camera.
    yaw = -depth(from: FaceMesh.leftSide, to: FaceMesh.rightSide, along: 0)
    pitch = -depth(from: FaceMesh.top, to: FaceMesh.chin, along: 1)
  }
}

extension FaceLandmarks {
  /// The parts of a mesh whose points are fractions of the image.
  fileprivate init(_ mesh: [NormalizedPoint], confidence: Float, box: NormalizedRect) {
    let inBox = mesh.map { point in
      NormalizedPoint(x: (point.x - box.x) / box.width, y: (point.y - box.y) / box.height)
    }
    func region(_ points: [NormalizedPoint], _ classification: Region.Classification) -> Region {
      Region(points: points, pointsClassification: classification, box: box)
    }
    var parts: [Part: Region] = [:]
    for part in FaceMesh.parts {
      parts[part.name] = region(part.points.map { inBox[$0] }, part.classification)
    }
    for pupil in FaceMesh.pupils {
      let points = pupil.iris < inBox.count ? [pupil.iris] : pupil.eye
      let sum = points.reduce((0, 0)) { ($0.0 + inBox[$1].x, $0.1 + inBox[$1].y) }
      let count = Double(points.count)
      let middle = NormalizedPoint(x: sum.0 / count, y: sum.1 / count)
      parts[pupil.name] = region([middle], .disconnected)
    }
    self.init(confidence: confidence, allPoints: region(inBox, .disconnected), parts: parts)
  }
}
