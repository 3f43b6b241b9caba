// Fovea - tests of running models on arrays through the C interface.
// SPDX-License-Identifier: Apache-2.0
import CFovea.Detect
import Fovea
import FoveaExampleModel
import FoveaTestSupport
import Testing

@Suite struct CRunTests {
  private static let side = ShapesDetector.inputSide

  /// A red square of 32 pixels around (80, 48) on black, with a fourth byte a pixel.
  private static func fourBytePixels() -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: side * side * 4)
    for row in 32..<64 {
      for column in 64..<96 { pixels[(row * side + column) * 4] = 220 }
    }
    return pixels
  }

  private static func expected(lastStage: Int? = nil) throws -> [String: Tensor] {
    var options = Model.Options()
    options.lastStage = lastStage
    let model = try Model(bytes: ShapesDetector.modelBytes(), name: "shapes", options: options)
    var rgb: [UInt8] = []
    let pixels = fourBytePixels()
    for index in 0..<side * side { rgb += pixels[4 * index..<4 * index + 3] }
    return try model.prediction(
      from: ["image": Tensor(shape: [side, side, 3], uint8s: rgb)],
      numbers: lastStage == nil ? ["iouThreshold": 0.3] : [:])
  }

  @Test func pipelineGivesWhatSwiftGives() throws {
    let model = try openShapes()
    var pixels = Self.fourBytePixels()
    var threshold = [Float(0.3)]
    let side = Int64(Self.side)
    let result = try withArray(
      "image", fovea_type_uint8, [side, side, 3], strides: [4 * side, 4, 1], &pixels
    ) { image in
      try withArray("iouThreshold", fovea_type_float32, [], &threshold) { number in
        let inputs = [image, number]
        return try made { fovea_model_run(model, inputs, inputs.count, $0, $1) }
      }
    }
    let expected = try Self.expected()
    #expect(fovea_result_array_count(result) == 2)
    for index in 0..<2 {
      let array = fovea_result_array(result, index)
      let name = String(cString: try #require(array?.pointee.name))
      let tensor = try #require(expected[name])
      #expect(name == ["confidence", "coordinates"][index])
      #expect(shape(array) == tensor.shape.map { Int64($0) })
      #expect(floats(array) == tensor.floats())
    }
    fovea_result_free(result)
  }

  @Test func outputsGoWhereTheCallerWants() throws {
    let model = try openShapes { $0.last_stage = 0 }
    let expected = try #require(try Self.expected(lastStage: 0)["raw_confidence"])
    let port = try #require(fovea_model_output(model, 0)?.pointee)
    #expect(String(cString: port.name) == "raw_confidence")
    let shape = (0..<Int(port.rank)).map { port.shape[$0] }
    #expect(shape == expected.shape.map { Int64($0) })
    var pixels = Self.fourBytePixels()
    let side = Int64(Self.side)
    var doubles = [Double](repeating: -1, count: expected.count)
    var bytes = [UInt8](repeating: 9, count: expected.count * 2)
    withArray(
      "image", fovea_type_uint8, [side, side, 3], strides: [4 * side, 4, 1], &pixels
    ) { image in
      let input = image
      withArray("raw_confidence", fovea_type_float64, shape, &doubles) { output in
        let output = output
        let run = answer { fovea_model_run_into(model, [input], 1, [output], 1, $0) }
        #expect(run.isOK)
      }
      // Every second byte, from behind.
      var strides = [Int64](repeating: 0, count: shape.count)
      var step: Int64 = -2
      for index in shape.indices.reversed() {
        strides[index] = step
        step *= shape[index]
      }
      withArray(
        "raw_confidence", fovea_type_uint8, shape, strides: strides, offset: bytes.count - 2, &bytes
      ) { output in
        let output = output
        #expect(answer { fovea_model_run_into(model, [input], 1, [output], 1, $0) }.isOK)
      }
    }
    #expect(doubles == expected.floats().map { Double($0) })
    let rounded = expected.floats().map { UInt8($0.rounded(.toNearestOrEven)) }
    #expect(stride(from: bytes.count - 2, through: 0, by: -2).map { bytes[$0] } == rounded)
    #expect(stride(from: 1, to: bytes.count, by: 2).allSatisfy { bytes[$0] == 9 })
  }

  // MARK: Types and shapes

  /// A network that gives what is above 0 of an array [rows, n], n from 1 to 5.
  private static func rectifier(rows: Int, columns: Int) -> [UInt8] {
    let input = ModelBuilder.feature("x") { type in
      type.message(5) { array in
        array.integers(1, [rows, columns])
        array.integer(2, 65_568)
        array.message(31) { ranges in
          for (lower, upper) in [(rows, rows), (1, 5)] {
            ranges.message(1) { range in
              range.integer(1, lower)
              range.integer(2, upper)
            }
          }
        }
      }
    }
    return ModelBuilder.model(
      inputs: [input], outputs: [ModelBuilder.array("y", [])], type: 500
    ) { network in
      network.data(1, ModelBuilder.layer(130) { $0.message(10) { _ in } })
      network.integer(5, 1)
    }
  }

  private static func openRectifier(rows: Int = 2, columns: Int = 3) throws -> OpaquePointer {
    let bytes = rectifier(rows: rows, columns: columns)
    return try made { fovea_model_open_bytes(bytes, bytes.count, nil, $0, $1) }
  }

  private static func run<Element: BitwiseCopyable>(
    _ model: OpaquePointer, _ type: fovea_type, _ elements: [Element], shape: [Int64] = [2, 3]
  ) throws -> [Float] {
    var elements = elements
    let result = try withArray("x", type, shape, &elements) { array in
      let input = array
      return try made { fovea_model_run(model, [input], 1, $0, $1) }
    }
    defer { fovea_result_free(result) }
    return floats(fovea_result_array(result, 0))
  }

  @Test func everyTypeBecomesFloat() throws {
    let model = try Self.openRectifier()
    let expected: [Float] = [0, 1, 0, 3, 0, 5]
    let values = [-7, 1, -2, 3, -4, 5]
    #expect(try Self.run(model, fovea_type_float32, values.map { Float($0) }) == expected)
    #expect(try Self.run(model, fovea_type_float64, values.map { Double($0) }) == expected)
    #expect(try Self.run(model, fovea_type_int8, values.map { Int8($0) }) == expected)
    #expect(try Self.run(model, fovea_type_int16, values.map { Int16($0) }) == expected)
    #expect(try Self.run(model, fovea_type_int32, values.map { Int32($0) }) == expected)
    #expect(try Self.run(model, fovea_type_int64, values.map { Int64($0) }) == expected)
    #expect(try Self.run(model, fovea_type_uint8, [UInt8]([0, 1, 0, 3, 0, 5])) == expected)
    // -7, 1, -2, 3, -4 and 5 as halves.
    let halves: [UInt16] = [0xC700, 0x3C00, 0xC000, 0x4200, 0xC400, 0x4500]
    #expect(try Self.run(model, fovea_type_float16, halves) == expected)
  }

  @Test func modelRunsAtTheShapesOfItsArrays() throws {
    let model = try Self.openRectifier()
    let input = try #require(fovea_model_input(model, 0)?.pointee)
    #expect(input.shapes == Int32(fovea_shapes_ranges.rawValue) && input.allowed_count == 2)
    #expect((0..<4).map { input.allowed[$0] } == [2, 1, 2, 5])
    for columns in [5, 1, 3, 2, 4, 5] {
      let values = (0..<2 * columns).map { Float($0) - 2 }
      let found = try Self.run(
        model, fovea_type_float32, values, shape: [2, Int64(columns)])
      #expect(found == values.map { max($0, 0) })
    }
    // Its own shape has one element, which any array of one fits.
    let one = try Self.openRectifier(rows: 1, columns: 1)
    for columns in [5, 1, 1, 4, 1, 5] {
      let values = (0..<columns).map { Float($0) - 2 }
      let found = try Self.run(one, fovea_type_float32, values, shape: [1, Int64(columns)])
      #expect(found == values.map { max($0, 0) })
    }
    var values = [Float](repeating: 1, count: 12)
    let refused = withArray("x", fovea_type_float32, [2, 6], &values) { array in
      let input = array
      return failure { fovea_model_run(model, [input], 1, $0, $1) }
    }
    #expect(refused.status == fovea_status_invalid_argument)
    #expect(refused.message?.contains("a shape of [2, 6] is not allowed") == true)
  }

  @Test func classifierGivesItsProbabilities() throws {
    let bytes = ColorClassifier.bytes()
    let model = try made { fovea_model_open_bytes(bytes, bytes.count, nil, $0, $1) }
    let outputs = (0..<2).compactMap { fovea_model_output(model, $0)?.pointee }
    #expect(outputs.map { String(cString: $0.name) } == ["label", "chances"])
    let kinds = [fovea_kind_string, fovea_kind_dictionary]
    #expect(outputs.map(\.kind) == kinds.map { Int32($0.rawValue) })
    #expect(outputs.map(\.run_type) == [0, Int32(fovea_type_float32.rawValue)])
    var pixels = [UInt8](repeating: 0, count: 48)
    for index in stride(from: 1, to: 48, by: 3) { pixels[index] = 255 }
    let result = try withArray("image", fovea_type_uint8, [4, 4, 3], &pixels) { array in
      let input = array
      return try made { fovea_model_run(model, [input], 1, $0, $1) }
    }
    let chances = floats(fovea_result_array(result, 0))
    #expect(chances.count == 3 && chances[1] == chances.max())
    #expect(String(cString: try #require(fovea_model_label(model, 1))) == "green")
    #expect(fovea_model_label(model, 3) == nil)
  }
}
