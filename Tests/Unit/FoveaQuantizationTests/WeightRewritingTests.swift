// Fovea - a Core ML file with other weights.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaQuantization
import FoveaTestSupport
import Testing

/// What is not named stays byte for byte; what is named is found again by the reader.
@Suite struct WeightRewritingTests {
  private let first = WeightAddress(path: [0], layer: 0, field: 90)

  private func layers(_ bytes: [UInt8]) throws -> [NeuralNetworkLayer] {
    guard case .pipeline(let pipeline) = try ModelDescription(bytes: bytes).body,
      case .neuralNetwork(let network) = pipeline.stages[0].model.body
    else { return [] }
    return network.layers
  }

  private func convolution(_ layer: NeuralNetworkLayer) throws -> ConvolutionLayer {
    guard case .convolution(let parameters) = layer.kind else {
      throw ModelFormatError(.invalidValue, found: "no convolution", expected: "one")
    }
    return parameters
  }

  @Test func withoutReplacementsTheFileStaysByteForByte() throws {
    let bytes = QuantizedFiles.pipeline()
    #expect(try WeightRewriter.rewrite(bytes, [:]) == bytes)
  }

  /// Writing the same floats again changes nothing but the place of an unknown field in the weights.
  @Test func theSameFloatsGiveTheSameModel() throws {
    let bytes = QuantizedFiles.pipeline()
    let weights = QuantizedFiles.weights(216, channels: 8, seed: 1)
    let output = try WeightRewriter.rewrite(bytes, [first: .float32(weights)])
    #expect(output == bytes)
  }

  @Test func unknownFieldsAndGroupsAreKept() throws {
    let bytes = QuantizedFiles.pipeline()
    let output = try WeightRewriter.rewrite(
      bytes,
      [
        first: .table(
          bits: 3, table: (0..<8).map(Float.init), codes: (0..<216).map { UInt8($0 % 8) })
      ])
    for text in [
      "a field of the model", "a field of the network", "a field of the pipeline",
      "a field of layer first", "a field of weights", "a field of layer norm", "what it is for",
    ] {
      let (before, after) = (count(of: text, in: bytes), count(of: text, in: output))
      #expect(before > 0 && before == after, "\(text)")
    }
    let group: [UInt8] = [0xF3, 0x04, 0x08, 0x05, 0xF4, 0x04]
    #expect(count(of: group, in: output) == 4)
    #expect(count(of: group, in: bytes) == 4)
  }

  @Test func codesRaiseTheVersionOnTheWayToThemOnly() throws {
    let table = WrittenWeights.table(
      bits: 1, table: [-1, 1], codes: (0..<216).map { UInt8($0 % 2) })
    for (before, after) in [(1, 3), (2, 3), (3, 3), (5, 5)] {
      let output = try WeightRewriter.rewrite(
        QuantizedFiles.pipeline(version: before), [first: table])
      let model = try ModelDescription(bytes: output)
      #expect(model.specificationVersion == after)
      #expect(model.stages[0].model.specificationVersion == after)
    }
    let floats = WrittenWeights.float32(QuantizedFiles.weights(216, channels: 8, seed: 9))
    let output = try WeightRewriter.rewrite(QuantizedFiles.pipeline(version: 1), [first: floats])
    #expect(try ModelDescription(bytes: output).specificationVersion == 1)
  }

