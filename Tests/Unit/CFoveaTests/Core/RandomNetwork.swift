// Fovea - networks of random layers, for comparing backends.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport

/// A network that follows from a seed: a trunk of layers with branches that are added, concatenated
/// or read twice, and one or two outputs.
struct RandomNetwork: TestNetwork {
  /// Which layers there are.
  enum Kind {
    /// Everything, on small images.
    case mixed
    /// 3x3 convolutions at stride 1, large enough that Winograd's algorithm pays.
    case wide
    /// The same with more channels and smaller images, which tiles do not divide.
    case deep
  }

  /// How weights are stored.
  enum Coding {
    case floats
    /// A table of 3 to 8 bits for each layer.
    case table
    /// 8 bits, with a scale and a bias for each output channel, or for all.
    case linear
    /// 2 to 6 bits, with tables of parts.
    case tables
    /// 4 or 8 bits, with scales of blocks.
    case blocks
  }

  var seed: UInt64
  var kind = Kind.mixed
  var coding = Coding.floats
  /// Whether the same weights are stored as floats.
  var isExpanded = false
  var layers = 8
  /// Whether biases put channels well above zero or well below.
  var isOneSided = false

  /// The image's channels, rows and columns.
  var inputShape: [Int] {
    var random = SplitMix(seed: seed)
    if kind == .deep {
      return [
        Int.random(in: 64...96, using: &random), Int.random(in: 17...23, using: &random),
        Int.random(in: 17...23, using: &random),
      ]
    }
    if kind == .wide {
      return [
        Int.random(in: 9...20, using: &random), Int.random(in: 21...50, using: &random),
        Int.random(in: 21...50, using: &random),
      ]
    }
    return [
      Int.random(in: 1...6, using: &random), Int.random(in: 5...24, using: &random),
      Int.random(in: 5...24, using: &random),
    ]
  }

  /// Values of the image, -1 ... 1.
  var input: [Float] {
    var random = SplitMix(seed: seed ^ 0x5EED)
    return (0..<inputShape.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) }
  }

  /// Adds the network to a graph and marks its outputs; the names are "result 0", "result 1".
  func build(_ graph: OpaquePointer) throws {
    var builder = Builder(
      graph: graph, coding: coding, isExpanded: isExpanded, biasLimit: isOneSided ? 1.5 : 0.3,
      random: SplitMix(seed: seed &+ 1))
    var shape = fov_shape(sizes: [1] + inputShape)
    let input = try addedValue {
      fov_graph_add_input(graph, "image", .float32, &shape, $0, $1)
    }
    var trunk = Builder.Value(
      value: input, channels: inputShape[0], rows: inputShape[1], columns: inputShape[2])
    if kind != .mixed {
      let outputs = kind == .wide ? 17...100 : 128...160
      for _ in 0..<3 { trunk = try builder.wideLayer(trunk, outputs: outputs) }
      return try builder.output(trunk, "result 0")
    }
    trunk = try builder.convolution(trunk)
    var earlier = [trunk]
    for _ in 0..<layers {
      trunk = try builder.layer(trunk, earlier)
      earlier.append(trunk)
    }
    try builder.output(trunk, "result 0")
    if Bool.random(using: &builder.random), let other = earlier.dropLast().last {
      try builder.output(other, "result 1")
    }
  }
}

/// What adds random layers.
private struct Builder {
  struct Value {
    var value: fov_value
    var channels, rows, columns: Int
  }

  let graph: OpaquePointer
  let coding: RandomNetwork.Coding
  let isExpanded: Bool
  /// The greatest bias of a convolution.
  let biasLimit: Float
  var random: SplitMix

  func output(_ output: Value, _ name: String) throws {
    try check { fov_graph_mark_output(graph, output.value, name, $0) }
  }

  mutating func layer(_ input: Value, _ earlier: [Value]) throws -> Value {
    switch Int.random(in: 0..<13, using: &random) {
    case 0, 1, 2: return try activation(convolution(input))
    case 3: return try depthwise(input)
    case 4: return try pooling(input)
    case 5: return try activation(input)
    case 6: return try upsampling(input)
    case 7, 8: return try combination(input, earlier)
    case 9, 10: return try split(input)
    case 11: return try gated(input)
    default: return try pooling(activation(convolution(input)))
    }
  }

