// Fovea - int8 computes with the scales, zero points and weights of a file, to the code.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Testing

/// A program that reads "x" of [1, 4, 6, 8], quantized before and behind every layer:
///
///   x -> convolution, bounds -> depthwise convolution -> sum -> concatenation -> maxima
///
/// Its scales are coarse and fine without regard to what the values are, as no calibration would
/// choose them.
private struct QuantizedProgram: CustomTestStringConvertible, Sendable {
  var testDescription: String
  let input: IntegerCodes
  let first: IntegerCodes
  let second: IntegerCodes
  let sum: IntegerCodes
  /// What weights are multiplied by, before a factor for each channel.
  let weightScale: Float

  static let all = [
    // Sums lie in the middle of two codes often, and zero points are odd.
    QuantizedProgram(
      testDescription: "powers of two", input: .init(scale: 1 / 16, zero: 101, isSigned: false),
      first: .init(scale: 1 / 4, zero: -128), second: .init(scale: 1 / 2, zero: 3),
      sum: .init(scale: 1, zero: -7), weightScale: 1 / 128),
    // No sum of products of these is in the middle of two codes.
    QuantizedProgram(
      testDescription: "others", input: .init(scale: 0.04371293, zero: 101, isSigned: false),
      first: .init(scale: 0.11302947, zero: -128), second: .init(scale: 0.29138201, zero: 6),
      sum: .init(scale: 0.37009211, zero: 4), weightScale: 0.00713871),
    // The codes of the greatest values are far from the ends, or values are far beyond.
    QuantizedProgram(
      testDescription: "too coarse and too fine",
      input: .init(scale: 0.52391747, zero: 0), first: .init(scale: 0.01130177, zero: -100),
      second: .init(scale: 2.30917321, zero: 0), sum: .init(scale: 0.05077129, zero: 0),
      weightScale: 0.00522917),
  ]

  static let channels = 4, outputs = 6
  static let names = ["a", "b", "c", "d", "e"]

  /// Values on both sides of zero; half of them in the middle of two codes if scales are powers of
  /// two.
  static func numbers(seed: UInt64, within limit: Int = 200) -> [Float] {
    var random = SplitMix(seed: seed)
    return (0..<channels * 48).map { _ in Float(Int.random(in: -limit...limit, using: &random)) / 32
    }
  }

  // MARK: Layers

  private static func integers(_ count: Int, seed: UInt64) -> [Int] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in Int.random(in: -90...110, using: &random) }
  }

  var dense: IntegerConvolution {
    IntegerConvolution(
      weights: Self.integers(Self.outputs * Self.channels * 9, seed: 3),
      scales: (0..<Self.outputs).map { weightScale * [1, 0.5, 2, 1, 0.25, 4][$0] },
      bias: (0..<Self.outputs).map { Float($0 - 2) / 8 })
  }

  var depthwise: IntegerConvolution {
    IntegerConvolution(
      weights: Self.integers(Self.outputs * 9, seed: 4),
      scales: Array(repeating: weightScale, count: Self.outputs),
      bias: (0..<Self.outputs).map { Float(3 - $0) / 4 }, isDepthwise: true)
  }

  /// The images that the outputs a to e stand for, in whole numbers.
  func expected(_ numbers: [Float]) -> [IntegerImage] {
    let x = IntegerImage(
      codes: numbers.map { input.code(of: Double($0)) }, channels: Self.channels, rows: 6,
      columns: 8, meaning: input)
    let a = x.mapped(to: first, channels: Self.outputs) { max(dense.value(x, $0, $1, $2), 0) }
    let b = a.mapped(to: second) { depthwise.value(a, $0, $1, $2) }
    let c = a.mapped(to: sum) { channel, row, column in
      Double(a.code(channel, row, column) - first.zero) * Double(first.scale)
        + Double(b.code(channel, row, column) - second.zero) * Double(second.scale)
    }
    let d = IntegerImage(
      codes: c.codes + c.mapped(to: sum) { max(dense.value(x, $0, $1, $2), 0) }.codes,
      channels: 2 * Self.outputs, rows: 6, columns: 8, meaning: sum)
    var e = d
    for channel in 0..<d.channels {
      for row in 0..<6 {
        for column in 0..<8 {
          let near = (max(row - 1, 0)...min(row + 1, 5)).flatMap { y in
            (max(column - 1, 0)...min(column + 1, 7)).map { d.code(channel, y, $0) }
          }
          e.codes[(channel * 6 + row) * 8 + column] = near.max() ?? 0
        }
      }
    }
    return [a, b, c, d, e]
  }

  // MARK: The program

  var bytes: [UInt8] {
    var program = QuantizedWriter()
    program.pair("x", input, "in")
    for (layer, codes, result) in [("l1", first, "a"), ("l2", sum, "a2")] {
      program.convolve("in", dense, layer)
      program.writer.add("relu", ["x": .value(layer)], results: [layer + "r"])
      program.pair(layer + "r", codes, result)
    }
    program.convolve("a", depthwise, "l3")
    program.pair("l3", second, "b")
    program.writer.add("add", ["x": .value("a"), "y": .value("b")], results: ["l4"])
    program.pair("l4", sum, "c")
    program.concat(["c", "a2"], "l5")
    program.pair("l5", sum, "d")
    program.pool("d", "max_pool", size: 3, "l6")
    program.pair("l6", sum, "e")
    return program.writer.model(outputs: Self.names + ["eq"])
  }
}

