// Fovea - tests of pictures and descriptions through the C interface.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct CPictureTests {
  private static func bytes(_ picture: OpaquePointer) -> [UInt8] {
    guard let pixels = fovea_picture_pixels(picture)?.pointee else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: pixels.data, count: pixels.byte_count))
  }

  @Test func picturesAreUpright() throws {
    let png = try CInterfaceFiles()
    defer { png.remove() }
    let image = try CDetectionTests.image()
    let opened = try made { fovea_picture_open(png.picture, 0, $0, $1) }
    #expect(Self.bytes(opened) == image.rgb)
    let turned = try made { fovea_picture_decode(png.png, png.png.count, 6, $0, $1) }
    let upright = try Image(
      width: image.width, height: image.height, rgb: image.rgb, storedOrientation: 6
    ).upright()
    #expect(fovea_picture_pixels(turned)?.pointee.width == Int64(upright.width))
    #expect(Self.bytes(turned) == upright.rgb)
    let copied = try withShapes { pixels in
      pixels.format = Int32(fovea_pixel_format_bgr.rawValue)
      return try made { fovea_picture_copy(&pixels, 6, $0, $1) }
    }
    let exchanged = stride(from: 0, to: upright.rgb.count, by: 3).flatMap {
      upright.rgb[$0..<$0 + 3].reversed()
    }
    #expect(Self.bytes(copied) == exchanged)
    for picture in [opened, turned, copied] { fovea_picture_close(picture) }
    #expect(fovea_picture_pixels(opened) == nil)
    #expect(
      failure { fovea_picture_draw(opened, nil, 0, $0, $1) }.status == fovea_status_closed)
  }

  @Test func writtenPicturesAreReadAgain() throws {
    let files = try CInterfaceFiles()
    defer { files.remove() }
    let picture = try made { fovea_picture_open(files.picture, 0, $0, $1) }
    let path = files.folder.path("again.png")
    #expect(answer { fovea_picture_write(picture, path, fovea_file_format_png, 0, $0) }.isOK)
    #expect(try Image(contentsOf: path).rgb == CDetectionTests.image().rgb)
    var encoded: UnsafeMutableRawPointer?
    var count = 0
    #expect(
      answer {
        fovea_picture_encode(picture, fovea_file_format_jpeg, 90, &encoded, &count, $0)
      }.isOK)
    let bytes = [UInt8](UnsafeRawBufferPointer(start: encoded, count: count))
    fovea_free(encoded)
    #expect(bytes == (try CDetectionTests.image().jpegBytes(quality: 90)))
    let refused = answer {
      fovea_picture_encode(picture, fovea_file_format_jpeg, 0, &encoded, &count, $0)
    }
    #expect(refused.status == fovea_status_invalid_argument && encoded == nil && count == 0)
    let nowhere = answer {
      fovea_picture_write(picture, "/nowhere/x.png", fovea_file_format_png, 0, $0)
    }
    #expect(nowhere.status == fovea_status_file)
    #expect(nowhere.message?.hasPrefix("/nowhere/x.png: ") == true)
  }

  @Test func boxesAreDrawnAsTheDrawingModuleDraws() throws {
    let image = try CDetectionTests.image()
    let box = LabeledBox(
      label: "red square", classIndex: 0, confidence: 0.5,
      boundingBox: NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
    let expected = try AnnotatedImage(image, boxes: [box]).rendered()
    let picture = try withShapes { pixels in
      try made { fovea_picture_copy(&pixels, 0, $0, $1) }
    }
    let drawn = try "red square".withCString { label in
      var box = fovea_box()
      box.size = MemoryLayout<fovea_box>.size
      (box.label, box.class_index, box.confidence) = (label, 0, 0.5)
      (box.x, box.y, box.width, box.height) = (120, 90, 240, 90)
      let boxes = [box]
      return try made { fovea_picture_draw(picture, boxes, 1, $0, $1) }
    }
    #expect(Self.bytes(drawn) == expected.rgb)
    #expect(Self.bytes(picture) == image.rgb)
    try checkStyles(picture, image, box)
    var wrong = fovea_box()
    wrong.size = MemoryLayout<fovea_box>.size
    wrong.x = .nan
    let boxes = [wrong]
    #expect(
      failure { fovea_picture_draw(picture, boxes, 1, $0, $1) }.status
        == fovea_status_invalid_argument)
  }

  /// Lines and letters are as large as the caller says, and as fits without a word.
  private func checkStyles(
    _ picture: OpaquePointer, _ image: Image, _ labeled: LabeledBox
  ) throws {
    var box = fovea_box()
    box.size = MemoryLayout<fovea_box>.size
    (box.class_index, box.confidence) = (0, 0.5)
    (box.x, box.y, box.width, box.height) = (120, 90, 240, 90)
    let boxes = [box]
    var style = fovea_drawing_style(
      size: MemoryLayout<fovea_drawing_style>.size, line_width: 7, font_size: 0)
    let drawn = try made { fovea_picture_draw_styled(picture, boxes, 1, &style, $0, $1) }
    var expected = DrawingStyle(fitting: ImageSize(width: image.width, height: image.height))
    (expected.lineWidth, expected.casingWidth) = (7, 2.8)
    var unnamed = labeled
    unnamed.label = ""
    #expect(
      Self.bytes(drawn)
        == (try AnnotatedImage(image, boxes: [unnamed], style: expected).rendered()).rgb)
    style.font_size = -1
    let refused = failure { fovea_picture_draw_styled(picture, boxes, 1, &style, $0, $1) }
    #expect(refused.status == fovea_status_invalid_argument)
  }

  @Test func modelsDescribeThemselves() throws {
    let model = try openShapes { $0.threads = 2 }
    let info = try #require(fovea_model_get_info(model)?.pointee)
    #expect(String(cString: info.name) == "model" && String(cString: info.backend) == "float")
    #expect(info.detects == 1 && info.classifies == 0 && info.is_compiled == 0)
    #expect([info.width, info.height] == [160, 160] && info.threads == 2)
    #expect(info.label_count == 3 && info.file_bytes == ShapesDetector.modelBytes().count)
    #expect(info.session_bytes > 0 && info.function == nil && info.predicted_label == nil)
    let labels = (0..<3).compactMap { fovea_model_label(model, $0).map { String(cString: $0) } }
    #expect(labels == ShapesDetector.labels)
    let inputs = (0..<info.input_count).compactMap { fovea_model_input(model, $0)?.pointee }
    #expect(
      inputs.map { String(cString: $0.name) } == ["image", "iouThreshold", "confidenceThreshold"])
    #expect(inputs.map(\.is_optional) == [0, 1, 1])
    #expect(inputs[0].color == Int32(fovea_color_rgb.rawValue))
    #expect((0..<Int(inputs[0].rank)).map { inputs[0].shape[$0] } == [160, 160, 3])
    let outputs = (0..<info.output_count).compactMap { fovea_model_output(model, $0)?.pointee }
    #expect(outputs.map { String(cString: $0.name) } == ["confidence", "coordinates"])
    #expect(outputs.map { $0.shape[0] } == [-1, -1] && outputs.map { $0.shape[1] } == [3, 4])
    #expect(fovea_model_input(model, 3) == nil && fovea_model_output(model, 2) == nil)
  }

  @Test func theLibraryKnowsItsVersion() {
    let parts = String(cString: fovea_version_string()).split(separator: ".").map { UInt32($0) }
    #expect(
      parts == [
        UInt32(FOVEA_VERSION_MAJOR), UInt32(FOVEA_VERSION_MINOR), UInt32(FOVEA_VERSION_PATCH),
      ])
    #expect(
      fovea_version()
        == UInt32(FOVEA_VERSION_MAJOR * 1_000_000 + FOVEA_VERSION_MINOR * 1000)
        + UInt32(FOVEA_VERSION_PATCH))
    #expect(String(cString: fovea_status_name(fovea_status_closed)) == "closed")
    #expect(String(cString: fovea_status_name(fovea_status(4711))) == "unknown status")
  }
}
