// Fovea - folding changes the number of nodes, not the result.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

@Suite struct FoldingTests {
  private static let scale: [Float] = [0.5, -2, 3]
  private static let shift: [Float] = [1, 0.25, -1]

  /// A convolution of 2 to 3 channels with 4-bit weights, and whatever follows it.
  private func compare(
    nodes expected: Int, backend: fov_backend = .blas,
    _ follow: (
      OpaquePointer, fov_value, UnsafeMutablePointer<fov_value>,
      UnsafeMutablePointer<fov_diagnostic>
    )
      -> fov_status
  ) throws {
    var random = SplitMix(seed: 5)
    let test = ConvolutionCase(
      input: [2, 6, 5], outputChannels: 3, before: [1, 1], after: [1, 1])
    let values = (0..<60).map { _ in Float.random(in: -1...1, using: &random) }
    let codes = (0..<54).map { _ in UInt8.random(in: 0...15, using: &random) }
    let table = (0..<16).map { _ in Float.random(in: -1...1, using: &random) }
    let add: AddOperation = { graph, inputs, out, diagnostic in
      var parameters = test.parameters
      var convolved = fov_value()
      let status = StoredWeights.table(codes, bits: 4, table: table).withDescription {
        fov_graph_add_convolution(graph, &parameters, $0, nil, inputs[0], &convolved, diagnostic)
      }
      return status == .ok ? follow(graph, convolved, out, diagnostic) : status
    }
    let input = [DenseArray(test.input, values)]
    let plain = try GraphRunner.run(input, options: RunOptions(backend: backend), add: add)
    let folded = try GraphRunner.run(
      input, options: RunOptions(backend: backend, folds: true, expectedNodes: expected), add: add)
    expectClose(folded, plain, relative: 1e-5, absolute: 1e-6)
  }

  private func affine(
    _ graph: OpaquePointer, _ input: fov_value, _ out: UnsafeMutablePointer<fov_value>,
    _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
  ) -> fov_status {
    fov_graph_add_channel_affine(graph, 3, Self.scale, Self.shift, input, out, diagnostic)
  }

  private func unary(
    _ function: fov_unary_function, alpha: Float = 0, beta: Float = 0, _ graph: OpaquePointer,
    _ input: fov_value, _ out: UnsafeMutablePointer<fov_value>,
    _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
  ) -> fov_status {
    var parameters = fov_unary(function: function, alpha: alpha, beta: beta)
    return fov_graph_add_unary(graph, &parameters, input, out, diagnostic)
  }

  private func constant(
    _ graph: OpaquePointer, _ values: [Float], _ shape: [Int],
    _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
  ) -> fov_value {
    var sizes = fov_shape(sizes: shape)
    var value = fov_value()
    let status = StoredWeights.float32(values).withDescription {
      fov_graph_add_constant(graph, &sizes, $0, &value, diagnostic)
    }
    #expect(status == .ok)
    return value
  }

  @Test(arguments: [fov_backend.reference, .blas])
  func affineAndActivationMoveIntoTheConvolution(backend: fov_backend) throws {
    try compare(nodes: 1, backend: backend) { graph, value, out, diagnostic in
      var value = value
      guard affine(graph, value, &value, diagnostic) == .ok else { return .invalid_graph }
      return unary(.leaky_relu, alpha: 0.1, graph, value, out, diagnostic)
    }
  }

  @Test func constantOperandsAreAffine() throws {
    try compare(nodes: 1) { graph, value, out, diagnostic in
      let factor = constant(graph, Self.scale, [3, 1, 1], diagnostic)
      let offset = constant(graph, [0.75], [], diagnostic)
      var value = value
      guard fov_graph_add_binary(graph, .multiply, factor, value, &value, diagnostic) == .ok else {
        return .invalid_graph
      }
      return fov_graph_add_binary(graph, .add, value, offset, out, diagnostic)
    }
  }

  @Test func nothingIsScaledBehindAnActivation() throws {
    try compare(nodes: 2) { graph, value, out, diagnostic in
      var value = value
      guard unary(.relu, graph, value, &value, diagnostic) == .ok else { return .invalid_graph }
      return affine(graph, value, out, diagnostic)
    }
  }

  @Test func aValueWithTwoReadersStays() throws {
    try compare(nodes: 3) { graph, value, out, diagnostic in
      var activated = fov_value()
      guard unary(.tanh, graph, value, &activated, diagnostic) == .ok else {
        return .invalid_graph
      }
      return fov_graph_add_binary(graph, .multiply, value, activated, out, diagnostic)
    }
  }

  /// The convolution takes SiLU in, too.
  @Test(arguments: [true, false]) func aValueTimesItsSigmoidIsOneFunction(isFirst: Bool) throws {
    try compare(nodes: 1) { graph, value, out, diagnostic in
      var gate = fov_value()
      guard unary(.sigmoid, graph, value, &gate, diagnostic) == .ok else { return .invalid_graph }
      return fov_graph_add_binary(
        graph, .multiply, isFirst ? value : gate, isFirst ? gate : value, out, diagnostic)
    }
  }

  /// As files with codes write SiLU. Another reader of the codes keeps them.
  @Test(arguments: [true, false]) func aValueTimesCodesOfItsSigmoidIsOneFunction(
    isReadElsewhere: Bool
  ) throws {
    try compare(nodes: isReadElsewhere ? 4 : 1) { graph, value, out, diagnostic in
      var (sigmoids, codes) = (fov_value(), fov_value())
      guard unary(.sigmoid, graph, value, &sigmoids, diagnostic) == .ok,
        unary(.quantized, alpha: 0.25, graph, sigmoids, &codes, diagnostic) == .ok,
        !isReadElsewhere || fov_graph_mark_output(graph, codes, "codes", diagnostic) == .ok
      else { return .invalid_graph }
      return fov_graph_add_binary(graph, .multiply, value, codes, out, diagnostic)
    }
  }

