// Fovea - tests of masks, key points and corners through the C interface.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import Fovea
import FoveaShapes
import FoveaTestSupport
import Foundation
import Testing

@Suite struct CObjectPartsTests {
  static let names = [
    "segment-yolo11-onnx", "pose-yolov8-two-numbers-onnx-letterbox", "obb-yolo11-onnx",
  ]

  @Test(.enabled(if: SharedData.isPresent), arguments: names)
  func objectsAreThoseOfSwift(_ name: String) throws {
    let folder = SharedData.url("tasks/\(name)").path
    var options = Model.Options()
    options.pictures = PictureInput()
    var request = try DetectObjectsRequest(
      model: Model(contentsOf: folder + "/model.onnx", options: options))
    request.minimumConfidence = 0.8
    let expected = try request.result(on: ImageFile(contentsOf: folder + "/input.png"))
    try #require(!expected.observations.isEmpty)
    let model = try made { fovea_model_open(folder + "/model.onnx", nil, $0, $1) }
    defer { fovea_model_close(model) }
    var looking = fovea_detect_options()
    fovea_detect_options_init(&looking, MemoryLayout<fovea_detect_options>.size)
    looking.confidence = Double(Float(0.8))
    let result = try made {
      fovea_detect_file(model, folder + "/input.png", &looking, $0, $1)
    }
    defer { fovea_result_free(result) }
    try #require(fovea_result_object_count(result) == expected.observations.count)
    for (index, wanted) in expected.observations.enumerated() {
      let object = try #require(fovea_result_object(result, index)).pointee
      try Self.compareMask(object, wanted.mask, result, index)
      Self.comparePoints(object, wanted, in: expected.imageSize)
    }
  }

  private static func compareMask(
    _ object: fovea_object, _ wanted: InstanceMask?, _ result: OpaquePointer, _ index: Int
  ) throws {
    guard let wanted else {
      #expect(object.mask == nil)
      #expect(fovea_result_mask_outlines(result, index, nil, 0) == 0)
      return
    }
    let mask = try #require(object.mask).pointee
    #expect(String(cString: mask.counts) == wanted.runLengths.text)
    #expect(Int(mask.area) == wanted.area)
    let (width, height) = (Int(mask.width), Int(mask.height))
    var pixels = [UInt8](repeating: 7, count: width * height)
    #expect(fovea_result_mask_pixels(result, index, &pixels, pixels.count, nil) == fovea_status_ok)
    let isEqual = (0..<height).allSatisfy { y in
      (0..<width).allSatisfy { x in
        (pixels[y * width + x] == 1) == wanted.contains(x: Int(mask.x) + x, y: Int(mask.y) + y)
      }
    }
    #expect(isEqual && pixels.count(where: { $0 == 1 }) == wanted.area)
    #expect(
      answer { fovea_result_mask_pixels(result, index, &pixels, pixels.count - 1, $0) }.status
        == fovea_status_buffer_too_small)
    var numbers = [Double](
      repeating: 0, count: fovea_result_mask_outlines(result, index, nil, 0))
    _ = fovea_result_mask_outlines(result, index, &numbers, numbers.count)
    let outlines = wanted.polygons.flatMap { [Double($0.count)] + $0.flatMap { [$0.x, $0.y] } }
    #expect(numbers == outlines)
  }

  private static func comparePoints(
    _ object: fovea_object, _ wanted: RecognizedObjectObservation, in size: ImageSize
  ) {
    #expect(object.keypoint_count == wanted.keypoints.count)
    for (place, point) in wanted.keypoints.enumerated() {
      let own = object.keypoints[place]
      let pixels = point.location.toImageCoordinates(size, origin: .upperLeft)
      #expect(own.x == pixels.x && own.y == pixels.y && own.confidence == point.confidence)
      #expect(String(cString: own.name) == point.name)
    }
    #expect((object.corners == nil) == (wanted.corners == nil))
    if let corners = wanted.corners {
      let place = corners.bottomRight.toImageCoordinates(size, origin: .upperLeft)
      #expect(object.corners[4] == place.x && object.corners[5] == place.y)
      #expect(object.rotation == wanted.rotation)
    } else {
      #expect(object.rotation.isNaN)
    }
  }

  @Test func masksAndPointsAreDrawn() throws {
    let image = try Image(width: 32, height: 24, rgb: [UInt8](repeating: 90, count: 2304))
    let runs = try #require(
      MaskRunLengths(imageSize: ImageSize(width: 32, height: 24), lengths: [100, 300, 368]))
    var labeled = LabeledBox(label: "", confidence: nil, boundingBox: .fullImage)
    labeled.mask = InstanceMask(runs)
    labeled.keypoints = [
      RecognizedPoint(name: "tip", location: NormalizedPoint(x: 0.5, y: 0.5), confidence: 1)
    ]
    let expected = try AnnotatedImage(image, boxes: [labeled]).rendered()
    let drawn: [UInt8] = try image.withPixels { span in
      try span.withUnsafeBufferPointer { buffer in
        var pixels = fovea_pixels()
        fovea_pixels_init(&pixels, MemoryLayout<fovea_pixels>.size)
        pixels.data = UnsafeRawPointer(buffer.baseAddress)
        (pixels.byte_count, pixels.width, pixels.height) = (buffer.count, 32, 24)
        let picture = try made { fovea_picture_copy(&pixels, 0, $0, $1) }
        defer { fovea_picture_close(picture) }
        return try Self.drawing(on: picture, runs.text)
      }
    }
    #expect(drawn == expected.withPixels { span in span.withUnsafeBufferPointer { Array($0) } })
  }

  private static func drawing(on picture: OpaquePointer, _ counts: String) throws -> [UInt8] {
    let point = fovea_keypoint(
      size: MemoryLayout<fovea_keypoint>.size, name: nil, x: 16, y: 12, confidence: 1, reserved: 0)
    let result = try counts.withCString { counts in
      try withUnsafePointer(to: point) { point in
        var box = fovea_box()
        (box.size, box.class_index, box.confidence) = (MemoryLayout<fovea_box>.size, -1, .nan)
        (box.width, box.height) = (32, 24)
        (box.mask_counts, box.keypoints, box.keypoint_count) = (counts, point, 1)
        // A program that is older than masks gives a smaller size.
        var older = box
        older.size = MemoryLayout<fovea_box>.offset(of: \.corners) ?? 0
        let plain = try made { fovea_picture_draw(picture, &older, 1, $0, $1) }
        fovea_picture_close(plain)
        let drawn = try made { fovea_picture_draw(picture, &box, 1, $0, $1) }
        box.mask_counts = UnsafePointer(strdup("6P"))
        #expect(
          failure { fovea_picture_draw(picture, &box, 1, $0, $1) }.status
            == fovea_status_invalid_argument)
        free(UnsafeMutablePointer(mutating: box.mask_counts))
        return drawn
      }
    }
    defer { fovea_picture_close(result) }
    let pixels = try #require(fovea_picture_pixels(result)).pointee
    return Array(UnsafeRawBufferPointer(start: pixels.data, count: pixels.byte_count))
  }
}
