// Fovea - a Core ML model with fewer bits for its weights.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaModelFormat
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite struct ModelQuantizerTests {
  private func convolutions(_ bytes: [UInt8]) throws -> [ConvolutionLayer] {
    try ModelDescription(bytes: bytes).stages.flatMap { stage -> [ConvolutionLayer] in
      guard case .neuralNetwork(let network) = stage.model.body else { return [] }
      return network.layers.compactMap { layer in
        if case .convolution(let parameters) = layer.kind { parameters } else { nil }
      }
    }
  }

  private func output(_ bytes: [UInt8]) throws -> [Float] {
    let model = try Model(bytes: bytes, name: "m", options: .init(backend: .reference))
    let session = try Session(model: model)
    var random = SplitMix(seed: 4)
    let pixels = (0..<16 * 16 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    try session.setInput("image", to: Tensor(shape: [16, 16, 3], uint8s: pixels))
    session.run()
    return try session.withOutput("z") { span in span.indices.map { span[$0] } }
  }

  /// Power of the difference over power of the values.
  private func noise(_ found: [Float], _ expected: [Float]) -> Double {
    let error = zip(found, expected).reduce(0.0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
    return error / expected.reduce(0.0) { $0 + Double($1) * Double($1) }
  }

  /// Least and greatest weight of a channel are codes 0 and 2^bits - 1; no weight is further than half
  /// a step away.
  @Test(arguments: [2, 4, 8]) func linearScalesFollowFromTheExtremesOfEachChannel(bits: Int) throws
  {
    let result = try ModelQuantizer(bytes: QuantizedFiles.pipeline()).quantize(
      QuantizationOptions(kind: .linear, bits: bits, groupedBits: bits))
    let weights = QuantizedFiles.weights(216, channels: 8, seed: 1)
    let first = try convolutions(result.bytes)[0]
    guard case .linear(bits, let scale, let bias) = first.weights.encoding else {
      Issue.record("\(first.weights.encodingName)")
      return
    }
    let decoded = try first.weights.decoded(first.weightLayout)
    for channel in 0..<8 {
      let values = weights[channel * 27..<(channel + 1) * 27]
      let step = (values.max()! - values.min()!) / Float((1 << bits) - 1)
      #expect(abs(scale[channel] - step) <= step * 1e-6)
      #expect(bias[channel] == values.min()!)
      for index in values.indices {
        #expect(abs(decoded[index] - weights[index]) <= step * 0.5001)
      }
    }
  }

  @Test func tablesWithoutMovedScalesAreTheOptimalOnesOfTheWeights() throws {
    // The last convolution has no normalization behind it.
    let result = try ModelQuantizer(bytes: QuantizedFiles.pipeline()).quantize(
      QuantizationOptions(bits: 3, groupedBits: 3, movesScales: false))
    let weights = QuantizedFiles.weights(72, channels: 8, seed: 2)
    guard case .lookupTable(3, let table) = try convolutions(result.bytes)[2].weights.encoding
    else {
      Issue.record("no table")
      return
    }
    #expect(table == OptimalTable.means(of: weights, count: 8))
    let last = try convolutions(result.bytes)[2]
    let decoded = try last.weights.decoded(last.weightLayout)
    for (weight, value) in zip(weights, decoded) {
      let nearest = table.map { abs($0 - weight) }.min()!
      #expect(abs(value - weight) == nearest)
    }
  }

  @Test func evenlySpacedTablesAreEvenlySpaced() throws {
    let result = try ModelQuantizer(bytes: QuantizedFiles.pipeline()).quantize(
      QuantizationOptions(kind: .linearTable, bits: 4, movesScales: false))
    guard case .lookupTable(4, let table) = try convolutions(result.bytes)[0].weights.encoding
    else {
      Issue.record("no table")
      return
    }
    let weights = QuantizedFiles.weights(216, channels: 8, seed: 1)
    #expect(table.first == weights.min() && table.last == weights.max())
    for index in 1..<16 {
      #expect(abs(table[index] - table[index - 1] - (table[15] - table[0]) / 15) < 1e-5)
    }
  }

  /// Moved scales leave the network the same function, and their channels of very different sizes share
  /// a table with less noise.
  @Test func movedScalesLessenTheNoise() throws {
    let bytes = QuantizedFiles.pipeline()
    let quantizer = try ModelQuantizer(bytes: bytes)
    let expected = try output(bytes)
    let options = QuantizationOptions(bits: 4, groupedBits: 8)
    var kept = options
    kept.movesScales = false
    let moved = try noise(output(quantizer.quantize(options).bytes), expected)
    #expect(moved < 0.02)
    #expect(try moved < noise(output(quantizer.quantize(kept).bytes), expected))
    // Nearly no loss is left with 8 bits: whatever was moved was moved back.
    let fine = try quantizer.quantize(QuantizationOptions(bits: 7, groupedBits: 7))
    #expect(try noise(output(fine.bytes), expected) < 1e-3)
  }

  @Test func smallLayersAndBiasesStayAsTheyAre() throws {
    let bytes = QuantizedFiles.pipeline()
    let result = try ModelQuantizer(bytes: bytes).quantize(QuantizationOptions(bits: 8))
    // A table of 256 entries takes more bytes than 72, 64 or 216 weights.
    #expect(result.layers.map(\.bits) == [nil, nil, nil])
    #expect(result.bytes == bytes)
    let coded = try ModelQuantizer(bytes: bytes).quantize(
      QuantizationOptions(bits: 4, groupedBits: 4, movesScales: false))
    #expect(coded.layers.map(\.bits) == [4, 4, 4])
    #expect(try convolutions(coded.bytes)[2].bias == convolutions(bytes)[2].bias)
  }

  @Test func theSameInputGivesTheSameFile() throws {
    let bytes = QuantizedFiles.pipeline()
    for kind in QuantizationOptions.Kind.allCases {
      let options = QuantizationOptions(kind: kind, bits: 4, groupedBits: 5)
      let first = try ModelQuantizer(bytes: bytes).quantize(options).bytes
      #expect(try ModelQuantizer(bytes: bytes).quantize(options).bytes == first)
    }
  }

  @Test func quantizedModelsAreRefused() throws {
    let once = try ModelQuantizer(bytes: QuantizedFiles.pipeline()).quantize(.init(bits: 4))
    #expect(throws: QuantizationError.alreadyQuantized(layer: "first")) {
      try ModelQuantizer(bytes: once.bytes)
    }
  }

  @Test func optionsOutOfRangeAreRefused() throws {
    let quantizer = try ModelQuantizer(bytes: QuantizedFiles.pipeline())
    for bits in [0, 9, -1] {
      #expect(throws: QuantizationError.self) { try quantizer.quantize(.init(bits: bits)) }
      #expect(throws: QuantizationError.self) { try quantizer.quantize(.init(groupedBits: bits)) }
    }
  }

  @Test func weightsThatTheDeviceTrainsAreRefused() throws {
    let layer = QuantizedFiles.layer(100, "c", "image", "z") { writer in
      writer.integer(1, 8)
      writer.integer(2, 3)
      writer.message(51) { _ in }
      writer.message(90) { weights in
        weights.floats(1, QuantizedFiles.weights(216, channels: 8, seed: 1))
        weights.integer(50, 1)
      }
    }
    let bytes = QuantizedFiles.model(
      version: 4, output: ModelBuilder.array("z", [8, 16, 16]), [layer])
    #expect(throws: QuantizationError.self) {
      try ModelQuantizer(bytes: bytes).quantize(.init(bits: 4))
    }
  }

  @Test func budgetsAreKeptAndUsed() throws {
    let bytes = QuantizedFiles.pipeline()
    let quantizer = try ModelQuantizer(bytes: bytes)
    var last = Double.infinity
    for budget in [bytes.count - 1000, bytes.count - 800, bytes.count - 500] {
      let result = try quantizer.quantize(QuantizationOptions(bits: 6, byteBudget: budget))
      #expect(result.bytes.count <= budget)
      let noise = result.layers.reduce(0) { $0 + $1.noise }
      #expect(noise < last)
      last = noise
    }
    #expect(throws: QuantizationError.self) {
      try quantizer.quantize(QuantizationOptions(byteBudget: 700))
    }
  }
}