  /// As coremltools writes hard SiLU: what is below a threshold is 0 first. On this backend a
  /// convolution takes that in, too.
  @Test func aValueTimesItsHardSigmoidIsOneFunction() throws {
    try compare(nodes: 2) { graph, value, out, diagnostic in
      var (raised, gate) = (fov_value(), fov_value())
      var threshold = fov_unary(function: .thresholded_relu, alpha: -0.25, beta: 0)
      var sigmoid = fov_unary(function: .hard_sigmoid, alpha: 0.25, beta: 0.5)
      guard fov_graph_add_unary(graph, &threshold, value, &raised, diagnostic) == .ok,
        fov_graph_add_unary(graph, &sigmoid, raised, &gate, diagnostic) == .ok
      else { return .invalid_graph }
      return fov_graph_add_binary(graph, .multiply, raised, gate, out, diagnostic)
    }
  }

  /// As exporters without hard SiLU write it: x * min(max(x + 3, 0), 6) / 6, divided or multiplied,
  /// behind the product or before it. A factor of 2 behind it stays.
  @Test(arguments: [true, false], [true, false])
  func aValueTimesItsBoundedSumIsOneFunction(isDivided: Bool, isProductLast: Bool) throws {
    func scaled(
      _ graph: OpaquePointer, _ value: fov_value, _ out: UnsafeMutablePointer<fov_value>,
      _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
    ) -> fov_status {
      guard isDivided else {
        return unary(.linear, alpha: 1 / 6, graph, value, out, diagnostic)
      }
      let six = constant(graph, [6], [], diagnostic)
      return fov_graph_add_binary(graph, .divide, value, six, out, diagnostic)
    }
    for factor in [1, 2] as [Float] {
      try compare(nodes: factor == 1 ? 1 : 2) { graph, value, out, diagnostic in
        var (raised, gate, product) = (fov_value(), fov_value(), fov_value())
        guard unary(.linear, alpha: 1, beta: 3, graph, value, &raised, diagnostic) == .ok,
          unary(.clip, alpha: 0, beta: 6, graph, raised, &gate, diagnostic) == .ok,
          !isProductLast || scaled(graph, gate, &gate, diagnostic) == .ok,
          fov_graph_add_binary(graph, .multiply, value, gate, &product, diagnostic) == .ok,
          isProductLast || scaled(graph, product, &product, diagnostic) == .ok
        else { return .invalid_graph }
        return unary(.linear, alpha: factor, graph, product, out, diagnostic)
      }
    }
  }

  /// A sum that is bounded by other numbers is no hard sigmoid.
  @Test func otherBoundsStay() throws {
    try compare(nodes: 4) { graph, value, out, diagnostic in
      var (raised, gate) = (fov_value(), fov_value())
      guard unary(.linear, alpha: 1, beta: 2, graph, value, &raised, diagnostic) == .ok,
        unary(.clip, alpha: 0, beta: 6, graph, raised, &gate, diagnostic) == .ok
      else { return .invalid_graph }
      return fov_graph_add_binary(graph, .multiply, value, gate, out, diagnostic)
    }
  }

  /// Bounds move with what multiplies and raises them; a negative factor exchanges them, and stays.
  @Test(arguments: [(0.5, 1), (-0.5, 2)] as [(Float, Int)])
  func linearFunctionsMoveThroughBounds(_ factor: Float, _ nodes: Int) throws {
    for function in [fov_unary_function.relu, .clip] {
      try compare(nodes: nodes) { graph, value, out, diagnostic in
        var bounded = fov_value()
        guard
          unary(function, alpha: -0.25, beta: 0.5, graph, value, &bounded, diagnostic) == .ok
        else { return .invalid_graph }
        return unary(.linear, alpha: factor, beta: 0.75, graph, bounded, out, diagnostic)
      }
    }
  }

  @Test func linearFunctionsAreOne() throws {
    try compare(nodes: 2) { graph, value, out, diagnostic in
      var (tanh, first) = (fov_value(), fov_value())
      guard unary(.tanh, graph, value, &tanh, diagnostic) == .ok,
        unary(.linear, alpha: 2, beta: 0.5, graph, tanh, &first, diagnostic) == .ok
      else { return .invalid_graph }
      return unary(.linear, alpha: 3, beta: -1, graph, first, out, diagnostic)
    }
  }

  @Test func aSigmoidThatIsReadElsewhereStays() throws {
    try compare(nodes: 3) { graph, value, out, diagnostic in
      var gate = fov_value()
      guard unary(.sigmoid, graph, value, &gate, diagnostic) == .ok,
        fov_graph_mark_output(graph, gate, "gate", diagnostic) == .ok
      else { return .invalid_graph }
      return fov_graph_add_binary(graph, .multiply, value, gate, out, diagnostic)
    }
  }

  @Test func aValueThatIsAnOutputStays() throws {
    try compare(nodes: 2) { graph, value, out, diagnostic in
      guard fov_graph_mark_output(graph, value, "raw", diagnostic) == .ok else {
        return .invalid_graph
      }
      return unary(.relu, graph, value, out, diagnostic)
    }
  }

  @Test func whatNobodyReadsIsDropped() throws {
    try compare(nodes: 1) { graph, value, out, diagnostic in
      var unread = fov_value()
      guard unary(.exp, graph, value, &unread, diagnostic) == .ok else { return .invalid_graph }
      return unary(.relu, graph, value, out, diagnostic)
    }
  }
}
