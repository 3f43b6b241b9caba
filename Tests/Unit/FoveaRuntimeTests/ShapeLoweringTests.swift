// Fovea - layers that rename or reorder dimensions.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct ShapeLoweringTests {
  /// 0, 1, 2, ... under a shape.
  static func counting(_ shape: [Int]) throws -> Tensor {
    try Tensor(shape: shape, floats: (0..<shape.reduce(1, *)).map { Float($0) })
  }

  static func check(
    _ kind: LayerKind, _ inputs: [[Int]], gives shape: [Int], _ values: [Float]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let output = try LayerRunner().run(
      kind, inputs.map { try counting($0) }, sourceLocation: sourceLocation)
    #expect(output.shape == shape, sourceLocation: sourceLocation)
    let same = (0..<shape.reduce(1, *)).map { Float($0) }
    #expect(output.floats() == values ?? same, sourceLocation: sourceLocation)
  }

  @Test func reshapeByTheRank5Rules() throws {
    func reshape(_ shape: [Int], _ order: ChannelOrder = .channelFirst) -> LayerKind {
      .reshape(ReshapeLayer(targetShape: shape, order: order))
    }
    try Self.check(reshape([4, 3, 1]), [[1, 1, 2, 2, 3]], gives: [1, 1, 4, 3, 1])
    try Self.check(reshape([4, 3, 1]), [[2, 1, 2, 2, 3]], gives: [2, 1, 4, 3, 1])
    try Self.check(reshape([4, 3, 2]), [[2, 1, 2, 2, 3]], gives: [1, 1, 4, 3, 2])
    try Self.check(reshape([6, 2, 1, 1]), [[1, 1, 2, 2, 3]], gives: [6, 1, 2, 1, 1])
    // [C=2, H=1, W=2] in row, column, channel order is 0 2 1 3.
    try Self.check(
      reshape([1, 2, 2], .channelLast), [[1, 1, 2, 1, 2]], gives: [1, 1, 1, 2, 2], [0, 2, 1, 3])
    // To [C=4, H=1, W=1]: the last of rows, columns, channels runs fastest.
    try Self.check(
      reshape([4, 1, 1], .channelLast), [[1, 1, 2, 1, 2]], gives: [1, 1, 4, 1, 1], [0, 2, 1, 3])
    let error = try LayerRunner().failure(reshape([5, 1, 1]), [[1, 1, 2, 2, 3]])
    #expect(error.code == .shapeMismatch)
    #expect(error.message.contains("has 12 elements"))
  }

  @Test func flattenAndPermute() throws {
    try Self.check(.flatten(.channelFirst), [[1, 1, 2, 1, 3]], gives: [1, 1, 6, 1, 1])
    try Self.check(
      .flatten(.channelLast), [[1, 2, 1, 3]], gives: [1, 6, 1, 1], [0, 3, 1, 4, 2, 5])
    // [Seq, C, H, W] to [Seq, W, C, H]; the batch stays second.
    try Self.check(
      .permute(axes: [0, 3, 1, 2]), [[1, 1, 2, 1, 3]], gives: [1, 1, 3, 2, 1], [0, 3, 1, 4, 2, 5])
    try Self.check(
      .permute(axes: [1, 0, 2, 3]), [[2, 1, 3, 1, 1]], gives: [3, 1, 2, 1, 1], [0, 3, 1, 4, 2, 5])
    try Self.check(
      .permute(axes: [0, 3, 1, 2]), [[1, 2, 1, 3]], gives: [1, 3, 2, 1], [0, 3, 1, 4, 2, 5])
    #expect(
      try LayerRunner().failure(.permute(axes: [0, 0, 1, 2]), [[1, 1, 2, 2, 2]]).code
        == .shapeMismatch)
    try Self.check(.transpose(axes: [1, 0]), [[2, 3]], gives: [3, 2], [0, 3, 1, 4, 2, 5])
    try Self.check(.copy, [[2, 3]], gives: [2, 3])
  }

  /// The example of the Core ML specification: 8 channels 1x2, values 1 ... 16.
  @Test func reorganizeDataByTheSpecification() throws {
    let input = try Tensor(shape: [1, 1, 8, 1, 2], floats: (1...16).map { Float($0) })
    func layer(_ mode: ReorganizationMode) -> LayerKind {
      .reorganizeData(ReorganizeDataLayer(mode: mode, blockSize: 2))
    }
    let depth = try LayerRunner().run(layer(.depthToSpace), [input])
    #expect(depth.shape == [1, 1, 2, 2, 4])
    #expect(depth.floats() == [1, 5, 2, 6, 9, 13, 10, 14, 3, 7, 4, 8, 11, 15, 12, 16])
    let shuffled = try LayerRunner().run(layer(.pixelShuffle), [input])
    #expect(shuffled.floats() == [1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14, 16])
    let back = try LayerRunner().run(layer(.spaceToDepth), [depth])
    #expect(back == input)
    #expect(try LayerRunner().failure(layer(.spaceToDepth), [[1, 2, 3, 4]]).code == .shapeMismatch)
    #expect(try LayerRunner().failure(layer(.depthToSpace), [[1, 6, 3, 4]]).code == .shapeMismatch)
  }

  /// coremltools writes a number, one element without dimensions, as what such a layer leaves.
  @Test(arguments: [
    LayerKind.sliceStatic(
      SliceStaticLayer(
        begins: [0], beginMasks: [false], ends: [1], endMasks: [false], strides: [1],
        squeezeMasks: [true])),
    .squeeze(SqueezeLayer(axes: [], squeezesAll: true)),
  ])
  func dimensionsAreInsertedIntoNumbersAsIfTheyHadNone(_ taken: LayerKind) throws {
    func layer(_ kind: LayerKind, _ input: String, _ output: String) -> NeuralNetworkLayer {
      NeuralNetworkLayer(
        name: output, inputs: [input], outputs: [output], kind: kind, typeName: "kind")
    }
    let network = NeuralNetwork(
      layers: [
        layer(taken, "x", "number"), layer(.expandDimensions(axes: [0]), "number", "vector"),
        layer(.expandDimensions(axes: [0]), "vector", "row"),
      ], arrayInputShapeMapping: .exact)
    let outputs = ["number", "vector", "row"]
    let file = ModelDescription(
      specificationVersion: 5, inputs: [LayerRunner.array("x", [1])],
      outputs: outputs.map { LayerRunner.array($0, []) }, body: .neuralNetwork(network))
    let session = try Session(model: Model(file: file, name: "test"))
    try session.setInput("x", to: Tensor(shape: [1], floats: [7]))
    session.run()
    let found = try outputs.map { try session.output($0) }
    #expect(found.map(\.shape) == [[1], [1], [1, 1]])
    #expect(found.map { $0.floats() } == [[7], [7], [7]])
  }

  @Test func shapesOfAnyRank() throws {
    try Self.check(.reshapeStatic(shape: [3, -1]), [[2, 3, 4]], gives: [3, 8])
    try Self.check(.rankPreservingReshape(shape: [0, -1, 1]), [[2, 3, 4]], gives: [2, 12, 1])
    try Self.check(.squeeze(SqueezeLayer(axes: [-1, 0])), [[1, 3, 1, 1]], gives: [3, 1])
    try Self.check(
      .squeeze(SqueezeLayer(axes: [], squeezesAll: true)), [[1, 3, 1, 2]], gives: [3, 2])
    try Self.check(.squeeze(SqueezeLayer(axes: [], squeezesAll: true)), [[1, 1]], gives: [1])
    try Self.check(.expandDimensions(axes: [0, -1]), [[2, 3]], gives: [1, 2, 3, 1])
    try Self.check(.flattenTo2D(axis: 2), [[2, 3, 4, 5]], gives: [6, 20])
    try Self.check(.flattenTo2D(axis: -1), [[2, 3, 4]], gives: [6, 4])
    try Self.check(.flattenTo2D(axis: 0), [[2, 3]], gives: [1, 6])
    #expect(
      try LayerRunner().failure(.reshapeStatic(shape: [5, -1]), [[2, 3]]).code
        == .shapeMismatch)
    #expect(
      try LayerRunner().failure(.reshapeStatic(shape: [-1, -1]), [[2, 3]]).code
        == .shapeMismatch)
    #expect(
      try LayerRunner().failure(.squeeze(SqueezeLayer(axes: [1])), [[1, 3]]).code
        == .shapeMismatch)
    #expect(
      try LayerRunner().failure(.expandDimensions(axes: [0, 0]), [[2]]).code
        == .shapeMismatch)
    let huge = Int(Int32.max)
    #expect(
      try LayerRunner().failure(.reshapeStatic(shape: [huge, huge, huge]), [[2]]).code
        == .overflow)
  }

  @Test func joining() throws {
    try Self.check(
      .concat(alongSequence: false), [[1, 1, 1, 2], [1, 2, 1, 2]], gives: [1, 3, 1, 2],
      [0, 1, 0, 1, 2, 3])
    try Self.check(
      .concat(alongSequence: true), [[1, 1, 1, 1, 2], [2, 1, 1, 1, 2]], gives: [3, 1, 1, 1, 2],
      [0, 1, 0, 1, 2, 3])
    try Self.check(
      .concatND(ConcatNDLayer(axis: -1)), [[2, 1], [2, 2]], gives: [2, 3], [0, 0, 1, 1, 2, 3])
    try Self.check(
      .concatND(ConcatNDLayer(axis: 1, interleaves: true)), [[1, 2], [1, 2], [1, 2]],
      gives: [1, 6], [0, 0, 0, 1, 1, 1])
    try Self.check(.stack(axis: -1), [[2], [2]], gives: [2, 2], [0, 0, 1, 1])
    #expect(try LayerRunner().failure(.stack(axis: 0), [[2], [3]]).code == .shapeMismatch)
    #expect(
      try LayerRunner().failure(.concatND(ConcatNDLayer(axis: 2)), [[2], [3]]).code
        == .shapeMismatch)
  }

  @Test func repeating() throws {
    try Self.check(
      .broadcastToStatic(shape: [2, 3]), [[3]], gives: [2, 3], [0, 1, 2, 0, 1, 2])
    try Self.check(
      .tile(repetitions: [2, 2]), [[1, 2]], gives: [2, 4], [0, 1, 0, 1, 0, 1, 0, 1])
    try Self.check(.tile(repetitions: [1, 2]), [[2, 1]], gives: [2, 2], [0, 0, 1, 1])
    #expect(try LayerRunner().failure(.tile(repetitions: [2]), [[1, 2]]).code == .shapeMismatch)
  }

  @Test func constants() throws {
    let data = weights([1, 2, 3, 4, 5, 6])
    let classic = try LayerRunner().run(
      .loadConstant(ConstantLayer(shape: [3, 1, 2], data: data)), [])
    #expect(classic.shape == [1, 1, 3, 1, 2])
    #expect(classic.floats() == [1, 2, 3, 4, 5, 6])
    let exact = try LayerRunner().run(
      .loadConstantND(ConstantLayer(shape: [2, 3], data: data)), [])
    #expect(exact.shape == [2, 3])
    let filled = try LayerRunner().run(
      .fillStatic(FillStaticLayer(value: 2.5, shape: [2, 2])), [])
    #expect(filled.floats() == [2.5, 2.5, 2.5, 2.5])
    #expect(try LayerRunner().run(.getShape, [Self.counting([2, 3, 4])]).floats() == [2, 3, 4])
  }

  @Test func layersThatCannotBeRunAreNamed() throws {
    let error = try LayerRunner().failure(
      .unsupported(typeName: "gather", fieldNumber: 1), [[2]])
    #expect(error.code == .unsupported)
  }
}
