// Fovea - tests: every layer that is read, from its fields.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct LayerReadingTests {
  private func kind(
    _ type: Int, inputs: [String] = ["x"], outputs: [String] = ["y"],
    _ fill: (inout ProtobufWriter) -> Void = { _ in }
  ) throws -> LayerKind {
    try ModelBuilder.kind(type, inputs: inputs, outputs: outputs, fill)
  }

  private func refuses(
    _ type: Int, inputs: [String] = ["x"], outputs: [String] = ["y"],
    _ fill: (inout ProtobufWriter) -> Void = { _ in }
  ) throws -> ModelFormatError {
    try formatError { _ = try kind(type, inputs: inputs, outputs: outputs, fill) }
  }

  // MARK: Planes

  @Test func poolingHasDefaults() throws {
    let plain = try kind(120) { $0.message(30) { _ in } }
    #expect(
      plain
        == .pooling(
          PoolingLayer(
            operation: .maximum,
            windows: PoolingWindows(
              size: SpatialSize(height: 3, width: 3), stride: SpatialSize(height: 1, width: 1),
              padding: .valid(BorderAmounts())))))
    #expect(try refuses(120).code == .missingField)
    let full = try kind(120) {
      $0.integer(1, 1)
      $0.integers(10, [2, 5])
      $0.integers(20, [4, 3])
      $0.message(32) { $0.integers(10, [1, 2]) }
      $0.integer(50, 1)
    }
    #expect(
      full
        == .pooling(
          PoolingLayer(
            operation: .average,
            windows: PoolingWindows(
              size: SpatialSize(height: 2, width: 5), stride: SpatialSize(height: 4, width: 3),
              padding: .includeLastPixel(height: 1, width: 2)),
            excludesPadding: true)))
    #expect(try refuses(120) { $0.integers(10, [2]) }.code == .missingField)
    let oneValue = try refuses(120) {
      $0.integers(10, [2])
      $0.message(31) { _ in }
    }
    #expect(oneValue.fieldPath == "neuralNetwork.layers[0].pooling.kernelSize")
  }

  @Test func bordersAreTopBottomLeftRight() throws {
    let amounts: (inout ProtobufWriter) -> Void = { writer in
      writer.message(10) { edge in
        edge.integer(1, 1)
        edge.integer(2, 2)
      }
      writer.message(10) { edge in
        edge.integer(1, 3)
        edge.integer(2, 4)
      }
    }
    let borders = BorderAmounts(top: 1, bottom: 2, left: 3, right: 4)
    let padding = try kind(200) {
      $0.message(1) { $0.float(1, -2.5) }
      $0.message(10, amounts)
    }
    #expect(padding == .padding(SpatialPaddingLayer(mode: .constant(-2.5), amounts: borders)))
    #expect(
      try kind(200) { $0.message(3) { _ in } }
        == .padding(SpatialPaddingLayer(mode: .replication, amounts: BorderAmounts())))
    #expect(try refuses(200) { $0.message(10, amounts) }.code == .missingField)
    #expect(
      try kind(190, inputs: ["x", "z"]) {
        $0.message(1, amounts)
        $0.integers(5, [7, 8])
      } == .crop(CropLayer(amounts: borders, offset: [7, 8])))
    let single = try refuses(200) {
      $0.message(1) { _ in }
      $0.message(10) { $0.message(10) { $0.integer(1, 1) } }
    }
    #expect(single.found == "1 values")
  }

  @Test func resizing() throws {
    #expect(
      try kind(210)
        == .upsample(
          UpsampleLayer(
            scale: .integer(SpatialSize(height: 1, width: 1)), mode: .nearestNeighbor)))
    #expect(
      try kind(210) {
        $0.floats(7, [1.5, 2.5])
        $0.integer(5, 1)
        $0.integer(6, 2)
      }
        == .upsample(
          UpsampleLayer(
            scale: .fractional(height: 1.5, width: 2.5), mode: .bilinear(.halfPixelCenters))))
    #expect(try refuses(210) { $0.floats(7, [.nan, 1]) }.code == .invalidValue)
    #expect(try refuses(210) { $0.integers(1, [0, 2]) }.code == .invalidValue)
    #expect(try refuses(210) { $0.integer(5, 7) }.expected == "one of 0, 1")
    #expect(
      try kind(211) {
        $0.integers(1, [10, 20])
        $0.message(2) { $0.integer(1, 3) }
      }
        == .resizeBilinear(
          ResizeBilinearLayer(
            targetSize: SpatialSize(height: 10, width: 20), sampling: .regionOfInterestAlign)))
    #expect(
      try kind(345) {
        $0.integer(1, 1)
        $0.integer(2, 2)
      } == .reorganizeData(ReorganizeDataLayer(mode: .depthToSpace, blockSize: 2)))
    #expect(try refuses(345).code == .invalidValue)
  }

  // MARK: Arithmetic

  @Test func activations() throws {
    func activation(
      _ number: Int, _ fill: @escaping (inout ProtobufWriter) -> Void = { _ in }
    ) throws -> LayerKind {
      try kind(130) { $0.message(number, fill) }
    }
    let pair: (inout ProtobufWriter) -> Void = {
      $0.float(1, 0.25)
      $0.float(2, -3)
    }
    #expect(try activation(5, pair) == .activation(.linear(alpha: 0.25, beta: -3)))
    #expect(try activation(10) == .activation(.relu))
    #expect(try activation(15, pair) == .activation(.leakyReLU(alpha: 0.25)))
    #expect(try activation(20, pair) == .activation(.thresholdedReLU(alpha: 0.25)))
    #expect(try activation(30) == .activation(.tanh))
    #expect(try activation(31, pair) == .activation(.scaledTanh(alpha: 0.25, beta: -3)))
    #expect(try activation(40) == .activation(.sigmoid))
    #expect(try activation(41, pair) == .activation(.hardSigmoid(alpha: 0.25, beta: -3)))
    #expect(try activation(50, pair) == .activation(.elu(alpha: 0.25)))
    #expect(try activation(60) == .activation(.softsign))
    #expect(try activation(70) == .activation(.softplus))
    let weights = ModelBuilder.weights([1, 2, 3])
    guard
      case .activation(.prelu(let slopes)) = try activation(25, { $0.message(1, weights) })
    else { throw Missing(what: "slopes") }
    #expect(try slopes.decoded(count: 3) == [1, 2, 3])
    guard
      case .activation(.parametricSoftplus(let alpha, let beta)) = try activation(
        71,
        {
          $0.message(1, weights)
          $0.message(2, weights)
        })
    else { throw Missing(what: "parameters") }
    #expect(alpha == beta && alpha.storedValueCount == 3)
    #expect(try refuses(130).code == .missingField)
    let two = try kind(130) {
      $0.message(15, pair)
      $0.message(40) { _ in }
    }
    #expect(two == .activation(.sigmoid))
  }

  @Test func unaryAndPlainLayers() throws {
    #expect(
      try kind(220) { $0.integer(1, 4) }
        == .unary(
          UnaryFunctionLayer(
            operation: .exponential, alpha: 0, epsilon: 1e-6, shift: 0, scale: 1)))
    #expect(try refuses(220) { $0.integer(1, 8) }.code == .invalidValue)
    #expect(try kind(230, inputs: ["x"]) { $0.float(1, 2) } == .add(alpha: 2))
    #expect(try kind(231, inputs: ["x", "z"]) == .multiply(alpha: 0))
    #expect(try kind(260, inputs: ["x", "z", "w"]) == .maximum)
    #expect(try kind(665) == .elementwise(.ceil))
    #expect(try kind(790) == .elementwise(.erf))
    #expect(try kind(885, inputs: ["x", "z"]) == .broadcastable(.power))
    #expect(try refuses(885).found.contains("with 1 inputs"))
    #expect(
      try kind(660) {
        $0.float(1, -1)
        $0.float(2, 6)
      } == .clip(ClipLayer(minimum: -1, maximum: 6)))
    #expect(try kind(795) { $0.integer(1, 1) } == .gelu(.tanhApproximation))
    #expect(try kind(950) { $0.integer(1, -1) } == .softmaxND(axis: -1))
    #expect(try kind(175) == .softmax)
  }

  @Test func reductions() throws {
    #expect(
      try kind(280) {
        $0.integer(1, 1)
        $0.integer(3, 2)
      } == .reduce(ReduceLayer(operation: .mean, axis: .channel)))
    let types: [(Int, ReduceOperation)] = [
      (1250, .l1), (1255, .l2), (1260, .maximum), (1265, .minimum), (1270, .sum),
      (1275, .product), (1280, .mean), (1285, .logSum), (1290, .sumOfSquares),
      (1295, .logSumExp),
    ]
    for (type, operation) in types {
      #expect(
        try kind(type) {
          $0.integers(1, [-1, 2])
          $0.integer(2, 1)
        }
          == .reduceAxes(
            ReduceAxesLayer(
              operation: operation, axes: [-1, 2], keepsDimensions: true, reducesAll: false)))
    }
    #expect(try refuses(1260).code == .invalidValue)
    #expect(try refuses(1260) { $0.integers(1, [1, 1]) }.code == .invalidValue)
  }

  // MARK: Unsupported layers

  @Test(arguments: [
    (500, "custom"), (420, "uniDirectionalLSTM"), (1400, "NonMaximumSuppression"),
    (615, "loop"), (1471, "convolution3d"),
  ])
  func otherLayersAreNamed(type: Int, name: String) throws {
    let layer = ModelBuilder.layer(type, inputs: [], outputs: ["y", "z"])
    let layers = try ModelBuilder.layers(of: ModelBuilder.network([layer]))
    #expect(layers.first?.kind == .unsupported(typeName: name, fieldNumber: type))
    #expect(layers.first?.typeName == name)
  }

  @Test func unknownLayerFieldsAreMentioned() throws {
    let error = try refuses(9999)
    #expect(error.code == .missingField)
    #expect(error.found.contains("9999"))
    #expect(error.layerName == "layer")
  }
}