  // MARK: Layers

  /// A 3x3 convolution of many channels, by chance with a sum, an activation and a pool.
  mutating func wideLayer(_ input: Value, outputs: ClosedRange<Int>) throws -> Value {
    let groups = input.channels % 2 == 0 && Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
    let fewest = outputs.lowerBound
    let outputs =
      groups * Int.random(in: fewest...max(fewest, outputs.upperBound / groups), using: &random)
    let made = try wideConvolution(input, outputs: outputs, groups: groups)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return try sum(made, wideConvolution(made, outputs: outputs))
    case 1: return try activation(made)
    case 2: return try pooling(activation(made))
    default: return made
    }
  }

  mutating func wideConvolution(_ input: Value, outputs: Int, groups: Int = 1) throws -> Value {
    try convolution(input, outputs: outputs, groups: groups, kernel: 3, stride: 1, dilation: 1)
  }

  mutating func convolution(_ input: Value, outputs: Int? = nil, keepsSize: Bool = false) throws
    -> Value
  {
    let kernel = [1, 1, 3, 3, 2, 5].randomElement(using: &random)!
    let divisors = (1...input.channels).filter { input.channels % $0 == 0 }
    let groups =
      Int.random(in: 0..<4, using: &random) == 0 ? divisors.randomElement(using: &random)! : 1
    let wanted = outputs ?? Int.random(in: 1...40, using: &random)
    let exact = outputs != nil && wanted % groups != 0
    let side = keepsSize && kernel % 2 == 0 ? 3 : kernel
    return try convolution(
      input, outputs: exact ? wanted : (wanted + groups - 1) / groups * groups,
      groups: exact ? 1 : groups, kernel: side,
      stride: keepsSize ? 1 : [1, 1, 1, 2].randomElement(using: &random)!)
  }

  mutating func depthwise(_ input: Value) throws -> Value {
    try convolution(
      input, outputs: input.channels, groups: input.channels,
      kernel: [1, 3, 3, 5].randomElement(using: &random)!,
      stride: [1, 1, 2].randomElement(using: &random)!)
  }

  mutating func convolution(
    _ input: Value, outputs: Int, groups: Int, kernel: Int, stride: Int, dilation: Int? = nil
  ) throws -> Value {
    var parameters = fov_convolution()
    let dilation = dilation ?? (Int.random(in: 0..<6, using: &random) == 0 ? 2 : 1)
    parameters.output_channels = outputs
    parameters.groups = groups
    parameters.kernel = (kernel, kernel)
    parameters.stride = (stride, stride)
    parameters.dilation = (dilation, dilation)
    let padding = (kernel - 1) * dilation
    parameters.before = (padding / 2, padding / 2)
    parameters.after = (padding - padding / 2, padding - padding / 2)
    let shape = [outputs, input.channels / groups, kernel, kernel]
    let coded = weights(shape)
    let weights = isExpanded ? StoredWeights.float32(coded.values) : coded
    let bias = (0..<outputs).map { _ in Float.random(in: -biasLimit...biasLimit, using: &random) }
    let made = try addedValue { out, diagnostic in
      weights.withDescription { weights in
        StoredWeights.float32(bias).withDescription {
          fov_graph_add_convolution(graph, &parameters, weights, $0, input.value, out, diagnostic)
        }
      }
    }
    return Value(
      value: made, channels: outputs, rows: (input.rows - 1) / stride + 1,
      columns: (input.columns - 1) / stride + 1)
  }

  /// Weights in -limit ... limit, which falls with the taps of an output.
  mutating func weights(_ shape: [Int], outputAxis: Int = 0) -> StoredWeights {
    let count = shape.reduce(1, *), outputs = shape[outputAxis], taps = count / outputs
    let step = shape[(outputAxis + 1)...].reduce(1, *)
    let limit = 1.7 / Float(taps).squareRoot()
    func numbers(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
      (0..<count).map { _ in Float.random(in: range, using: &random) }
    }
    switch coding {
    case .floats: return .float32(numbers(count, -limit...limit))
    case .table:
      let bits = Int.random(in: 3...8, using: &random)
      let codes = (0..<count).map { _ in UInt8(Int.random(in: 0..<1 << bits, using: &random)) }
      return .table(codes, bits: bits, table: numbers(1 << bits, -limit...limit))
    case .linear:
      let codes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let scales = numbers(Bool.random(using: &random) ? 1 : outputs, limit / 400...limit / 128)
      return .linear(
        codes, bits: 8, scale: scales, bias: scales.map { -128 * $0 },
        channel: { $0 / step % outputs })
    case .tables, .blocks:
      let bits = coding == .tables ? Int.random(in: 2...6, using: &random) : [4, 8][count % 2]
      var parts = WeightCutting.random(shape, cuts: coding == .tables ? [0, 3] : [0, 1], &random)
      if coding == .tables, outputs % 2 == 0, Int.random(in: 0..<3, using: &random) == 0 {
        parts = WeightCutting(shape: shape, counts: [1, 1, 1, 1], vector: 2, vectorAxis: 0)
      }
      let codes = (0..<parts.codeCount).map { _ in
        UInt8(Int.random(in: 0..<1 << bits, using: &random))
      }
      if coding == .tables {
        let tables = numbers(parts.count * parts.vector << bits, -limit...limit)
        return .tables(codes, bits: bits, tables: tables, parts)
      }
      let scales = numbers(parts.count, limit / Float(3 << bits)...limit / Float(1 << bits))
      let half = Float(1 << (bits - 1))
      return .blocks(codes, bits: bits, scale: scales, bias: scales.map { -half * $0 }, parts)
    }
  }

  mutating func activation(_ input: Value) throws -> Value {
    let functions: [(fov_unary_function, Float, Float)] = [
      (.leaky_relu, 0.1, 0), (.relu, 0, 0), (.clip, 0, 6), (.sigmoid, 0, 0), (.elu, 1, 0),
      (.clamped_relu, 0.25, 1), (.tanh, 0, 0), (.leaky_relu, 0.1, 0), (.linear, 0.5, 0.25),
      (.silu, 0, 0), (.silu, 0, 0), (.silu, 0, 0), (.hard_silu, 0.3, -1),
    ]
    let (function, alpha, beta) = functions.randomElement(using: &random)!
    var unary = fov_unary(function: function, alpha: alpha, beta: beta)
    var made = input
    made.value = try addedValue { fov_graph_add_unary(graph, &unary, input.value, $0, $1) }
    return made
  }

  mutating func pooling(_ input: Value) throws -> Value {
    guard min(input.rows, input.columns) >= 2 else { return input }
    var pooling = fov_pooling()
    let halves = Bool.random(using: &random)
    let kernel = halves ? 2 : Int.random(in: 2...3, using: &random)
    let stride = halves ? 2 : Int.random(in: 1...2, using: &random)
    pooling.function = Int.random(in: 0..<3, using: &random) == 0 && !halves ? .average : .maximum
    pooling.kernel = (kernel, kernel)
    pooling.stride = (stride, stride)
    pooling.before = halves ? (0, 0) : (kernel / 2, (kernel - 1) / 2)
    pooling.exclude_padding = Bool.random(using: &random)
    var made = input
    made.rows = halves ? input.rows / 2 : (input.rows - 1) / stride + 1
    made.columns = halves ? input.columns / 2 : (input.columns - 1) / stride + 1
    pooling.output = (made.rows, made.columns)
    made.value = try addedValue { fov_graph_add_pooling(graph, &pooling, input.value, $0, $1) }
    return made
  }

  mutating func upsampling(_ input: Value) throws -> Value {
    guard input.rows * input.columns <= 400 else { return try activation(input) }
    if Bool.random(using: &random) { return try activation(transposedConvolution(input)) }
    var resize = fov_resize()
    resize.filter = .nearest
    var made = input
    made.rows *= 2
    made.columns *= 2
    resize.output = (made.rows, made.columns)
    resize.step = (0.5, 0.5)
    made.value = try addedValue { fov_graph_add_resize(graph, &resize, input.value, $0, $1) }
    return made
  }

  /// To twice the size, or nearly so, by kernels with and without overlap.
  mutating func transposedConvolution(_ input: Value) throws -> Value {
    var parameters = fov_convolution()
    let kernel = Int.random(in: 2...5, using: &random), crop = (kernel - 1) / 2
    let isDepthwise = Int.random(in: 0..<4, using: &random) == 0
    parameters.output_channels =
      isDepthwise ? input.channels : Int.random(in: 1...40, using: &random)
    parameters.groups = isDepthwise ? input.channels : 1
    parameters.kernel = (kernel, kernel)
    parameters.stride = (2, 2)
    parameters.dilation = (1, 1)
    parameters.before = (crop, crop)
    parameters.after = (crop, crop)
    let outputs = parameters.output_channels / parameters.groups
    let coded = weights([input.channels, outputs, kernel, kernel], outputAxis: 1)
    let weights = isExpanded ? StoredWeights.float32(coded.values) : coded
    let made = try addedValue { out, diagnostic in
      weights.withDescription {
        fov_graph_add_transposed_convolution(
          graph, &parameters, $0, nil, input.value, out, diagnostic)
      }
    }
    let grown = kernel - 2 * crop - 2
    return Value(
      value: made, channels: parameters.output_channels, rows: 2 * input.rows + grown,
      columns: 2 * input.columns + grown)
  }

  /// A sum, or a concatenation, with a branch of the same size.
  mutating func combination(_ input: Value, _ earlier: [Value]) throws -> Value {
    let equal = earlier.filter { $0.rows == input.rows && $0.columns == input.columns }
    let other = equal.randomElement(using: &random) ?? input
    if Bool.random(using: &random) {
      let branch = try convolution(other, outputs: input.channels, keepsSize: true)
      return try sum(branch, input)
    }
    let branch = try activation(convolution(other, keepsSize: true))
    let parts = Bool.random(using: &random) ? [branch, input] : [input, branch, other]
    return try joined(parts)
  }

  /// A block of today's detectors: the channels are split, more are computed from the last of them,
  /// and all are joined, or some.
  mutating func split(_ input: Value) throws -> Value {
    guard input.channels >= 2 else { return try activation(input) }
    let place = Int.random(in: 1..<input.channels, using: &random)
    let first = try slice(input, 0..<place), last = try slice(input, place..<input.channels)
    var made = try activation(convolution(last, outputs: last.channels, keepsSize: true))
    if Bool.random(using: &random) { made = try sum(last, made) }
    let orders = [[first, last, made], [first, last, made], [made, first, last], [last, made]]
    return try joined(orders.randomElement(using: &random)!)
  }

  /// A value times a gate: of every element, or of the channels, from their means.
  mutating func gated(_ input: Value) throws -> Value {
    var source = input
    if Bool.random(using: &random) {
      var pooling = fov_pooling()
      pooling.function = .average
      pooling.kernel = (input.rows, input.columns)
      pooling.stride = (1, 1)
      pooling.output = (1, 1)
      (source.rows, source.columns) = (1, 1)
      source.value = try addedValue { fov_graph_add_pooling(graph, &pooling, input.value, $0, $1) }
    }
    var gate = try convolution(source, outputs: input.channels, groups: 1, kernel: 1, stride: 1)
    var unary = fov_unary(function: .hard_sigmoid, alpha: 0.2, beta: 0.5)
    gate.value = try addedValue { fov_graph_add_unary(graph, &unary, gate.value, $0, $1) }
    let sides = Bool.random(using: &random) ? (input, gate) : (gate, input)
    var made = input
    made.value = try addedValue {
      fov_graph_add_binary(graph, .multiply, sides.0.value, sides.1.value, $0, $1)
    }
    return made
  }

  func slice(_ input: Value, _ channels: Range<Int>) throws -> Value {
    let counts = [1, channels.count, input.rows, input.columns]
    var slice = fov_slice(
      begin: [0, channels.lowerBound, 0, 0], count: counts, stride: [1, 1, 1, 1])
    var made = input
    made.channels = channels.count
    made.value = try addedValue { fov_graph_add_slice(graph, &slice, input.value, $0, $1) }
    return made
  }

  func joined(_ parts: [Value]) throws -> Value {
    var made = parts[0]
    made.channels = parts.reduce(0) { $0 + $1.channels }
    let values = parts.map(\.value)
    made.value = try addedValue { fov_graph_add_concat(graph, 1, values, values.count, $0, $1) }
    return made
  }

  func sum(_ a: Value, _ b: Value) throws -> Value {
    var made = a
    made.value = try addedValue { fov_graph_add_binary(graph, .add, a.value, b.value, $0, $1) }
    return made
  }
}