  @Test(arguments: 1...8) func codesOfAnyBitsAreReadBack(bits: Int) throws {
    var random = SplitMix(seed: UInt64(bits))
    let codes = (0..<216).map { _ in UInt8.random(in: 0...UInt8((1 << bits) - 1), using: &random) }
    let table = (0..<1 << bits).map { Float($0) * 0.5 - 3 }
    let scale = (0..<8).map { 0.25 + Float($0) }
    let bias = (0..<8).map { -Float($0) }
    let tables = try WeightRewriter.rewrite(
      QuantizedFiles.pipeline(), [first: .table(bits: bits, table: table, codes: codes)])
    let fromTable = try convolution(try layers(tables)[0])
    #expect(
      try fromTable.weights.decoded(fromTable.weightLayout) == codes.map { table[Int($0)] })
    let linear = try WeightRewriter.rewrite(
      QuantizedFiles.pipeline(),
      [first: .linear(bits: bits, scale: scale, bias: bias, codes: codes)])
    let fromLinear = try convolution(try layers(linear)[0])
    let expected = codes.enumerated().map { Float($1) * scale[$0 / 27] + bias[$0 / 27] }
    #expect(try fromLinear.weights.decoded(fromLinear.weightLayout) == expected)
  }

  /// The standard library's own halves, for every exponent and for ties.
  @Test func halvesAreRoundedToNearestEven() throws {
    var random = SplitMix(seed: 5)
    var values: [Float] = [
      0, -0.0, 1, 65504, 65519, 0x1p-24, 0x1p-25, 0x1.8p-25, 2049, 2051, -1e-7,
    ]
    while values.count < 216 {
      let exponent = Int.random(in: -26...15, using: &random)
      values.append(
        Float(
          sign: .minus, exponent: exponent, significand: Float.random(in: 1..<2, using: &random)))
    }
    let output = try WeightRewriter.rewrite(QuantizedFiles.pipeline(), [first: .float16(values)])
    let parameters = try convolution(try layers(output)[0])
    let found = try parameters.weights.decoded(parameters.weightLayout)
    for (value, half) in zip(values, found) {
      #if !(os(macOS) && arch(x86_64))
        #expect(half.bitPattern == Float(Float16(value)).bitPattern, "\(value)")
      #endif
    }
  }

  /// A message in pieces means their concatenation, and so it is written.
  @Test func weightsInPiecesBecomeOne() throws {
    let layer = ProtobufWriter { writer in
      writer.string(1, "c")
      writer.string(2, "image")
      writer.string(3, "z")
      writer.message(100) { $0.integer(1, 1) }
      writer.message(100) { convolution in
        convolution.integer(2, 3)
        convolution.integers(20, [1, 1])
        convolution.message(50) { _ in }
        convolution.message(90) { $0.floats(1, [1]) }
        convolution.message(90) { $0.floats(1, [2, 3]) }
      }
    }.bytes
    let bytes = QuantizedFiles.model(
      version: 3, output: ModelBuilder.array("z", [1, 16, 16]), [layer])
    let address = WeightAddress(path: [], layer: 0, field: 90)
    let output = try WeightRewriter.rewrite(
      bytes, [address: .table(bits: 2, table: [9, 8, 7, 6], codes: [3, 0, 1])])
    guard case .neuralNetwork(let network) = try ModelDescription(bytes: output).body else {
      Issue.record("no network")
      return
    }
    let parameters = try convolution(network.layers[0])
    #expect(try parameters.weights.decoded(parameters.weightLayout) == [6, 9, 8])
    #expect(parameters.outputChannels == 1 && parameters.kernelChannels == 3)
  }

  @Test func addressesWithoutWeightsAreRefused() throws {
    for address in [
      WeightAddress(path: [0], layer: 9, field: 90), WeightAddress(path: [1], layer: 0, field: 90),
      WeightAddress(path: [], layer: 0, field: 90), WeightAddress(path: [0], layer: 0, field: 91),
    ] {
      #expect(throws: ModelFormatError.self) {
        try WeightRewriter.rewrite(QuantizedFiles.pipeline(), [address: .float32([1])])
      }
    }
  }

  /// No prefix of a file makes the writer do anything but refuse it or write a file.
  @Test func brokenFilesAreRefusedOrRewritten() throws {
    let bytes = QuantizedFiles.pipeline()
    for end in stride(from: 0, to: bytes.count, by: 7) {
      let prefix = Array(bytes[..<end])
      #expect(throws: QuantizationError.self) {
        _ = try ModelQuantizer(bytes: prefix).quantize(.init(bits: 4))
      }
    }
  }

  private func count(of text: String, in bytes: [UInt8]) -> Int {
    count(of: Array(text.utf8), in: bytes)
  }

  private func count(of needle: [UInt8], in bytes: [UInt8]) -> Int {
    guard bytes.count >= needle.count else { return 0 }
    return (0...bytes.count - needle.count).filter { bytes[$0...].starts(with: needle) }.count
  }
}
