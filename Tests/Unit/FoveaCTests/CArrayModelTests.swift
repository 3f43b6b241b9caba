// Fovea - tests of models that read arrays through the C interface.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import Fovea
import FoveaTestSupport
import Testing

/// A classifier that reads an array is given pictures to classify, and arrays to run.
@Suite struct CArrayModelTests {
  private static let (rows, columns) = (PictureNetworks.rows, PictureNetworks.columns)
  private static let pixels = (0..<rows * columns * 3).map {
    UInt8(truncatingIfNeeded: $0 * 71 + $0 / 9)
  }

  private static func options(
    _ change: (inout fovea_model_options) -> Void
  ) -> fovea_model_options {
    var options = fovea_model_options()
    fovea_model_options_init(&options, MemoryLayout<fovea_model_options>.size)
    change(&options)
    return options
  }

  private static let bytes = PictureNetworks.scores(hasSoftmax: true)

  private func open(
    _ change: (inout fovea_model_options) -> Void = { _ in }
  ) throws -> OpaquePointer {
    var options = Self.options(change)
    return try made {
      fovea_model_open_bytes(Self.bytes, Self.bytes.count, &options, $0, $1)
    }
  }

  /// The chances that a picture gives, by class.
  private func chances(_ model: OpaquePointer) throws -> [Float] {
    var pixels = fovea_pixels()
    fovea_pixels_init(&pixels, MemoryLayout<fovea_pixels>.size)
    pixels.width = Int64(Self.columns)
    pixels.height = Int64(Self.rows)
    var bytes = Self.pixels
    let result = try bytes.withUnsafeMutableBytes { memory in
      pixels.data = UnsafeRawPointer(memory.baseAddress)
      pixels.byte_count = memory.count
      return try made { fovea_classify_pixels(model, &pixels, nil, $0, $1) }
    }
    defer { fovea_result_free(result) }
    var chances = [Float](repeating: 0, count: 4)
    for index in 0..<fovea_result_label_count(result) {
      guard let label = fovea_result_label(result, index)?.pointee else { continue }
      chances[Int(label.class_index)] = label.confidence
    }
    return chances
  }

  /// The chances that the array of a picture gives.
  private func chances(
    _ model: OpaquePointer, ofArray scale: [Float], _ bias: [Float]
  ) throws -> [Float] {
    var floats: [Float] = []
    for channel in 0..<3 {
      floats += (0..<Self.rows * Self.columns).map {
        Float(Self.pixels[$0 * 3 + channel]) * scale[channel] + bias[channel]
      }
    }
    let shape = [1, 3, Int64(Self.rows), Int64(Self.columns)]
    let result = try floats.withUnsafeMutableBytes { memory in
      try shape.withUnsafeBufferPointer { shape in
        try "x".withCString { name in
          var array = fovea_array()
          array.size = MemoryLayout<fovea_array>.size
          array.name = name
          array.type = Int32(bitPattern: fovea_type_float32.rawValue)
          array.rank = 4
          array.shape = shape.baseAddress
          array.data = memory.baseAddress
          array.byte_count = memory.count
          return try made { fovea_model_run(model, &array, 1, $0, $1) }
        }
      }
    }
    defer { fovea_result_free(result) }
    #expect(fovea_result_array_count(result) == 1)
    let output = try #require(fovea_result_array(result, 0)?.pointee)
    let elements = try #require(output.data).assumingMemoryBound(to: Float.self)
    return (0..<4).map { elements[$0] }
  }

  @Test func picturesAndArraysGiveTheSame() throws {
    let model = try open()
    defer { fovea_model_close(model) }
    let info = try #require(fovea_model_get_info(model)?.pointee)
    #expect(info.classifies == 1 && info.detects == 0)
    #expect(info.width == Int64(Self.columns) && info.height == Int64(Self.rows))
    #expect(String(cString: info.picture_input) == "x")
    #expect(String(cString: info.picture_reason).contains("ImageNet"))
    #expect(info.color == Int32(bitPattern: fovea_color_rgb.rawValue))
    #expect(info.head == nil && info.head_reason == nil && info.left_out == nil)
    // What the file declares: an array.
    let input = try #require(fovea_model_input(model, 0)?.pointee)
    #expect(input.kind == Int32(bitPattern: fovea_kind_array.rawValue))
    #expect(input.run_type == Int32(bitPattern: fovea_type_float32.rawValue))
    #expect(
      (0..<Int(input.rank)).map { input.shape[$0] }
        == [1, 3, Int64(Self.rows), Int64(Self.columns)])
    let scale = [info.scale.0, info.scale.1, info.scale.2].map { Float($0) }
    let bias = [info.bias.0, info.bias.1, info.bias.2].map { Float($0) }
    let expected = try chances(model, ofArray: scale, bias)
    #expect(abs(expected.reduce(0, +) - 1) < 1e-5)
    let found = try chances(model)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 }, "\(found), \(expected)")
  }

  @Test func optionsNameOtherNumbers() throws {
    let model = try open {
      $0.scale = (0.01, 0.02, 0.03)
      $0.bias = (0, -1, 1)
    }
    defer { fovea_model_close(model) }
    let found = try chances(model)
    let expected = try chances(model, ofArray: [0.01, 0.02, 0.03], [0, -1, 1])
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 }, "\(found), \(expected)")
    for change: (inout fovea_model_options) -> Void in [
      { $0.scale = (1, 0, 1) }, { $0.scale = (1, 1, .nan) }, { $0.color = 4 },
      { $0.color = Int32(bitPattern: fovea_color_gray.rawValue) },
    ] {
      var options = Self.options(change)
      let failure = failure {
        fovea_model_open_bytes(Self.bytes, Self.bytes.count, &options, $0, $1)
      }
      #expect(failure.status == fovea_status_invalid_argument, "\(failure)")
    }
  }

  @Test func declaredOutputsMeanArrays() throws {
    let model = try open {
      $0.outputs = Int32(bitPattern: fovea_outputs_declared.rawValue)
    }
    defer { fovea_model_close(model) }
    let info = try #require(fovea_model_get_info(model)?.pointee)
    #expect(info.classifies == 0 && info.picture_input == nil)
    let scale = [Float](repeating: 1 / 255, count: 3)
    #expect(try chances(model, ofArray: scale, [0, 0, 0]).count == 4)
  }
}
