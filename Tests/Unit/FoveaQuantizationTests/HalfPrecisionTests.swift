// Fovea - tests of models whose weights are halves.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite struct HalfPrecisionTests {
  private func layers(_ bytes: [UInt8]) throws -> [NeuralNetworkLayer] {
    try ModelDescription(bytes: bytes).stages.flatMap { stage -> [NeuralNetworkLayer] in
      if case .neuralNetwork(let network) = stage.model.body { network.layers } else { [] }
    }
  }

  private func arrays(_ kind: LayerKind) -> [WeightData] {
    switch kind {
    case .convolution(let layer): [layer.weights] + (layer.bias.map { [$0] } ?? [])
    case .batchNormalization(let layer):
      [layer.gamma, layer.beta] + [layer.mean, layer.variance].compactMap(\.self)
    case .loadConstant(let layer), .loadConstantND(let layer): [layer.data]
    default: []
    }
  }

  private func values(_ data: WeightData) throws -> [Float] {
    try data.decoded(WeightLayout(count: data.storedValueCount))
  }

  @Test func allArraysBecomeTheNearestHalves() throws {
    let bytes = QuantizedFiles.pipeline()
    let result = try ModelQuantizer(bytes: bytes).inHalfPrecision()
    let (before, after) = (try layers(bytes), try layers(result.bytes))
    let pairs = zip(before.flatMap { arrays($0.kind) }, after.flatMap { arrays($0.kind) })
    #expect(before.map(\.name) == after.map(\.name))
    #expect(Array(pairs).count == 9)
    for (old, new) in pairs {
      #expect(new.encoding == .float16)
      for (value, half) in zip(try values(old), try values(new)) {
        // 11 significant bits; none of these values is subnormal as a half.
        #expect((value - half).magnitude <= value.magnitude * 0x1p-11, "\(value)")
      }
    }
    #expect(try ModelDescription(bytes: result.bytes).specificationVersion == 2)
    #expect(result.layers.map(\.bits) == [16, 16, 16])
    #expect(result.layers.map(\.byteCount) == [432, 128, 144])
    #expect(result.layers.allSatisfy { $0.noise > 0 && $0.noise < 0x1p-22 })
  }

  @Test func halvesStayAsTheyAre() throws {
    let once = try ModelQuantizer(bytes: QuantizedFiles.pipeline()).inHalfPrecision().bytes
    let twice = try ModelQuantizer(bytes: once).inHalfPrecision()
    #expect(twice.bytes == once)
    #expect(twice.layers.map(\.bits) == [nil, nil, nil])
  }

  @Test func arraysThatAHalfCannotHoldStayFloats() throws {
    var weights = QuantizedFiles.weights(27, channels: 1, seed: 1)
    weights[5] = -65505
    let bytes = QuantizedFiles.model(
      version: 1, output: ModelBuilder.array("z", [1, 16, 16]),
      [
        QuantizedFiles.convolution(
          "first", "image", "z", inputs: 3, outputs: 1, weights: weights, bias: [65504])
      ])
    let result = try ModelQuantizer(bytes: bytes).inHalfPrecision()
    let found = try layers(result.bytes).flatMap { arrays($0.kind) }
    #expect(found.map(\.encoding) == [.float32, .float16])
    #expect(try found.map(values) == [weights, [65504]])
    #expect(result.layers.map(\.bits) == [nil])
  }

  /// Codes are made of halves as of floats; biases stay halves.
  @Test func halvesBecomeCodes() throws {
    let halves = try ModelQuantizer(bytes: QuantizedFiles.pipeline()).inHalfPrecision().bytes
    let result = try ModelQuantizer(bytes: halves).quantize(
      QuantizationOptions(kind: .linear, bits: 4, groupedBits: 4))
    for (old, new) in zip(try layers(halves), try layers(result.bytes)) {
      guard case .convolution(let before) = old.kind, case .convolution(let after) = new.kind
      else { continue }
      guard case .linear(4, let scale, _) = after.weights.encoding else {
        Issue.record("\(after.weights.encodingName)")
        return
      }
      #expect(after.bias == before.bias)
      let taps = before.weights.storedValueCount / before.outputChannels
      let pairs = zip(
        try before.weights.decoded(before.weightLayout),
        try after.weights.decoded(after.weightLayout))
      for (index, (weight, code)) in pairs.enumerated() {
        #expect((weight - code).magnitude <= scale[index / taps] * 0.5001)
      }
    }
  }

  /// coremltools wrote the same halves.
  @Test(.enabled(if: SharedData.isPresent)) func realModelsEqualThoseOfCoreMLTools() throws {
    let name = "yolo-fastest-1.1-xl"
    let float = try SharedData.bytes("models/\(name).mlmodel")
    let expected = try ModelDescription(bytes: SharedData.bytes("models/\(name)-FP16.mlmodel"))
    let found = try ModelDescription(bytes: ModelQuantizer(bytes: float).inHalfPrecision().bytes)
    #expect(found.body == expected.body)
  }
}
