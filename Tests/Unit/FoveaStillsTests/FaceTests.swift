// Fovea - tests of faces: finding them in every place and position, and their landmarks.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaGeometry
import FoveaImaging
import FoveaLibc
import FoveaStills
import FoveaTestSupport
import Testing

@Suite struct FaceTests {
  /// A drawn face: a red disk, a green eye at the left and a blue one at the right of its upright form.
  private struct DrawnFace {
    var x, y, radius: Double
    /// Clockwise, in radians.
    var roll = 0.0

    func place(_ right: Double, _ down: Double) -> (x: Double, y: Double) {
      (
        x + radius * (right * cos(roll) - down * sin(roll)),
        y + radius * (right * sin(roll) + down * cos(roll))
      )
    }
    var leftEye: (x: Double, y: Double) { place(-0.45, -0.5) }
    var rightEye: (x: Double, y: Double) { place(0.45, -0.5) }
  }

  /// Faces on black, every pixel the mean of 2 x 2 samples.
  private func picture(_ width: Int, _ height: Int, _ faces: [DrawnFace]) throws -> Image {
    var rgb = [UInt8](repeating: 0, count: 3 * width * height)
    func isIn(_ x: Double, _ y: Double, _ center: (x: Double, y: Double), _ radius: Double) -> Bool
    {
      (x - center.x) * (x - center.x) + (y - center.y) * (y - center.y) < radius * radius
    }
    for row in 0..<height {
      for column in 0..<width {
        var sums = [0, 0, 0]
        for sample in 0..<4 {
          let x = Double(column) + (Double(sample % 2) + 0.5) / 2
          let y = Double(row) + (Double(sample / 2) + 0.5) / 2
          for face in faces where isIn(x, y, (face.x, face.y), face.radius) {
            let eye = face.radius * 0.2
            let color = isIn(x, y, face.leftEye, eye) ? 1 : isIn(x, y, face.rightEye, eye) ? 2 : 0
            sums[color] += 255
          }
        }
        for color in 0..<3 { rgb[3 * (row * width + column) + color] = UInt8(sums[color] / 4) }
      }
    }
    return try Image(width: width, height: height, rgb: rgb)
  }

  private func request() throws -> DetectFaceRectanglesRequest {
    try DetectFaceRectanglesRequest(
      model: Model(bytes: DrawnFaceNetwork.detector(), name: "drawn.onnx"))
  }

  private func expect(
    _ found: NormalizedPoint?, near place: (x: Double, y: Double), in image: Image, within: Double
  ) throws {
    let size = ImageSize(width: image.width, height: image.height)
    let point = try #require(found).toImageCoordinates(size, origin: .upperLeft)
    #expect(hypot(point.x - place.x, point.y - place.y) < within)
  }

  @Test(arguments: [0, 20, 75, 140, 180, 270])
  func facesAreFoundInEveryPosition(_ degrees: Int) throws {
    let face = DrawnFace(x: 150, y: 90, radius: 40, roll: Double(degrees) * .pi / 180)
    let image = try picture(240, 200, [face])
    let found = try request().perform(on: image)
    #expect(found.count == 1)
    let first = try #require(found.first)
    try expect(first.points[.leftEye], near: face.leftEye, in: image, within: 1.5)
    try expect(first.points[.rightEye], near: face.rightEye, in: image, within: 1.5)
    try expect(first.boundingBox.center, near: (face.x, face.y), in: image, within: 1.5)
    #expect(abs(first.boundingBox.width * 240 - 80) < 3)
    #expect(abs(first.boundingBox.height * 200 - 80) < 3)
    // Vision counts counterclockwise.
    let turn = try #require(first.roll) + face.roll
    #expect(abs(atan2(sin(turn), cos(turn))) < 0.03)
  }

  @Test func smallFacesAreFoundInPartsOfThePicture() throws {
    let faces = [
      DrawnFace(x: 60, y: 70, radius: 15), DrawnFace(x: 340, y: 230, radius: 20, roll: -0.2),
    ]
    let image = try picture(400, 300, faces)
    let found = try request().perform(on: image)
    #expect(found.count == 2)
    for face in faces {
      let own = found.min {
        abs($0.boundingBox.midX * 400 - face.x) < abs($1.boundingBox.midX * 400 - face.x)
      }
      try expect(own?.points[.leftEye], near: face.leftEye, in: image, within: 1.5)
    }
  }

  @Test func regionsAndThresholdsAreKept() throws {
    let face = DrawnFace(x: 60, y: 70, radius: 30)
    let image = try picture(240, 200, [face])
    var request = try request()
    request.regionOfInterest = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1)
    #expect(try request.perform(on: image).isEmpty)
    request.regionOfInterest = NormalizedRect(x: 0, y: 0.25, width: 0.5, height: 0.75)
    let found = try request.perform(on: image)
    try expect(found.first?.boundingBox.center, near: (60, 70), in: image, within: 1.5)
    request.minimumConfidence = 1.5
    #expect(throws: StillError.self) { try request.perform(on: image) }
    request.minimumConfidence = 0.5
    request.minimumFaceSize = 0
    #expect(throws: StillError.self) { try request.perform(on: image) }
  }

  @Test func blackPicturesHaveNoFaces() throws {
    for (width, height) in [(1, 1), (1, 50), (300, 2), (64, 64)] {
      #expect(try request().perform(on: picture(width, height, [])).isEmpty)
    }
  }

  @Test func landmarksLieWhereTheNetworkSeesThem() throws {
    let face = DrawnFace(x: 120, y: 100, radius: 40, roll: 0.3)
    let image = try picture(240, 200, [face])
    let landmarks = try DetectFaceLandmarksRequest(
      faces: request(), model: Model(bytes: DrawnFaceNetwork.landmarks(), name: "mesh.onnx"))
    let found = try #require(try landmarks.perform(on: image).first)
    let parts = try #require(found.landmarks)
    #expect(abs(parts.confidence - 0.982) < 0.001)
    let size = ImageSize(width: 240, height: 200)
    let points = parts.allPoints.pointsInImageCoordinates(size, origin: .upperLeft)
    #expect(points.count == 468)
    for index in [0, 1, 33, 263, 467] {
      // The network sees a square of 1.5 times the face's side, turned with the face.
      let (x, y) = DrawnFaceNetwork.meshPoint(index)
      let place = face.place((x - 96) / 96 * 1.5, (y - 96) / 96 * 1.5)
      #expect(hypot(points[index].x - place.x, points[index].y - place.y) < 2.5)
    }
    for part in FaceLandmarks.Part.allCases { #expect(parts[part]?.points.isEmpty == false) }
    #expect(parts[.leftEye]?.pointsClassification == .closedPath)
    #expect(parts[.leftPupil]?.points.count == 1)
  }

  @Test func modelsOfAnotherKindAreRefused() throws {
    let mesh = try Model(bytes: DrawnFaceNetwork.landmarks(), name: "mesh.onnx")
    #expect {
      try DetectFaceRectanglesRequest(model: mesh)
    } throws: { "\($0)".contains("BlazeFace") }
    let faces = try Model(bytes: DrawnFaceNetwork.detector(), name: "drawn.onnx")
    #expect {
      try DetectFaceLandmarksRequest(faces: request(), model: faces)
    } throws: { "\($0)".contains("1404") }
  }
}
