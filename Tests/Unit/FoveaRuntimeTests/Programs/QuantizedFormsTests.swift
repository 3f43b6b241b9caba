// Fovea - the places in which programs quantize: int8 gives what the reference gives.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Testing

/// A program of a few layers that writes "y" and may write more. Its scales are powers of two, so that
/// every number is exact in floats.
private struct QuantizedForm: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var outputs = ["y"]
  /// Operations that int8 has to have, or must not have.
  var with: [String] = []
  var without: [String] = []
  let write: @Sendable (inout QuantizedWriter) -> Void

  static let fine = IntegerCodes(scale: 1 / 32, zero: 7)
  static let middle = IntegerCodes(scale: 1 / 8, zero: -20)
  static let coarse = IntegerCodes(scale: 1 / 2, zero: 131, isSigned: false)

  /// 4 channels to 4.
  static func layer(_ seed: UInt64, isDepthwise: Bool = false) -> IntegerConvolution {
    var random = SplitMix(seed: seed)
    return IntegerConvolution(
      weights: (0..<(isDepthwise ? 36 : 144)).map { _ in Int.random(in: -128...127, using: &random)
      },
      scales: isDepthwise
        ? Array(repeating: 1 / 256, count: 4) : [1 / 256, 1 / 512, 1 / 256, 1 / 1024],
      bias: [0.5, -1, 0.25, 2], isDepthwise: isDepthwise)
  }

  static let all: [QuantizedForm] = [
    QuantizedForm(testDescription: "leaky bounds", without: ["unary"]) {
      $0.pair("x", middle, "in")
      $0.convolve("in", layer(1), "c")
      $0.writer.add("leaky_relu", ["x": .value("c"), "alpha": .float(0.25)], results: ["l"])
      $0.pair("l", middle, "y")
    },
    QuantizedForm(testDescription: "a function of codes", without: ["unary"]) {
      $0.pair("x", middle, "in")
      $0.convolve("in", layer(1), "c")
      $0.pair("c", coarse, "q")
      $0.writer.add("sigmoid", ["x": .value("q")], results: ["s"])
      $0.pair("s", IntegerCodes(scale: 1 / 256, zero: 0, isSigned: false), "y")
    },
    QuantizedForm(testDescription: "codes read twice", outputs: ["y", "z"]) {
      $0.pair("x", middle, "in")
      $0.convolve("in", layer(1), "c")
      $0.pair("c", coarse, "q")
      $0.pair("c", fine, "p")
      $0.dequantize("qq", middle, "r")
      $0.convolve("q", layer(2), "y")
      $0.writer.add("add", ["x": .value("p"), "y": .value("r")], results: ["z"])
    },
    QuantizedForm(testDescription: "an average of one meaning") {
      $0.pair("x", middle, "in")
      $0.convolve("in", layer(1), "c")
      $0.pair("c", coarse, "q")
      $0.pool("q", "avg_pool", size: 2, "a")
      $0.pair("a", coarse, "p")
      $0.convolve("p", layer(2), "y")
    },
    QuantizedForm(testDescription: "an average of another meaning") {
      $0.pair("x", coarse, "in")
      $0.pool("in", "avg_pool", size: 2, "a")
      $0.pair("a", middle, "p")
      $0.convolve("p", layer(2), "y")
    },
    QuantizedForm(testDescription: "parts of different meanings", outputs: ["y", "k"]) {
      $0.pair("x", coarse, "in")
      $0.convolve("in", layer(1), "c")
      $0.pair("c", coarse, "q")
      $0.pair("c", middle, "p")
      $0.concat(["q", "p", "in"], "k")
      $0.pair("k", fine, "y")
    },
    QuantizedForm(testDescription: "maxima and enlargement", with: ["pooling"]) {
      $0.pair("x", coarse, "in")
      $0.convolve("in", layer(1, isDepthwise: true), "c")
      $0.pair("c", coarse, "q")
      $0.pool("q", "max_pool", size: 3, "m")
      $0.writer.add(
        "upsample_nearest_neighbor",
        ["x": .value("m"), "scale_factor_height": .int(2), "scale_factor_width": .int(2)],
        results: ["u"])
      $0.pair("u", coarse, "p")
      $0.convolve("p", layer(2), "y")
    },
    QuantizedForm(testDescription: "steps too fine for sums") {
      $0.pair("x", coarse, "in")
      $0.convolve("in", layer(1), "c")
      $0.pair("c", IntegerCodes(scale: 1e-9, zero: 1), "y")
    },
    QuantizedForm(testDescription: "shapes between", without: ["unary"]) {
      $0.pair("x", middle, "in")
      $0.convolve("in", layer(1), "c")
      $0.pair("c", coarse, "q")
      $0.writer.add(
        "transpose", ["x": .value("q"), "perm": .ints([0, 1, 3, 2])], results: ["t"])
      $0.pair("t", coarse, "p")
      $0.convolve("p", layer(2), "y")
    },
  ]

  // MARK: Layers that the file does not quantize

  private static func convolveFloats(_ writer: inout QuantizedWriter, isDepthwise: Bool) {
    var random = SplitMix(seed: 6)
    let weights = (0..<(isDepthwise ? 36 : 144)).map { _ in
      Float.random(in: -0.4...0.4, using: &random)
    }
    writer.pair("x", middle, "in")
    writer.convolve(
      "in", weights: .constant(.floats(weights, [4, isDepthwise ? 1 : 4, 3, 3])),
      bias: [1, 2, 3, 4], groups: isDepthwise ? 4 : 1, "c")
    writer.pair("c", IntegerCodes(scale: 0.0611, zero: -7), "y")
  }

  static let rounded = [
    QuantizedForm(testDescription: "dense weights in floats") {
      convolveFloats(&$0, isDepthwise: false)
    },
    QuantizedForm(testDescription: "depthwise weights in floats") {
      convolveFloats(&$0, isDepthwise: true)
    },
    QuantizedForm(testDescription: "a layer that is not quantized") {
      $0.pair("x", middle, "in")
      $0.convolve("in", layer(1), "c")
      $0.convolve("c", layer(2), "d")
      $0.pair("d", IntegerCodes(scale: 0.0611, zero: -7), "y")
    },
  ]
}