@Suite struct FileScalesTests {
  private func outputs(_ model: Model, _ numbers: [Float]) throws -> [[Float]] {
    let session = try Session(model: model)
    try session.setInput("x", to: Tensor(shape: [1, 4, 6, 8], floats: numbers))
    session.run()
    return try (QuantizedProgram.names + ["eq"]).map { try session.output($0).floats() }
  }

  /// Ranges that fit other values.
  private func calibration(_ bytes: [UInt8]) throws -> ActivationRanges {
    var options = Model.Options(backend: .float)
    options.recordsRanges = true
    let session = try Session(model: Model(bytes: bytes, name: "m", options: options))
    try session.setInput(
      "x", to: Tensor(shape: [1, 4, 6, 8], floats: QuantizedProgram.numbers(seed: 9, within: 20)))
    session.run()
    return session.activationRanges()
  }

  private func check(_ found: [[Float]], _ expected: [IntegerImage], _ place: String) {
    for (index, image) in expected.enumerated() {
      let codes = found[index].map {
        Int(($0 / image.meaning.scale).rounded()) + image.meaning.zero
      }
      #expect(codes == image.codes, "\(place), \(QuantizedProgram.names[index])")
    }
    #expect(found[5] == expected[4].codes.map { Float($0) }, "\(place), codes")
  }

  @Test(arguments: QuantizedProgram.all)
  fileprivate func codesAreThoseOfTheFile(_ program: QuantizedProgram) throws {
    let bytes = program.bytes
    let numbers = QuantizedProgram.numbers(seed: 1)
    let expected = program.expected(numbers)
    for set in InstructionSet.allCases where set.isAvailable {
      for backend in [BackendOptions.int8, .int8(calibration: try calibration(bytes))] {
        let options = Model.Options(backend: backend, instructionSet: set)
        let found = try outputs(Model(bytes: bytes, name: "m", options: options), numbers)
        check(found, expected, "\(set), \(backend.int8?.calibration == nil ? "" : "calibrated")")
      }
    }
    check(
      try outputs(Model(bytes: bytes, name: "m", options: .init(backend: .reference)), numbers),
      expected, "reference")
  }

  /// All layers multiply the integers of the file: nothing but conversions is in floats.
  @Test(arguments: QuantizedProgram.all)
  fileprivate func layersAreIntegers(_ program: QuantizedProgram) throws {
    let model = try Model(bytes: program.bytes, name: "m", options: .init(backend: .int8))
    let floats = try Model(bytes: program.bytes, name: "m", options: .init(backend: .float))
    let kinds = model.nodes.map(\.operation)
    #expect(kinds.filter { $0 == "convolution" }.count == 3)
    #expect(kinds.filter { $0 == "quantize" }.count == 1, "\(kinds)")
    #expect(model.memory.weightBytes < floats.memory.weightBytes)
  }

  @Test(arguments: QuantizedProgram.all)
  fileprivate func compiledFilesKeepScales(_ program: QuantizedProgram) throws {
    let options = Model.Options(backend: .int8)
    let numbers = QuantizedProgram.numbers(seed: 2)
    let compiled = try Model(
      bytes: Model.compile(bytes: program.bytes, options: options), name: "m", options: .init())
    let found = try outputs(compiled, numbers)
    check(found, program.expected(numbers), "compiled")
    let original = try outputs(Model(bytes: program.bytes, name: "m", options: options), numbers)
    #expect(found.map { $0.map(\.bitPattern) } == original.map { $0.map(\.bitPattern) })
  }
}
