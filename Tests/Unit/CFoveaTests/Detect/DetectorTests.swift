// Fovea - tests of detectors in C: what a file says of them, and what they find.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct DetectorInCTests {
  /// The description of a compiled file, as `fovea compile` writes it.
  private struct Record {
    var tag: [UInt8] = [0x82, 0xA6, 0x1D]
    var version: UInt32 = 2
    var labelCount: UInt32?
    var thresholds = [0.25, 0.45, 0, 1]
    var isClassAgnostic: UInt32 = 0
    var maximumCount: UInt32 = 0
    var texts = ["confidence", "coordinates", "ant", "bee", "cat", "dog"]
    var cut = 0

    var bytes: [UInt8] {
      var content: [UInt8] = []
      func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { content += $0 }
      }
      append(version)
      append(labelCount ?? UInt32(texts.count - 2))
      for threshold in thresholds { append(threshold.bitPattern) }
      append(isClassAgnostic)
      append(maximumCount)
      for text in texts { content += Array(text.utf8) + [0] }
      return [0, 0, 0, 0] + tag + [UInt8(content.count)] + content.dropLast(cut)
    }
  }

  /// 12 boxes whose four numbers are four neighbors in a row of the image, in fractions of 255;
  /// their scores are the same numbers. With `logarithm` the scores are its logarithms.
  private final class Detector {
    let file: CompiledBytes
    private let model: OpaquePointer
    private let session: OpaquePointer
    let handle: OpaquePointer

    init(_ description: [UInt8], logarithm: Bool = false) throws {
      var graph: OpaquePointer?
      try #require(fov_graph_create(&graph) == .ok)
      var shape = fov_shape(sizes: [4, 4, 3])
      let image = try addedValue {
        fov_graph_add_input(graph!, "image", .uint8, &shape, $0, $1)
      }
      var pixels = fov_pixels()
      pixels.scale = 1 / 255
      let planes = try addedValue { fov_graph_add_pixels(graph!, &pixels, image, $0, $1) }
      var rows = fov_shape(sizes: [12, 4])
      let boxes = try addedValue { fov_graph_add_reshape(graph!, &rows, planes, $0, $1) }
      var function = fov_unary(
        function: logarithm ? .log : .abs, alpha: 0, beta: 0)
      let scores = try addedValue { fov_graph_add_unary(graph!, &function, boxes, $0, $1) }
      try check { fov_graph_mark_output(graph!, scores, "confidence", $0) }
      try check { fov_graph_mark_output(graph!, boxes, "coordinates", $0) }
      let options = fov_model_options_default()
      var made: OpaquePointer?
      try check { diagnostic in
        withUnsafePointer(to: options) { fov_model_create(graph!, $0, &made, diagnostic) }
      }
      file = try CompiledBytes(of: made!, description: description)
      fov_model_destroy(made)
      model = try file.load(options)
      var session: OpaquePointer?
      try #require(fov_session_create(model, nil, &session) == .ok)
      self.session = session!
      var handle: OpaquePointer?
      let bytes = file.bytes
      do {
        try check { fov_detector_create(session!, bytes.baseAddress!, bytes.count, &handle, $0) }
      } catch {
        fov_session_destroy(session)
        fov_model_destroy(model)
        throw error
      }
      self.handle = handle!
    }

    deinit {
      fov_detector_destroy(handle)
      fov_session_destroy(session)
      fov_model_destroy(model)
    }

    var labels: [String] {
      (0..<fov_detector_class_count(handle)).map {
        String(cString: fov_detector_label(handle, $0)!)
      }
    }

    struct Object: Equatable {
      var label: String
      var score: Float
      var box: [Double]
    }

    /// The objects in an image of 4 x 4 pixels whose red is `red` and whose other colors are 0.
    func detect(_ red: [UInt8], sampling: fov_image_sampling? = nil) throws -> [Object] {
      let rgb: [UInt8] = red.flatMap { [$0, 0, 0] as [UInt8] }
      var objects: UnsafePointer<fov_detection>?
      var count = 0
      try rgb.withUnsafeBufferPointer { rgb in
        var image = fov_image(rgb.baseAddress!, width: 4, height: 4)
        try check { diagnostic in
          guard var sampling else {
            return fov_detector_detect(handle, &image, nil, &objects, &count, diagnostic)
          }
          return fov_detector_detect(handle, &image, &sampling, &objects, &count, diagnostic)
        }
      }
      return (0..<count).map { index in
        let object = objects![index]
        return Object(
          label: String(cString: object.label), score: object.score,
          box: [object.x, object.y, object.width, object.height])
      }
    }
  }

  private func failure(_ body: () throws -> Void) throws -> CoreFailure {
    try #require(throws: CoreFailure.self) { try body() }
  }

  @Test func aFileSaysWhatItsDetectorIs() throws {
    var record = Record()
    record.thresholds = [0.5, 0.75, 0.125, 0.625]
    record.isClassAgnostic = 1
    record.maximumCount = 20
    let detector = try Detector(record.bytes + [8, 9])
    #expect(detector.labels == ["ant", "bee", "cat", "dog"])
    #expect(fov_detector_label(detector.handle, 4) == nil)
    let settings = fov_detector_settings(detector.handle)
    #expect(settings.confidence_threshold == 0.5 && settings.iou_threshold == 0.75)
    #expect(settings.soft_suppression == 0.125 && settings.box_voting_threshold == 0.625)
    #expect(settings.class_agnostic && settings.maximum_count == 20)
  }

  @Test func classesWithoutLabelsAreNumbered() throws {
    var record = Record()
    record.texts.removeLast(4)
    #expect(try Detector(record.bytes).labels == ["class 0", "class 1", "class 2", "class 3"])
  }

  @Test func objectsAreFound() throws {
    let detector = try Detector(Record().bytes)
    // Rows of the image: center x, center y, width, height, and the scores of four classes.
    let red: [UInt8] =
      [51, 102, 204, 153] + [51, 102, 204, 151] + [255, 51, 0, 51] + [9, 9, 9, 9]
    let objects = try detector.detect(red)
    #expect(objects.map(\.label) == ["ant", "cat"])
    try #require(objects.count == 2)
    #expect(objects[0].score == 1 && objects[1].score == Float(204) * (1 / 255))
    // 0.2, 0.4, 0.8 and 0.6 of 4 pixels each.
    for (found, expected) in zip(objects[1].box, [-0.8, 0.4, 3.2, 2.4]) {
      #expect(abs(found - expected) < 1e-6)
    }
  }

  @Test func settingsChangeWhatIsFound() throws {
    let detector = try Detector(Record().bytes)
    let red: [UInt8] =
      [51, 102, 204, 153] + [51, 102, 203, 153] + [255, 51, 0, 51] + [9, 9, 9, 9]
    var settings = fov_detector_settings(detector.handle)
    settings.iou_threshold = 1
    try check { fov_detector_set_settings(detector.handle, &settings, $0) }
    #expect(try detector.detect(red).map(\.label) == ["ant", "cat", "cat"])
    settings.maximum_count = 2
    try check { fov_detector_set_settings(detector.handle, &settings, $0) }
    #expect(try detector.detect(red).map(\.label) == ["ant", "cat"])
    settings.confidence_threshold = 0.9
    try check { fov_detector_set_settings(detector.handle, &settings, $0) }
    #expect(try detector.detect(red).map(\.label) == ["ant"])
    for wrong in [-0.1, 1.1, .nan, .infinity] {
      settings.iou_threshold = wrong
      let failure = try failure {
        try check { fov_detector_set_settings(detector.handle, &settings, $0) }
      }
      #expect(failure.status == .invalid_argument)
      #expect(failure.message.contains("IoU threshold"))
    }
    #expect(fov_detector_settings(detector.handle).iou_threshold == 1)
  }

  /// An input that sees the left half of the image, mirrored.
  @Test func boxesLieOnTheImage() throws {
    let detector = try Detector(Record().bytes)
    var sampling = fov_image_sampling()
    sampling.map = fov_affine_map(a: -0.5, b: 0, c: 0, d: 1, tx: 2, ty: 0)
    sampling.source_columns = fov_pixel_range(begin: 0, end: 2)
    sampling.source_rows = fov_pixel_range(begin: 0, end: 4)
    (sampling.width, sampling.height, sampling.channels) = (4, 4, 3)
    sampling.content_columns = fov_pixel_range(begin: 0, end: 4)
    sampling.content_rows = fov_pixel_range(begin: 0, end: 4)
    let objects = try detector.detect([UInt8](repeating: 204, count: 16), sampling: sampling)
    let object = try #require(objects.first)
    // The center at 0.8 of the input is the column 2 - 0.8 * 2; it is 0.8 * 2 wide.
    let box = [0.4 - 0.8, 3.2 - 1.6, 1.6, 3.2] as [Double]
    for (found, expected) in zip(object.box, box) {
      #expect(abs(found - expected) < 1e-6)
    }
    sampling.width = 3
    #expect(
      try failure { _ = try detector.detect([UInt8](repeating: 0, count: 16), sampling: sampling) }
        .status == .invalid_argument)
  }

  @Test func numbersThatAreNotFiniteAreRefused() throws {
    let detector = try Detector(Record().bytes, logarithm: true)
    let failure = try failure { _ = try detector.detect([UInt8](repeating: 0, count: 16)) }
    #expect(failure.status == .invalid_output)
    #expect(failure.message.contains("scores of box 0"))
  }

  private static let damages: [(fov_status, String, @Sendable (inout Record) -> Void)] = [
    (.unsupported, "does not describe", { $0.tag[1] = 0xA7 }),
    (.invalid_file, "version 3", { $0.version = 3 }),
    (.invalid_file, "confidence threshold", { $0.thresholds[0] = .nan }),
    (.invalid_file, "box voting", { $0.thresholds[3] = 1.5 }),
    (.invalid_file, "outside its range", { $0.isClassAgnostic = 2 }),
    (.invalid_file, "number of labels", { $0.labelCount = 3 }),
    (.invalid_file, "number of labels", { $0.labelCount = .max }),
    (.invalid_file, "3 labels for 4 classes", { $0.texts.removeLast() }),
    (.invalid_file, "cut off", { $0.cut = 1 }),
    (.unsupported, "no output 'scores'", { $0.texts[0] = "scores" }),
  ]

  @Test(arguments: damages.indices)
  func damagedDescriptionsAreRefused(_ index: Int) throws {
    let (status, part, damage) = Self.damages[index]
    var record = Record()
    damage(&record)
    let failure = try failure { _ = try Detector(record.bytes) }
    #expect(failure.status == status)
    #expect(failure.message.contains(part), "\(failure.message)")
  }

  @Test func everyPrefixIsRefused() throws {
    let bytes = Record().bytes
    for count in bytes.indices {
      let failure = try failure { _ = try Detector(Array(bytes[..<count])) }
      #expect(failure.status == (count < 7 ? .unsupported : .invalid_file), "\(count) bytes")
    }
  }
}
