// Fovea - tests of detections through the C interface.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct CDetectionTests {
  /// An object with its numbers, for comparisons to the last bit.
  struct Found: Equatable {
    var label: String
    var confidence: Float
    var box: [Double]
    var normalized: [Double]
  }

  static func objects(_ result: OpaquePointer) -> [Found] {
    (0..<fovea_result_object_count(result)).compactMap { index in
      guard let object = fovea_result_object(result, index)?.pointee else { return nil }
      let box = object.bounding_box
      return Found(
        label: String(cString: object.label), confidence: object.confidence,
        box: [object.x, object.y, object.width, object.height],
        normalized: [box.0, box.1, box.2, box.3])
    }
  }

  static func objects(_ result: DetectObjectsResult) -> [Found] {
    result.observations.map { object in
      let pixels = object.boundingBox.toImageCoordinates(result.imageSize, origin: .upperLeft)
      let box = object.boundingBox
      return Found(
        label: object.bestLabel?.identifier ?? "", confidence: object.topConfidence,
        box: [pixels.x, pixels.y, pixels.width, pixels.height],
        normalized: [box.x, box.y, box.width, box.height])
    }
  }

  static func request() throws -> DetectObjectsRequest {
    try DetectObjectsRequest(
      model: Model(bytes: ShapesDetector.modelBytes(), name: "shapes"))
  }

  static func image() throws -> Image {
    try Image(
      width: ShapesImage.width, height: ShapesImage.height, rgb: ShapesImage().pixels)
  }

  /// What Swift finds in the picture of squares.
  static func expected() throws -> [Found] {
    objects(try request().result(on: image()))
  }

  @Test func objectsAreThoseOfSwift() throws {
    let model = try openShapes()
    let result = try withShapes { pixels in
      try made { fovea_detect_pixels(model, &pixels, nil, $0, $1) }
    }
    let expected = try Self.expected()
    #expect(expected.count == ShapesImage().objects.count)
    #expect(Self.objects(result) == expected)
    // A result outlives its model.
    fovea_model_close(model)
    #expect(Self.objects(result) == expected)
    fovea_result_free(result)
  }

  @Test func optionsAreThoseOfARequest() throws {
    let model = try openShapes()
    var request = try Self.request()
    request.minimumConfidence = 0.3
    request.iouThreshold = 0.2
    request.cropAndScaleAction = .scaleToFit
    request.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 1, height: 0.9)
    request.maximumObservations = 2
    request.allowedLabels = ["red square", "blue square"]
    let expected = Self.objects(try request.result(on: Self.image(), orientation: .down))
    #expect(!expected.isEmpty)
    let result = try "red square".withCString { red in
      try "blue square".withCString { blue in
        let labels: [UnsafePointer<CChar>?] = [red, blue]
        return try labels.withUnsafeBufferPointer { labels in
          var options = detectOptions {
            $0.confidence = Double(Float(0.3))
            $0.iou = 0.2
            $0.crop_and_scale = Int32(fovea_crop_and_scale_fit.rawValue)
            ($0.region_x, $0.region_y) = (0, 0.1)
            ($0.region_width, $0.region_height) = (1, 0.9)
            $0.maximum_count = 2
            ($0.labels, $0.label_count) = (labels.baseAddress, labels.count)
            $0.orientation = 3
          }
          return try withShapes { pixels in
            try made { fovea_detect_pixels(model, &pixels, &options, $0, $1) }
          }
        }
      }
    }
    let found = Self.objects(result)
    #expect(found.map(\.label) == expected.map(\.label))
    for (one, other) in zip(found, expected) {
      for (a, b) in zip(one.box, other.box) { #expect(abs(a - b) < 1e-6) }
    }
    let picture = try #require(fovea_result_picture(result)?.pointee)
    #expect([picture.width, picture.height] == [480, 360])
    #expect(picture.orientation == 3)
    #expect([picture.input_width, picture.input_height] == [160, 160])
  }

  @Test func filesAndBytesAndPixelsAgree() throws {
    let files = try CInterfaceFiles()
    defer { files.remove() }
    let model = try made { fovea_model_open(files.model, nil, $0, $1) }
    let fromFile = try made { fovea_detect_file(model, files.picture, nil, $0, $1) }
    let fromBytes = try made {
      fovea_detect_bytes(model, files.png, files.png.count, nil, $0, $1)
    }
    let fromPixels = try withShapes { pixels in
      try made { fovea_detect_pixels(model, &pixels, nil, $0, $1) }
    }
    let expected = Self.objects(fromFile)
    #expect(expected.count == ShapesImage().objects.count)
    #expect(Self.objects(fromBytes) == expected)
    #expect(Self.objects(fromPixels) == expected)
  }

  @Test func everyFormatIsReadWhereItLies() throws {
    let model = try openShapes()
    let image = ShapesImage()
    let expected = try Self.expected()
    // Rows of blue, green, red and a byte that counts for nothing, with a gap behind each.
    let rowBytes = 4 * ShapesImage.width + 24
    var bytes = [UInt8](repeating: 0x5A, count: rowBytes * ShapesImage.height)
    for row in 0..<ShapesImage.height {
      for column in 0..<ShapesImage.width {
        for channel in 0..<3 {
          bytes[row * rowBytes + 4 * column + 2 - channel] =
            image.pixels[(row * ShapesImage.width + column) * 3 + channel]
        }
      }
    }
    let result = try bytes.withUnsafeBytes { memory in
      try withShapes { pixels in
        pixels.format = Int32(fovea_pixel_format_bgra.rawValue)
        pixels.row_bytes = Int64(rowBytes)
        (pixels.data, pixels.byte_count) = (memory.baseAddress, memory.count)
        return try made { fovea_detect_pixels(model, &pixels, nil, $0, $1) }
      }
    }
    #expect(Self.objects(result) == expected)
  }

  @Test func manyThreadsUseOneModel() async throws {
    let address = UInt(bitPattern: try openShapes())
    let expected = try Self.expected()
    let answers = try await withThrowingTaskGroup(of: [[Found]].self) { group in
      for _ in 0..<3 {
        group.addTask {
          let model = OpaquePointer(bitPattern: address)
          return try (0..<2).map { _ in
            let result = try withShapes { pixels in
              try made { fovea_detect_pixels(model, &pixels, nil, $0, $1) }
            }
            defer { fovea_result_free(result) }
            return Self.objects(result)
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(answers.count == 6 && answers.allSatisfy { $0 == expected })
  }

  @Test func classifierNamesTheColor() throws {
    let bytes = ColorClassifier.bytes()
    let model = try made { fovea_model_open_bytes(bytes, bytes.count, nil, $0, $1) }
    #expect(fovea_model_get_info(model)?.pointee.classifies == 1)
    #expect(fovea_model_get_info(model)?.pointee.detects == 0)
    let request = try ClassifyImageRequest(model: Model(bytes: bytes, name: "colors"))
    let expected = try request.perform(on: Self.image())
    let result = try withShapes { pixels in
      try made { fovea_classify_pixels(model, &pixels, nil, $0, $1) }
    }
    let found = (0..<fovea_result_label_count(result)).compactMap {
      fovea_result_label(result, $0)?.pointee
    }
    #expect(found.map { String(cString: $0.name) } == expected.map(\.identifier))
    #expect(found.map(\.confidence) == expected.map(\.confidence))
  }

  @Test func modelsThatAreNoDetectorsAreNamed() throws {
    let files = try CInterfaceFiles()
    defer { files.remove() }
    let path = try files.folder.write("colors.mlmodel", ColorClassifier.bytes())
    let model = try made { fovea_model_open(path, nil, $0, $1) }
    let refused = failure { fovea_detect_file(model, files.picture, nil, $0, $1) }
    let error = #expect(throws: DetectionError.self) {
      try DetectObjectsRequest(model: Model(contentsOf: path))
    }
    #expect(refused.status == fovea_status_unsuitable_model)
    #expect(refused.message == error.map { "\(path): \($0)" })
    let shapes = try made { fovea_model_open(files.model, nil, $0, $1) }
    let other = failure { fovea_classify_file(shapes, files.picture, nil, $0, $1) }
    #expect(other.status == fovea_status_unsuitable_model)
    #expect(other.message?.hasPrefix(files.model + ": shapes is no classifier") == true)
  }
}

/// Files for tests of the C interface.
struct CInterfaceFiles {
  let folder: TemporaryFolder
  let model: String
  let picture: String
  let png = UncompressedPNG.encode(
    width: ShapesImage.width, height: ShapesImage.height, pixels: ShapesImage().pixels)

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("shapes.mlmodel", ShapesDetector.modelBytes())
    picture = try folder.write("shapes.png", png)
  }

  func remove() { folder.remove() }
}
