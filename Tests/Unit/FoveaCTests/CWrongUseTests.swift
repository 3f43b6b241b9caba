// Fovea - tests of wrong use of the C interface: a status and a message, never a crash.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct CWrongUseTests {
  // MARK: Handles

  @Test func closedAndWrongHandlesAreRefused() throws {
    let model = try openShapes()
    let result = try withShapes { pixels in
      try made { fovea_detect_pixels(model, &pixels, nil, $0, $1) }
    }
    fovea_model_close(model)
    fovea_model_close(model)
    // A result is no model, an address is neither, and nothing is NULL.
    for handle in [model, result, OpaquePointer(bitPattern: UInt.max), nil] {
      let refused = withShapes { pixels in
        failure { fovea_detect_pixels(handle, &pixels, nil, $0, $1) }
      }
      #expect(refused.status == fovea_status_closed)
      #expect(failure { fovea_model_run(handle, nil, 0, $0, $1) }.status == fovea_status_closed)
      #expect(fovea_model_get_info(handle) == nil && fovea_model_label(handle, 0) == nil)
      #expect(fovea_model_input(handle, 0) == nil && fovea_model_output(handle, 0) == nil)
      #expect(fovea_picture_pixels(handle) == nil)
      fovea_model_close(handle)
    }
    #expect(fovea_result_object_count(result) > 0)
    #expect(fovea_result_object(result, 1000) == nil && fovea_result_array(result, 0) == nil)
    fovea_result_free(result)
    fovea_result_free(result)
    #expect(fovea_result_object_count(result) == 0 && fovea_result_object(result, 0) == nil)
    #expect(fovea_result_picture(result) == nil && fovea_result_label(result, 0) == nil)
  }

  @Test func nothingToOpenIsRefused() {
    let refused = failure { fovea_model_open(nil, nil, $0, $1) }
    #expect(refused.status == fovea_status_invalid_argument)
    #expect(failure { fovea_model_open_bytes(nil, 3, nil, $0, $1) }.status == refused.status)
    #expect(
      failure { fovea_model_open_bytes(nil, 0, nil, $0, $1) }.status == fovea_status_invalid_model)
    #expect(failure { fovea_model_open_bytes([1], -1, nil, $0, $1) }.status == refused.status)
    #expect(answer { fovea_model_open("x", nil, nil, $0) }.status == refused.status)
    // Without a place for the message there is none.
    #expect(fovea_model_open("/nowhere", nil, nil, nil) == fovea_status_invalid_argument)
  }

  // MARK: Files

  @Test func filesThatAreNoModelsAreNamed() throws {
    let files = try CInterfaceFiles()
    defer { files.remove() }
    let text = try files.folder.write("notes.mlmodel", Array("Just some words.\n".utf8))
    let cases = [
      ("/nowhere/model.mlmodel", fovea_status_file), (files.folder.url.path, fovea_status_file),
      (text, fovea_status_invalid_model), (files.picture, fovea_status_invalid_model),
    ]
    for (path, status) in cases {
      let refused = failure { fovea_model_open(path, nil, $0, $1) }
      let error = #expect(throws: FoveaError.self) { try Model(contentsOf: path) }
      #expect(refused.status == status)
      #expect(refused.message == error?.message)
      #expect(refused.message?.hasPrefix(path + ": ") == true)
    }
  }

  @Test func filesThatAreNoPicturesAreNamed() throws {
    let files = try CInterfaceFiles()
    defer { files.remove() }
    let model = try openShapes()
    let text = try files.folder.write("notes.jpg", Array("Just some words.\n".utf8))
    let cut = try files.folder.write("cut.png", Array(files.png.prefix(files.png.count / 2)))
    let cases = [
      ("/nowhere/dog.jpg", fovea_status_file), (files.folder.url.path, fovea_status_file),
      (text, fovea_status_invalid_picture), (cut, fovea_status_invalid_picture),
      (files.model, fovea_status_invalid_picture),
    ]
    for (path, status) in cases {
      let refused = failure { fovea_detect_file(model, path, nil, $0, $1) }
      let error = #expect(throws: ImageError.self) { try Image(contentsOf: path) }
      #expect(refused.status == status)
      #expect(refused.message == error?.description)
      #expect(failure { fovea_classify_file(model, path, nil, $0, $1) }.message?.isEmpty == false)
      #expect(failure { fovea_picture_open(path, 0, $0, $1) }.status == status)
    }
    #expect(
      failure { fovea_detect_bytes(model, nil, 0, nil, $0, $1) }.status
        == fovea_status_invalid_picture)
  }

  @Test func hugePicturesAreRefusedBeforeTheyAreRead() throws {
    let model = try openShapes()
    // The header of a PNG of 100,000 x 100,000 pixels.
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    png += Array("IHDR".utf8) + [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0, 8, 2, 0, 0, 0]
    png += [UInt8](repeating: 0, count: 64)
    let refused = failure { fovea_detect_bytes(model, png, png.count, nil, $0, $1) }
    #expect(refused.status == fovea_status_invalid_picture)
    withShapes { pixels in
      (pixels.width, pixels.height) = (1 << 20, 1 << 20)
      let refused = failure { fovea_picture_copy(&pixels, 0, $0, $1) }
      #expect(refused.status == fovea_status_invalid_picture)
    }
  }

  // MARK: Pixels

  @Test func pixelsThatMakeNoSenseAreRefused() throws {
    let model = try openShapes()
    let changes: [((inout fovea_pixels) -> Void, fovea_status)] = [
      ({ $0.size = 4 }, fovea_status_invalid_argument),
      ({ $0.size = 1 << 40 }, fovea_status_invalid_argument),
      ({ $0.format = 7 }, fovea_status_invalid_argument),
      ({ $0.format = -1 }, fovea_status_invalid_argument),
      ({ $0.alpha = 2 }, fovea_status_invalid_argument),
      ({ $0.yuv = 9 }, fovea_status_invalid_argument),
      ({ $0.width = 0 }, fovea_status_invalid_argument),
      ({ $0.height = -1 }, fovea_status_invalid_argument),
      ({ $0.width = .max }, fovea_status_invalid_argument),
      ({ $0.row_bytes = 3 }, fovea_status_invalid_argument),
      ({ $0.row_bytes = -1440 }, fovea_status_invalid_argument),
      ({ $0.row_bytes = 1441 }, fovea_status_buffer_too_small),
      ({ $0.byte_count -= 1 }, fovea_status_buffer_too_small),
      ({ $0.byte_count = -1 }, fovea_status_invalid_argument),
      ({ $0.data = nil }, fovea_status_invalid_argument),
      ({ $0.format = 5 }, fovea_status_ok), ({ $0.format = 6 }, fovea_status_ok),
    ]
    for (index, (change, status)) in changes.enumerated() {
      withShapes { pixels in
        change(&pixels)
        var handle: OpaquePointer?
        let found = answer { fovea_detect_pixels(model, &pixels, nil, &handle, $0) }
        #expect(found.status == status, "change \(index): \(found.message ?? "")")
        let copied = answer { fovea_picture_copy(&pixels, 0, &handle, $0) }
        #expect((copied.status == fovea_status_ok) == (status == fovea_status_ok), "\(index)")
      }
    }
    #expect(failure { fovea_detect_pixels(model, nil, nil, $0, $1) }.message?.isEmpty == false)
  }

  // MARK: Options

  @Test func numbersAreSetByTheirNames() throws {
    let model = try openShapes()
    var names: [String] = []
    while let name = fovea_setting_name(names.count) { names.append(String(cString: name)) }
    #expect(names == ["confidence", "iou", "box_voting", "soft_suppression"])
    for (name, text) in [
      ("confidence", "the confidence threshold is 2.0"), ("iou", "the IoU threshold is 2.0"),
      ("box_voting", "the box voting threshold is 2.0"),
      ("soft_suppression", "the soft suppression is 2.0"),
      ("no_such_number", "there is no setting 'no_such_number'; expected one of confidence, iou"),
    ] {
      let refused = name.withCString { name in
        var setting = fovea_setting(name: name, value: 2)
        return withUnsafePointer(to: &setting) { setting in
          var options = detectOptions { ($0.settings, $0.setting_count) = (setting, 1) }
          return withShapes { pixels in
            failure { fovea_detect_pixels(model, &pixels, &options, $0, $1) }
          }
        }
      }
      #expect(refused.status == fovea_status_invalid_argument)
      #expect(refused.message?.contains(text) == true, "\(refused.message ?? "")")
    }
  }

  @Test func optionsOutsideTheirRangesAreRefused() throws {
    let model = try openShapes()
    let changes: [((inout fovea_detect_options) -> Void, String)] = [
      ({ $0.size = 8 }, "fovea_detect_options says that it has 8 bytes"),
      ({ $0.orientation = 9 }, "orientation is 9"), ({ $0.orientation = -1 }, "orientation is -1"),
      ({ $0.crop_and_scale = 5 }, "crop_and_scale is 5"), ({ $0.padding = 2 }, "padding is 2"),
      ({ $0.filter = -2 }, "filter is -2"), ({ $0.decode_full = 2 }, "decode_full is 2"),
      ({ $0.match_aspect = 3 }, "match_aspect is 3"),
      ({ $0.class_agnostic = 2 }, "class_agnostic is 2"),
      ({ $0.multi_label = 2 }, "multi_label is 2"),
      ({ $0.confidence = 1.5 }, "the confidence threshold is 1.5; it must be in 0...1"),
      ({ $0.iou = -0.5 }, "the IoU threshold is -0.5"),
      ({ $0.box_voting = .infinity }, "the box voting threshold"),
      ({ $0.soft_suppression = 2 }, "the soft suppression is 2.0"),
      ({ $0.region_width = 2 }, "region of interest"), ({ $0.region_x = .nan }, "region"),
      (
        {
          $0.label_count = 0; $0.labels = UnsafePointer(bitPattern: 8)
        }, "label_count is 0"
      ),
    ]
    for (change, text) in changes {
      var options = detectOptions(change)
      withShapes { pixels in
        let refused = failure { fovea_detect_pixels(model, &pixels, &options, $0, $1) }
        #expect(refused.status == fovea_status_invalid_argument, "\(text)")
        #expect(refused.message?.contains(text) == true, "\(refused.message ?? "")")
      }
    }
    let unknown = "cat".withCString { cat in
      let labels: [UnsafePointer<CChar>?] = [cat]
      return labels.withUnsafeBufferPointer { labels in
        var options = detectOptions { ($0.labels, $0.label_count) = (labels.baseAddress, 1) }
        return withShapes { pixels in
          failure { fovea_detect_pixels(model, &pixels, &options, $0, $1) }
        }
      }
    }
    #expect(
      unknown.message
        == "the model has no label 'cat'; it has red square, green square, blue square")
  }

  @Test func modelOptionsOutsideTheirRangesAreRefused() throws {
    let bytes = ShapesDetector.modelBytes()
    let changes: [((inout fovea_model_options) -> Void, String)] = [
      ({ $0.size = 0 }, "fovea_model_options says"), ({ $0.backend = 5 }, "backend is 5"),
      ({ $0.threads = -1 }, "threads is -1"), ({ $0.threads = 1025 }, "threads is 1025"),
      ({ $0.last_stage = 7 }, "there is no stage 7"), ({ $0.last_stage = -2 }, "last_stage is -2"),
      ({ $0.outputs = 2 }, "outputs is 2"), ({ $0.coded_weights = 2 }, "coded_weights is 2"),
      (
        {
          $0.coded_weights = 1; $0.backend = 4
        }, "coded_weights is for the backend float"
      ),
      ({ $0.width = 32 }, "the size is 32x0"),
      (
        {
          $0.width = 3; $0.height = 3
        }, "not allowed"
      ),
      ({ $0.maximum_session_bytes = 1 }, "1 are allowed"),
    ]
    for (change, text) in changes {
      var options = fovea_model_options()
      fovea_model_options_init(&options, MemoryLayout<fovea_model_options>.size)
      change(&options)
      let refused = failure { fovea_model_open_bytes(bytes, bytes.count, &options, $0, $1) }
      #expect(refused.message?.contains(text) == true, "\(text): \(refused.message ?? "")")
    }
  }

  @Test func structuresOfOtherVersionsAreUnderstood() throws {
    // A program that is newer than the library has members that are not known here.
    var memory = [UInt8](repeating: 0xFF, count: MemoryLayout<fovea_detect_options>.size + 40)
    try memory.withUnsafeMutableBytes { bytes in
      let options = try #require(bytes.baseAddress).assumingMemoryBound(
        to: fovea_detect_options.self)
      fovea_detect_options_init(options, bytes.count)
      #expect(options.pointee.size == bytes.count && options.pointee.class_agnostic == -1)
      #expect(bytes.suffix(40).allSatisfy { $0 == 0 })
      let model = try openShapes()
      let result = try withShapes { pixels in
        try made { fovea_detect_pixels(model, &pixels, options, $0, $1) }
      }
      #expect(fovea_result_object_count(result) == ShapesImage().objects.count)
    }
    // One that is older has room for fewer.
    var short = [UInt8](repeating: 0xAA, count: 64)
    short.withUnsafeMutableBytes { bytes in
      fovea_detect_options_init(
        bytes.baseAddress?.assumingMemoryBound(to: fovea_detect_options.self), 24)
      #expect(bytes[24...].allSatisfy { $0 == 0xAA })
    }
    fovea_detect_options_init(nil, 8)
  }
}
