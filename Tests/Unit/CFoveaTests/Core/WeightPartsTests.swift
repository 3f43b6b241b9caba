// Fovea - codes with tables or scales of parts, against the definition of convolutions.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct WeightPartsTests {
  static let backends: [fov_backend] = [.reference, .blas, .float32]
  static let bits = [1, 2, 3, 4, 6, 8]

  /// Codes in random parts whose numbers are small and whole, so that every sum is exact.
  static func wholeNumbers(
    _ shape: [Int], bits: Int, hasTables: Bool, _ random: inout SplitMix
  ) -> (weights: StoredWeights, cutting: WeightCutting) {
    let cutting = WeightCutting.any(shape, allowsVectors: hasTables, &random)
    let codes = (0..<cutting.codeCount).map { _ in
      UInt8(Int.random(in: 0..<1 << bits, using: &random))
    }
    func numbers(_ count: Int) -> [Float] { ConvolutionTests.wholeNumbers(count, &random) }
    if hasTables {
      let tables = numbers(cutting.count * cutting.vector << bits)
      return (.tables(codes, bits: bits, tables: tables, cutting), cutting)
    }
    let bias = Bool.random(using: &random) ? numbers(cutting.count) : []
    return (.blocks(codes, bits: bits, scale: numbers(cutting.count), bias: bias, cutting), cutting)
  }

  static func randomCase(_ random: inout SplitMix, isTransposed: Bool) -> ConvolutionCase {
    let groups = [1, 1, 1, 2, 3, 7].randomElement(using: &random)!
    let isDepthwise = groups == 7
    let isDense = Int.random(in: 0..<5, using: &random) == 0
    var test = ConvolutionCase(
      input: [
        2, groups * (isDepthwise ? 1 : Int.random(in: 1...12, using: &random)),
        isDense ? 1 : Int.random(in: 4...9, using: &random),
        isDense ? 1 : Int.random(in: 4...11, using: &random),
      ],
      outputChannels: groups * (isDepthwise ? 1 : Int.random(in: 1...24, using: &random)),
      groups: groups)
    for axis in 0..<2 {
      test.kernel[axis] = isDense ? 1 : Int.random(in: 1...4, using: &random)
      test.stride[axis] = Int.random(in: 1...2, using: &random)
      guard !isTransposed else { continue }
      test.before[axis] = Int.random(in: 0...2, using: &random)
      test.after[axis] = Int.random(in: 0...2, using: &random)
    }
    return test
  }

  @Test(arguments: backends, bits) func convolutionsAreExact(
    _ backend: fov_backend, _ bits: Int
  ) throws {
    var random = SplitMix(seed: UInt64(bits) &* 31)
    for turn in 0..<60 {
      let test = Self.randomCase(&random, isTransposed: false)
      let (weights, cutting) = Self.wholeNumbers(
        test.weightShape, bits: bits, hasTables: turn % 2 == 0, &random)
      let values = ConvolutionTests.wholeNumbers(test.input.reduce(1, *), &random)
      let bias = ConvolutionTests.wholeNumbers(test.outputChannels, &random)
      let answer = test.answer(values, weights: weights.values, bias: bias)
      let result = try ConvolutionTests.run(
        test, values, weights, bias: bias,
        options: RunOptions(
          backend: backend, threads: [1, 3].randomElement(using: &random)!,
          isCompiled: backend == .float32))
      #expect(result == answer, "\(test), \(cutting)")
    }
  }

  @Test(arguments: [fov_backend.blas, .float32], bits) func transposedConvolutionsAreExact(
    _ backend: fov_backend, _ bits: Int
  ) throws {
    var random = SplitMix(seed: UInt64(bits) &* 57)
    for turn in 0..<40 {
      let test = Self.randomCase(&random, isTransposed: true)
      let (weights, cutting) = Self.wholeNumbers(
        test.transposedWeightShape, bits: bits, hasTables: turn % 2 == 0, &random)
      let values = ConvolutionTests.wholeNumbers(test.input.reduce(1, *), &random)
      let bias = ConvolutionTests.wholeNumbers(test.outputChannels, &random)
      let result = try ConvolutionTests.run(
        test, values, weights, bias: bias, transposed: true,
        options: RunOptions(backend: backend, threads: 2, isCompiled: backend == .float32))
      #expect(
        result == test.transposedAnswer(values, weights: weights.values, bias: bias),
        "\(test), \(cutting)")
    }
  }

  /// More columns than are unpacked at a time, and panels that begin within a part.
  @Test(arguments: [
    ([130, 300, 1, 1], [10, 75, 1, 1]), ([20, 130, 3, 3], [20, 13, 1, 3]),
    ([33, 260, 1, 3], [1, 260, 1, 3]), ([140, 257, 1, 1], [140, 1, 1, 1]),
  ]) func longRowsAreExact(_ shape: [Int], _ counts: [Int]) throws {
    var random = SplitMix(seed: 5)
    let test = ConvolutionCase(
      input: [shape[1], 4, 5], outputChannels: shape[0], kernel: [shape[2], shape[3]])
    let cutting = WeightCutting(shape: shape, counts: counts)
    for bits in [3, 8] {
      let codes = (0..<cutting.codeCount).map { _ in
        UInt8(Int.random(in: 0..<1 << bits, using: &random))
      }
      let numbers = ConvolutionTests.wholeNumbers(cutting.count << bits, &random)
      let bias = ConvolutionTests.wholeNumbers(shape[0], &random)
      let values = ConvolutionTests.wholeNumbers(test.input.reduce(1, *), &random)
      for weights in [
        StoredWeights.tables(codes, bits: bits, tables: numbers, cutting),
        .blocks(codes, bits: bits, scale: Array(numbers.prefix(cutting.count)), bias: [], cutting),
      ] {
        let answer = test.answer(values, weights: weights.values, bias: bias)
        for backend in Self.backends {
          let result = try ConvolutionTests.run(
            test, values, weights, bias: bias, options: RunOptions(backend: backend, threads: 2))
          #expect(result == answer, "\(cutting), \(bits) bits, \(backend)")
        }
      }
    }
  }

  // MARK: - Refusals

  @Test func wrongPartsAreRefused() throws {
    let shape = [4, 6, 3, 3]
    let test = ConvolutionCase(input: [6, 5, 5], outputChannels: 4)
    func status(_ weights: StoredWeights, _ change: (inout StoredWeights) -> Void) throws
      -> fov_status
    {
      var weights = weights
      change(&weights)
      return try GraphRunner.status(shapes: [test.input]) { graph, inputs, out, diagnostic in
        var parameters = test.parameters
        return weights.withDescription {
          fov_graph_add_convolution(graph, &parameters, $0, nil, inputs[0], out, diagnostic)
        }
      }
    }
    let cutting = WeightCutting(shape: shape, counts: [2, 3, 1, 3])
    let codes = [UInt8](repeating: 1, count: cutting.codeCount)
    let numbers = [Float](repeating: 1, count: cutting.count << 4)
    let tables = StoredWeights.tables(codes, bits: 4, tables: numbers, cutting)
    let blocks = StoredWeights.blocks(
      codes, bits: 4, scale: Array(numbers.prefix(18)), bias: [], cutting)
    for weights in [tables, blocks] {
      #expect(try status(weights) { _ in } == .ok)
      #expect(try status(weights) { $0.parts.1 = 4 } == .invalid_weights)
      #expect(try status(weights) { $0.parts.0 = 3 } == .invalid_weights)
      #expect(try status(weights) { $0.parts.3 = 1 } == .invalid_weights)
      #expect(try status(weights) { $0.parts = (0, 0, 0, 0) } == .invalid_weights)
      #expect(try status(weights) { $0.parts.2 = .max } == .invalid_weights)
      #expect(try status(weights) { $0.vector = 2 } == .invalid_weights)
      #expect(try status(weights) { $0.vectorAxis = 4 } == .invalid_weights)
    }
    #expect(try status(tables) { $0.table.removeLast() } == .invalid_weights)
    #expect(try status(blocks) { $0.scale.removeLast() } == .invalid_weights)
    #expect(try status(blocks) { $0.bias = [1, 2] } == .invalid_weights)
    let floats = StoredWeights.float32([Float](repeating: 1, count: 216))
    #expect(try status(floats) { $0.parts.0 = 2 } == .invalid_weights)
    #expect(try status(floats) { $0.vector = 2 } == .invalid_weights)

    let vectors = WeightCutting(shape: shape, counts: [2, 1, 1, 1], vector: 2, vectorAxis: 0)
    let few = StoredWeights.tables(
      Array(codes.prefix(vectors.codeCount)), bits: 4, tables: Array(numbers.prefix(64)), vectors)
    #expect(try status(few) { _ in } == .ok)
    #expect(try status(few) { $0.vector = 3 } == .invalid_weights)
    #expect(try status(few) { $0.parts.0 = 4 } == .invalid_weights)
    #expect(try status(few) { $0.data.removeLast() } == .invalid_weights)
    #expect(try status(few) { $0.vector = .max } == .invalid_weights)
  }
}
