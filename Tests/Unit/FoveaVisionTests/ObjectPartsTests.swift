// Fovea - tests of masks, key points and corners of objects.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct ObjectPartsTests {
  static let names = [
    "segment-yolo11-onnx", "segment-yolo11-coreml-half-double-size",
    "segment-yolo26-endtoend-coreml-letterbox", "segment-yolov8-coreml-nms-inside",
    "segment-yolact-onnx", "pose-yolo11-coreml-half", "pose-yolov8-two-numbers-onnx-letterbox",
    "pose-yolo26-endtoend-coreml", "pose-movenet-onnx", "obb-yolo11-onnx",
    "obb-yolo26-endtoend-onnx-stretched",
  ]

  @Test(arguments: names)
  func objectsAreThoseOfAnIndependentDecoding(_ name: String) throws {
    let example = try TaskCase.named(name)
    let result = try example.request(name)
      .result(on: ImageFile(contentsOf: example.path("input.png", of: name)))
    let expected = try #require(example.objects)
    let tolerances = try #require(example.tolerances)
    try #require(result.observations.count == expected.count)
    for (found, wanted) in zip(result.observations, expected) {
      try Self.compare(found, wanted, tolerances, in: result.imageSize)
    }
  }

  private static func compare(
    _ found: RecognizedObjectObservation, _ wanted: TaskCase.Object,
    _ tolerances: TaskCase.Tolerances, in size: ImageSize
  ) throws {
    let pixels = try #require(tolerances.pixels)
    if let index = wanted.class { #expect(found.bestLabel?.classIndex == index) }
    if let confidence = wanted.confidence, let tolerance = tolerances.confidence {
      #expect(abs(found.topConfidence - confidence) <= tolerance)
    }
    if let box = wanted.box {
      let own = found.boundingBox.toImageCoordinates(size, origin: .upperLeft)
      let edges = [own.x, own.y, own.x + own.width, own.y + own.height]
      #expect(zip(edges, box).allSatisfy { abs($0 - $1) <= pixels })
    }
    if let mask = wanted.mask {
      let own = try #require(found.mask)
      #expect(own.runLengths.overlap(with: mask) >= tolerances.mask_iou ?? 1)
      #expect(own.area == own.runLengths.area)
    }
    #expect(found.keypoints.count == wanted.keypoints?.count ?? 0)
    for (point, numbers) in zip(found.keypoints, wanted.keypoints ?? []) {
      let own = point.location.toImageCoordinates(size, origin: .upperLeft)
      #expect(abs(own.x - numbers[0]) <= pixels && abs(own.y - numbers[1]) <= pixels)
      let confidence = numbers.count > 2 ? numbers[2] : 1
      #expect(abs(Double(point.confidence) - confidence) <= tolerances.keypoint_confidence ?? 0)
    }
    try compareCorners(found, wanted, within: pixels, in: size)
  }

  /// Corners are given as (+, +), (+, -), (-, -) and (-, +) along the axes of the box.
  private static func compareCorners(
    _ found: RecognizedObjectObservation, _ wanted: TaskCase.Object, within pixels: Double,
    in size: ImageSize
  ) throws {
    guard let corners = wanted.corners else { return #expect(found.corners == nil) }
    let own = try #require(found.corners)
    for (corner, numbers) in zip(
      [own.bottomRight, own.topRight, own.topLeft, own.bottomLeft], corners)
    {
      let place = corner.toImageCoordinates(size, origin: .upperLeft)
      #expect(abs(place.x - numbers[0]) <= pixels && abs(place.y - numbers[1]) <= pixels)
    }
    #expect((found.rotation == nil) == (wanted.xywhr == nil))
    if let angle = wanted.xywhr?[4], let rotation = found.rotation {
      #expect(abs(rotation - angle) <= 1e-3)
    }
  }

  // MARK: Orientations

  /// The stored picture is turned so that the network sees the same pixels.
  @Test(arguments: ["segment-yolo11-onnx", "pose-yolo11-coreml-half", "obb-yolo11-onnx"])
  func orientationsGiveTheSameObjects(_ name: String) throws {
    let example = try TaskCase.named(name)
    let request = try example.request(name)
    let upright = try Image(contentsOf: example.path("input.png", of: name))
    let expected = try request.result(on: upright).observations
    try #require(!expected.isEmpty)
    for number in 2...8 {
      let orientation = try #require(ImageOrientation(rawValue: number))
      let result = try request.result(on: Self.stored(upright, as: orientation))
      try #require(result.observations.count == expected.count)
      for (found, wanted) in zip(result.observations, expected) {
        Self.expectSame(found, wanted, in: result.imageSize)
      }
    }
  }

  private static func expectSame(
    _ found: RecognizedObjectObservation, _ wanted: RecognizedObjectObservation,
    in size: ImageSize
  ) {
    if let mask = wanted.mask {
      #expect(found.mask?.runLengths.overlap(with: mask.runLengths) ?? 0 >= 0.97)
    }
    let places = { (object: RecognizedObjectObservation) in
      (object.keypoints.map(\.location)
        + (object.corners.map { [$0.topLeft, $0.topRight, $0.bottomRight, $0.bottomLeft] } ?? []))
        .map { $0.toImageCoordinates(size) }
    }
    for (own, other) in zip(places(found), places(wanted)) {
      #expect(abs(own.x - other.x) <= 0.5 && abs(own.y - other.y) <= 0.5)
    }
    #expect(found.keypoints.map(\.name) == wanted.keypoints.map(\.name))
    if let angle = wanted.rotation, let rotation = found.rotation {
      // Sides of a rectangle are turned by quarters.
      let quarters = (rotation - angle) * 2 / Double.pi
      #expect(abs(quarters - quarters.rounded()) < 0.01)
    }
  }

  /// An upright picture as a camera stores it that is held in some way.
  private static func stored(_ image: Image, as orientation: ImageOrientation) throws -> Image {
    let size = orientation.uprightSize(of: ImageSize(width: image.width, height: image.height))
    let geometry = try ImageGeometry(
      storedSize: size, orientation: orientation,
      modelSize: ImageSize(width: image.width, height: image.height))
    let map = geometry.map(from: .stored, to: .upright)
    let pixels = image.withPixels { pixels in pixels.withUnsafeBufferPointer { Array($0) } }
    var rgb: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = map(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let start = (Int(place.y) * image.width + Int(place.x)) * 3
        rgb += pixels[start..<start + 3]
      }
    }
    return try Image(
      width: size.width, height: size.height, rgb: rgb, storedOrientation: orientation.rawValue)
  }

  // MARK: Files without metadata

  @Test func keyPointsAreNoScoresUntilTheTaskIsNamed() throws {
    let name = "pose-without-metadata-onnx"
    let example = try TaskCase.named(name)
    let error = #expect(throws: (any Error).self) { try example.request(name) }
    let words = error.map { "\($0)" } ?? ""
    #expect(words.contains("--task pose") && words.contains("columns 6 to 15"))
    var options = Model.Options()
    options.task = .pose
    let request = try example.request(name, options: options)
    let found = try request.perform(on: ImageFile(contentsOf: example.path("input.png", of: name)))
    #expect(found.allSatisfy { $0.keypoints.count == 5 && $0.labels.count <= 2 })
    #expect(found.first?.keypoints.first?.name == "point 0")
  }

  // MARK: Kept scores

  @Test(arguments: ["segment-yolo11-onnx", "obb-yolo11-onnx"])
  func keptScoresGiveTheSameObjects(_ name: String) throws {
    let example = try TaskCase.named(name)
    var request = try example.request(name)
    request.retainsScores = true
    let result = try request.result(
      on: ImageFile(contentsOf: example.path("input.png", of: name)))
    let scores = try #require(result.scores)
    #expect(try request.observations(in: scores) == result.observations)
    // Objects whose mask is empty are candidates that stay, and no objects.
    let kept = try request.explanations(in: scores).count { explanation in
      if case .kept = explanation.outcome { true } else { false }
    }
    #expect(kept >= result.observations.count && kept <= result.observations.count + 2)
    let fallen = try request.explanations(in: scores).compactMap { explanation in
      if case .suppressed(let by, _) = explanation.outcome { by } else { nil }
    }
    #expect(fallen.allSatisfy { (1...kept).contains($0) })
  }
}
