// Fovea - codes and small weights of TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct TensorFlowLiteCodeTests {
  /// Rounds a number to a code; halves go to the even one.
  private static func code(
    _ number: Double, _ scale: Double, _ zero: Int, _ range: ClosedRange<Int>
  ) -> Int {
    let rounded = Int((number / scale).rounded(.toNearestOrEven)) + zero
    return min(max(rounded, range.lowerBound), range.upperBound)
  }

  private static let bytes = -128...127

  /// What the example `integers` gives, by sums of integers.
  private static func integers(_ codes: [Int]) -> [Float] {
    var hidden: [Int] = []
    for pixel in 0..<16 {
      for (output, scale) in [(0, 0.125), (1, 0.25)] {
        let weights = output == 0 ? [10, -20] : [30, 40]
        let sum = (0..<2).reduce(output == 0 ? 16 : -8) {
          $0 + weights[$1] * (codes[pixel * 2 + $1] + 3)
        }
        let number = min(max(Double(sum) * 0.5 * scale, 0), 6)
        hidden.append(code(number, 0.5, -128, bytes))
      }
    }
    var pooled: [Int] = []
    for place in 0..<8 {
      let (y, x, channel) = (place / 4, place / 2 % 2, place % 2)
      let sum = (0..<4).reduce(0) { sum, tap in
        let pixel = (2 * y + tap / 2) * 4 + 2 * x + tap % 2
        return sum + (tap * 2 + channel + 1) * (hidden[pixel * 2 + channel] + 128)
      }
      pooled.append(code(Double(sum) * 0.5 * (channel == 0 ? 0.5 : 0.25), 2, -100, bytes))
    }
    return (0..<3).map { output in
      let sum = (0..<8).reduce(0) {
        $0 + ((output * 8 + $1) * 5 - 60) * (pooled[$1] + 100)
      }
      return 4 * Float(code(Double(sum) * 2 * 0.0625, 4, 1, bytes) - 1)
    }
  }

  @Test func layersOfCodesGiveTheirIntegers() throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      var random = SplitMix(seed: seed)
      let codes = (0..<32).map { _ in Int.random(in: -20...20, using: &random) }
      let numbers = codes.map { 0.5 * Float($0 + 3) }
      let expected = Self.integers(codes)
      for backend in [BackendOptions.reference, .float, .int8] {
        #expect(try TensorFlowLiteExamples.integers.run(["x": numbers], backend) == expected)
      }
    }
  }

  /// Numbers beyond the codes are the greatest; a result has its own scale.
  @Test func unsignedCodesAreBounded() throws {
    let found = try TensorFlowLiteExamples.codes.run(["x": [-3.3, 1.3, 31.74, 500]])
    #expect(found == [0, 1.5, 31.5, 63.5])
  }

  /// Pairs that are added to a constant of codes with a zero point.
  @Test func constantsOfCodesAreNumbers() throws {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [4])
    let codes = file.constant(
      "c", [4], .uint8, bytes: [0, 100, 128, 255], codes: .init(0.5, 128))
    let y = file.tensor("y", [4])
    let numbers = file.tensor("n", [4])
    file.add(.dequantize, [codes], [numbers])
    file.add(.add, [x, numbers], [y])
    file.outputs = [y]
    #expect(try file.run(["x": [1, 1, 1, 1]]) == [-63, -13, 1, 64.5])
  }

  /// A border of the least code never is a maximum, so that it is left out; others are written.
  @Test(arguments: [(-128, false), (100, true)])
  func leastCodesAroundMaximaArePadding(_ code: Int, _ isWritten: Bool) throws {
    var file = TensorFlowLiteWriter()
    let codes = TensorFlowLiteWriter.Codes(0.5, 10)
    let x = file.input("x", [1, 3, 3, 1])
    let given = file.tensor("given", [1, 3, 3, 1], .int8, codes: codes)
    let border = file.constant("border", [4, 2], [0, 0, 1, 1, 1, 1, 0, 0] as [Int32])
    let outside = file.constant(
      "outside", [], .int8, bytes: [UInt8(bitPattern: Int8(code))], codes: codes)
    let padded = file.tensor("padded", [1, 5, 5, 1], .int8, codes: codes)
    let pooled = file.tensor("pooled", [1, 2, 2, 1], .int8, codes: codes)
    let y = file.tensor("y", [1, 2, 2, 1])
    file.add(.quantize, [x], [given])
    file.add(.padWith, [given, border, outside], [padded])
    file.add(
      .maxPool, [padded], [pooled],
      [0: .byte(1), 1: .int(2), 2: .int(2), 3: .int(3), 4: .int(3)])
    file.add(.dequantize, [pooled], [y])
    file.outputs = [y]
    let numbers: [Float] = [-9, -8, -7, -6, -50, -4, -3, -2, -1]
    let expected: [Float] = isWritten ? [45, 45, 45, 45] : [-6, -4, -2, -1]
    for backend in [BackendOptions.reference, .float, .int8] {
      #expect(try file.run(["x": numbers], backend) == expected)
    }
    let model = try Model(
      bytes: file.bytes(), name: "test", options: .init(backend: .blas(keepsAllLayers: true)))
    #expect(model.nodes.contains { $0.operation == "padding" } == isWritten)
  }

  /// Codes that a file writes once for each reader are written once.
  @Test func repeatedCodesAreOneValue() throws {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [4])
    var sums: [TensorFlowLiteWriter.Tensor] = []
    for name in ["first", "second"] {
      let codes = file.tensor(name, [4], .int8, codes: .init(0.5, 3))
      let numbers = file.tensor(name + "Numbers", [4])
      file.add(.quantize, [x], [codes])
      file.add(.dequantize, [codes], [numbers])
      sums.append(numbers)
    }
    let y = file.tensor("y", [4])
    file.add(.add, sums, [y])
    file.outputs = [y]
    #expect(try file.run(["x": [0.3, 1.1, -70, 90]]) == [1, 2, -131, 124])
    let model = try Model(
      bytes: file.bytes(), name: "test", options: .init(backend: .blas(keepsAllLayers: true)))
    #expect(model.nodes.count { $0.operation == "unary" } == 1, "\(model.nodes.map(\.operation))")
  }

  // MARK: Weights

  /// Activations beside weights of 8 bits stay exact.
  @Test func weightsOfCodesBesideFloatsAreNumbers() throws {
    let file = TensorFlowLiteWriter.one(
      [1, 1, 2, 2], to: [1, 1, 2, 3], .convolution, [1: .int(1), 2: .int(1)]
    ) {
      [
        $0.constant(
          "w", [3, 1, 1, 2], codes: [1, 2, 3, 4, -5, 6], .init([0.5, 0.25, 2], axis: 0)),
        $0.constant("b", [3], [0.125, 0, -1] as [Float]),
      ]
    }
    let expected: [Float] = [
      0.5 * 0.01 + 0.3 + 0.125, 0.75 * 0.01 + 0.3, -0.1 + 3.6 - 1, 0.5 - 1 + 0.125, 0.75 - 1,
      -10 - 12 - 1,
    ]
    let found = try file.run(["x": [0.01, 0.3, 1, -1]])
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found)")
  }

  /// Scales along the inputs are those of no output; the weights become numbers.
  @Test func scalesAlongAnotherAxisThanOutputsCount() throws {
    let file = TensorFlowLiteWriter.one(
      [1, 1, 1, 2], to: [1, 1, 1, 2], .convolution, [1: .int(1), 2: .int(1)]
    ) {
      [$0.constant("w", [2, 1, 1, 2], codes: [1, 2, 3, 4], .init([10, 100], axis: 3))]
    }
    #expect(try file.run(["x": [1, 1]]) == [210, 430])
  }

  @Test func halvesAreReadWhereTheyAreDequantized() throws {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [1, 2])
    // 1.5, -2, 0.25 and 65504.
    let halves = file.constant(
      "h", [2, 2], .float16, bytes: [0x00, 0x3E, 0x00, 0xC0, 0x00, 0x34, 0xFF, 0x7B])
    let weights = file.tensor("w", [2, 2])
    file.add(.dequantize, [halves], [weights])
    let y = file.tensor("y", [1, 2])
    file.add(.fullyConnected, [x, weights, -1], [y])
    file.outputs = [y]
    #expect(try file.run(["x": [2, 1]]) == [1, 65504.5])
  }

  // MARK: Detectors

  @Test func boxesAreDecodedFromAnchors() throws {
    let model = try Model(
      bytes: TensorFlowLiteExamples.detector.bytes(), name: "test",
      options: .init(backend: .reference))
    let session = try Session(model: model)
    try session.setInput(
      "boxes", to: Tensor(shape: [1, 3, 4], floats: [0, 0, 0, 0, 2, -4, 5, 0, 0, 0, 0, -5]))
    try session.setInput(
      "scores",
      to: Tensor(shape: [1, 3, 3], floats: [0.9, 0.1, 0.2, 0.8, 0.3, 0.4, 0.7, 0.5, 0.6]))
    session.run()
    // The first score is that of the background.
    #expect(try session.output("confidence").floats() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    let e = Float(2.7182818)
    let expected: [Float] = [
      0.25, 0.5, 0.5, 0.25, 0.75 - 0.1, 0.5 + 0.1, 0.25, 0.5 * e, 0.5, 0.25, 1 / e, 1,
    ]
    let found = try session.output("coordinates").floats()
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found)")
    #expect(model.outputs.map(\.shape) == [[3, 2], [3, 4]])
  }
}
