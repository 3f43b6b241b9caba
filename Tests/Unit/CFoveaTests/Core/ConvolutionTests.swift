// Fovea - convolutions of the exact backends against their definition.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct ConvolutionTests {
  static let backends: [fov_backend] = [.reference, .blas, .float32]

  /// Small whole numbers: every sum is exact in float32, so the answer must be equal, bit for bit.
  static func wholeNumbers(_ count: Int, _ random: inout SplitMix) -> [Float] {
    (0..<count).map { _ in Float(Int.random(in: -4...4, using: &random)) }
  }

  static func run(
    _ test: ConvolutionCase, _ values: [Float], _ weights: StoredWeights, bias: [Float]?,
    transposed: Bool = false, options: RunOptions
  ) throws -> DenseArray {
    try GraphRunner.run([DenseArray(test.input, values)], options: options) {
      graph, inputs, out, diagnostic in
      var parameters = test.parameters
      return weights.withDescription { weights in
        let add = transposed ? fov_graph_add_transposed_convolution : fov_graph_add_convolution
        guard let bias else {
          return add(graph, &parameters, weights, nil, inputs[0], out, diagnostic)
        }
        return StoredWeights.float32(bias).withDescription {
          add(graph, &parameters, weights, $0, inputs[0], out, diagnostic)
        }
      }
    }
  }

  static func expectExact(_ test: ConvolutionCase, seed: UInt64, options: [RunOptions]) throws {
    var random = SplitMix(seed: seed)
    let values = wholeNumbers(test.input.reduce(1, *), &random)
    let weights = wholeNumbers(test.weightShape.reduce(1, *), &random)
    let bias = wholeNumbers(test.outputChannels, &random)
    let answer = test.answer(values, weights: weights, bias: bias)
    for options in options {
      let result = try run(test, values, .float32(weights), bias: bias, options: options)
      #expect(result == answer, "\(test)")
    }
  }

  @Test(arguments: backends) func randomGeometriesAreExact(backend: fov_backend) throws {
    var random = SplitMix(seed: 7)
    for seed in 0..<120 {
      let groups = [1, 1, 1, 2, 3].randomElement(using: &random)!
      var test = ConvolutionCase(
        input: [[], [1], [2], [1, 1]].randomElement(using: &random)!
          + [
            groups * Int.random(in: 1...5, using: &random), Int.random(in: 1...13, using: &random),
            Int.random(in: 1...17, using: &random),
          ],
        outputChannels: groups * Int.random(in: 1...9, using: &random), groups: groups)
      for axis in 0..<2 {
        test.kernel[axis] = Int.random(in: 1...5, using: &random)
        test.stride[axis] = Int.random(in: 1...3, using: &random)
        test.dilation[axis] = Int.random(in: 1...3, using: &random)
        test.before[axis] = Int.random(in: 0...4, using: &random)
        let window = (test.kernel[axis] - 1) * test.dilation[axis] + 1
        let missing = window - test.input[test.input.count - 2 + axis] - test.before[axis]
        test.after[axis] = max(0, missing) + Int.random(in: 0...3, using: &random)
      }
      let threads = [1, 3].randomElement(using: &random)!
      try Self.expectExact(
        test, seed: UInt64(seed), options: [RunOptions(backend: backend, threads: threads)])
    }
  }

  /// Shapes that cross every border of the tiling: more rows than a block, more taps than a depth,
  /// more pixels than a tile, and each by one.
  @Test(arguments: [
    ConvolutionCase(input: [129, 6, 5], outputChannels: 130, before: [1, 1], after: [1, 1]),
    ConvolutionCase(input: [1153, 3, 2], outputChannels: 7, kernel: [1, 1]),
    ConvolutionCase(input: [1, 601, 503], outputChannels: 4, before: [1, 1], after: [1, 1]),
    ConvolutionCase(input: [130, 1, 930], outputChannels: 4, before: [1, 1], after: [1, 1]),
    ConvolutionCase(
      input: [32, 20, 20], outputChannels: 32, groups: 32, before: [1, 1], after: [1, 1]),
    ConvolutionCase(input: [64, 7, 7], outputChannels: 32, groups: 4, stride: [2, 2]),
  ]) func tileBordersAreExact(test: ConvolutionCase) throws {
    let blas = [1, 2, 5].map { RunOptions(backend: .blas, threads: $0) }
    let reference = RunOptions(backend: .reference, threads: 2)
    try Self.expectExact(test, seed: 3, options: blas + [reference])
  }

  @Test(arguments: backends, 1...8) func codedWeightsEqualTheirFloats(
    backend: fov_backend, bits: Int
  ) throws {
    var random = SplitMix(seed: UInt64(bits))
    let test = ConvolutionCase(
      input: [5, 7, 6], outputChannels: 9, before: [1, 0], after: [0, 1])
    let count = test.weightShape.reduce(1, *)
    let perChannel = count / test.outputChannels
    let values = (0..<test.input.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) }
    let codes = (0..<count).map { _ in UInt8.random(in: 0...UInt8((1 << bits) - 1), using: &random)
    }
    func uniform(_ count: Int) -> [Float] {
      (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }
    let stored: [StoredWeights] = [
      .table(codes, bits: bits, table: uniform(1 << bits)),
      .linear(codes, bits: bits, scale: uniform(1), bias: []) { _ in 0 },
      .linear(codes, bits: bits, scale: uniform(9), bias: uniform(9)) { $0 / perChannel },
      .float16(uniform(count).map(Float16.init)),
    ]
    for weights in stored {
      let options = RunOptions(backend: backend, threads: 2)
      let coded = try Self.run(test, values, weights, bias: nil, options: options)
      let plain = try Self.run(test, values, .float32(weights.values), bias: nil, options: options)
      #expect(coded == plain, "\(weights.encoding.rawValue) with \(bits) bits")
    }
  }

  @Test func extremeHalvesAreExact() throws {
    let halves: [Float16] = [
      .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude, -0.0, 1.5,
      Float16(bitPattern: 0x03FF), .infinity, -.infinity,
    ]
    for half in halves {
      let test = ConvolutionCase(input: [1, 1, 1], outputChannels: 1, kernel: [1, 1])
      let result = try Self.run(
        test, [1], .float16([half]), bias: nil, options: RunOptions(backend: .reference))
      #expect(result.values == [Float(half)])
    }
  }

  @Test func transposedConvolutionsAreExact() throws {
    var random = SplitMix(seed: 11)
    for _ in 0..<60 {
      let groups = [1, 2, 3].randomElement(using: &random)!
      var test = ConvolutionCase(
        input: [
          2, groups * Int.random(in: 1...4, using: &random), Int.random(in: 1...6, using: &random),
          Int.random(in: 1...7, using: &random),
        ],
        outputChannels: groups * Int.random(in: 1...4, using: &random), groups: groups)
      for axis in 0..<2 {
        test.kernel[axis] = Int.random(in: 1...4, using: &random)
        test.stride[axis] = Int.random(in: 1...3, using: &random)
        test.extent[axis] = Int.random(in: 0...2, using: &random)
        let spare = test.kernel[axis] - 1
        test.before[axis] = Int.random(in: 0...(spare / 2), using: &random)
        test.after[axis] = Int.random(in: 0...(spare / 2), using: &random)
      }
      let count = test.transposedWeightShape.reduce(1, *)
      let kernel = test.kernel[0] * test.kernel[1]
      let outputs = test.outputChannels / groups
      let codes = (0..<count).map { _ in UInt8.random(in: 0...7, using: &random) }
      let weights = StoredWeights.linear(
        codes, bits: 3, scale: Self.wholeNumbers(outputs, &random),
        bias: Self.wholeNumbers(outputs, &random)
      ) { $0 / kernel % outputs }
      let values = Self.wholeNumbers(test.input.reduce(1, *), &random)
      let bias = Self.wholeNumbers(test.outputChannels, &random)
      let result = try Self.run(
        test, values, weights, bias: bias, transposed: true, options: RunOptions(threads: 2))
      #expect(
        result == test.transposedAnswer(values, weights: weights.values, bias: bias), "\(test)")
    }
  }

  // MARK: - Refusals

  private func status(_ test: ConvolutionCase, _ weights: StoredWeights) throws -> fov_status {
    try GraphRunner.status(shapes: [test.input]) { graph, inputs, out, diagnostic in
      var parameters = test.parameters
      return weights.withDescription {
        fov_graph_add_convolution(graph, &parameters, $0, nil, inputs[0], out, diagnostic)
      }
    }
  }

  @Test func wrongWeightsAreRefused() throws {
    let test = ConvolutionCase(input: [2, 4, 4], outputChannels: 3)
    let codes = [UInt8](repeating: 1, count: 54)
    let table = [Float](repeating: 1, count: 4)
    #expect(try status(test, .table(codes, bits: 2, table: table)) == .ok)
    #expect(
      try status(test, .table(Array(codes.dropLast(4)), bits: 2, table: table)) == .invalid_weights)
    #expect(try status(test, .table(codes, bits: 2, table: table + table)) == .invalid_weights)
    #expect(try status(test, .float32([Float](repeating: 0, count: 53))) == .invalid_weights)
    #expect(
      try status(test, .linear(codes, bits: 2, scale: [1, 2], bias: []) { _ in 0 })
        == .invalid_weights)
    var nine = StoredWeights.table(codes, bits: 2, table: table)
    for bits: UInt32 in [0, 9, 32, .max] {
      nine.bits = bits
      #expect(try status(test, nine) == .invalid_weights)
    }
  }

  @Test func wrongGeometriesAreRefused() throws {
    let weights = StoredWeights.float32([Float](repeating: 0, count: 54))
    func refused(_ change: (inout ConvolutionCase) -> Void) throws -> fov_status {
      var test = ConvolutionCase(input: [2, 4, 4], outputChannels: 3)
      change(&test)
      return try status(test, weights)
    }
    #expect(try refused { $0.groups = 2 } == .shape_mismatch)
    #expect(try refused { $0.groups = 0 } == .shape_mismatch)
    #expect(try refused { $0.outputChannels = 0 } == .shape_mismatch)
    #expect(try refused { $0.stride = [0, 1] } == .invalid_argument)
    #expect(try refused { $0.kernel = [3, 0] } == .invalid_argument)
    #expect(try refused { $0.dilation = [0, 1] } == .invalid_argument)
    #expect(try refused { $0.dilation = [2, 1] } == .shape_mismatch)
    #expect(try refused { $0.dilation = [-1, 1] } == .overflow)
    #expect(try refused { $0.before = [-1, 0] } == .overflow)
    #expect(try refused { $0.kernel = [1 << 32, 1 << 32] } == .overflow)
    #expect(try refused { $0.input = [4, 4] } == .shape_mismatch)
    #expect(try refused { $0.before = [1 << 40, 1 << 40] } == .overflow)
  }
}