@Suite struct QuantizedFormsTests {
  private func run(
    _ bytes: [UInt8], _ backend: BackendOptions, _ set: InstructionSet = .automatic
  ) throws -> (outputs: [[Float]], operations: [String]) {
    let options = Model.Options(backend: backend, instructionSet: set)
    let model = try Model(bytes: bytes, name: "m", options: options)
    let session = try Session(model: model)
    var random = SplitMix(seed: 5)
    let x = (0..<192).map { _ in Float(Int.random(in: -500...500, using: &random)) / 64 }
    try session.setInput("x", to: Tensor(shape: [1, 4, 6, 8], floats: x))
    session.run()
    let outputs = try model.outputs.map { try session.output($0.name).floats() }
    return (outputs, model.nodes.map(\.operation))
  }

  @Test(arguments: QuantizedForm.all)
  fileprivate func integersGiveTheReference(_ form: QuantizedForm) throws {
    var writer = QuantizedWriter()
    form.write(&writer)
    let bytes = writer.writer.model(outputs: form.outputs)
    let expected = try run(bytes, .reference).outputs
    #expect(expected[0].contains { $0 != expected[0][0] })
    let found = try run(bytes, .int8)
    #expect(found.outputs == expected)
    #expect(try run(bytes, .float).outputs == expected)
    for operation in form.with { #expect(found.operations.contains(operation)) }
    for operation in form.without {
      // The input is rounded by one.
      #expect(found.operations.filter { $0 == operation }.count <= 1, "\(found.operations)")
    }
  }

  /// Dense layers take weights of 16 bits, others of 8 bits; inputs of the frame have 8 bits. All of it
  /// in integers, so that all processors give the same bytes.
  @Test(arguments: zip(QuantizedForm.rounded, [(1, 0.01), (2, 0.5), (4, 1.2)]))
  fileprivate func integersComeNear(_ form: QuantizedForm, _ limits: (Int, Double)) throws {
    var writer = QuantizedWriter()
    form.write(&writer)
    let bytes = writer.writer.model()
    let expected = try run(bytes, .reference).outputs[0]
    var first: [Float]?
    for set in InstructionSet.allCases where set.isAvailable {
      let found = try run(bytes, .int8, set).outputs[0]
      let errors = zip(found, expected).map { Double(abs($0 - $1) / 0.0611) }
      let mean = errors.reduce(0, +) / Double(errors.count)
      #expect(errors.max() ?? 0 < Double(limits.0) + 0.01 && mean < limits.1, "mean \(mean)")
      #expect(found == first ?? found)
      first = found
    }
  }

  /// A table behind a convolution reads sums that are rounded once more: codes differ by one at most.
  @Test(arguments: ["silu", "sigmoid", "tanh", "softplus"], [false, true])
  func tablesMissByOneAtMost(_ function: String, isSigned: Bool) throws {
    let scale: Float = function == "silu" || function == "softplus" ? 0.0837 : 0.0119
    let result = IntegerCodes(scale: scale, zero: isSigned ? 5 : 90, isSigned: isSigned)
    var writer = QuantizedWriter()
    writer.pair("x", QuantizedForm.middle, "in")
    writer.convolve("in", QuantizedForm.layer(1), "c")
    writer.writer.add(function, ["x": .value("c")], results: ["s"])
    writer.pair("s", result, "y")
    let bytes = writer.writer.model()
    let expected = try run(bytes, .reference).outputs[0]
    let found = try run(bytes, .int8)
    let largest = zip(found.outputs[0], expected).map { abs($0 - $1) }.max() ?? .infinity
    #expect(largest <= 1.001 * scale, "\(largest / scale) codes")
    if function == "silu" { #expect(found.operations.filter { $0 == "unary" }.count == 1) }
  }
}
