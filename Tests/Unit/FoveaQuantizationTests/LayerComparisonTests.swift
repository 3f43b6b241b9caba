// Fovea - tests of comparing models layer by layer.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaInspection
import FoveaModelFormat
import FoveaQuantization
import FoveaTestSupport
import Testing

extension ModelDescription {
  /// The same with the numbers of one convolution changed.
  fileprivate func changing(
    _ layer: String, _ change: ([Float]) -> [Float]
  ) throws -> ModelDescription {
    var model = self
    switch body {
    case .pipeline(var pipeline):
      pipeline.stages = try pipeline.stages.map {
        Pipeline.Stage(name: $0.name, model: try $0.model.changing(layer, change))
      }
      model.body = .pipeline(pipeline)
    case .neuralNetwork(var network):
      for index in network.layers.indices where network.layers[index].name == layer {
        guard case .convolution(var convolution) = network.layers[index].kind else { continue }
        convolution.weights = try convolution.weights.changed(
          rows: convolution.outputChannels, change)
        convolution.bias = try convolution.bias?.changed(rows: convolution.outputChannels, change)
        network.layers[index].kind = .convolution(convolution)
      }
      model.body = .neuralNetwork(network)
    default: break
    }
    return model
  }
}

extension WeightData {
  /// The floats that the numbers become.
  fileprivate func changed(rows: Int, _ change: ([Float]) -> [Float]) throws -> WeightData {
    let count =
      encoding.isQuantized ? storedValueCount : storedByteCount * 8 / encoding.bitsPerValue
    let layout = WeightLayout(count: count, channelCount: rows, channelStride: count / rows)
    let bytes = change(try decoded(layout)).flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
    }
    return WeightData(bytes: bytes, segments: [0..<bytes.count], encoding: .float32)
  }
}

@Suite struct LayerComparisonTests {
  private static func example(
    _ backend: BackendOptions = .float, scaling layer: String? = nil, by factor: Float = 1
  ) throws -> Model {
    let file = try ModelDescription(bytes: ShapesDetector.modelBytes())
    return try Model(
      file: layer.map { name in try file.changing(name) { $0.map { $0 * factor } } } ?? file,
      name: "shapes", options: .init(backend: backend).observingNodes())
  }

  /// The example's image, and the same with its channels changed about.
  private static func inputs() throws -> [[String: Tensor]] {
    let request = try DetectObjectsRequest(
      model: Model(bytes: ShapesDetector.modelBytes(), name: "shapes.mlmodel"))
    let image = try Image(
      width: ShapesImage.width, height: ShapesImage.height, rgb: ShapesImage().pixels)
    var pixels = image.rgb
    for pixel in stride(from: 0, to: pixels.count, by: 3) {
      pixels.swapAt(pixel, pixel + 2)
      pixels[pixel + 1] /= 2
    }
    let turned = try Image(width: image.width, height: image.height, rgb: pixels)
    return try [image, turned].map { image in
      let seen = try request.networkInput(on: image).image
      let shape = [seen.height, seen.width, 3]
      return ["image": try Tensor(shape: shape, uint8s: seen.rgb)]
    }
  }

  /// A convolution whose numbers are all larger by one 64th writes numbers that are: 20 log10 64 dB.
  /// All layers are kept, since the sigmoid behind the convolution is otherwise computed with it.
  @Test(arguments: [true, false])
  func ratioOfAScaledLayerIsKnown(_ isOneFile: Bool) throws {
    let kept = BackendOptions.reference(keepsAllLayers: true)
    let comparison = try LayerComparison(
      Self.example(kept), Self.example(kept, scaling: "evidence", by: 65.0 / 64),
      areOfOneFile: isOneFile)
    for input in try Self.inputs() { try comparison.add(input) }
    #expect(comparison.inputCount == 2)
    let layers = comparison.layers
    let place = try #require(layers.firstIndex { $0.layer == "evidence" })
    #expect(abs(layers[place].decibels - 36.123599479677) < 0.001)
    #expect(abs(layers[place].loss - (40 - 36.123599479677)) < 0.001)
    #expect(layers[..<place].count >= 3)
    #expect(layers[..<place].allSatisfy { $0.noise == 0 && $0.decibels == .infinity })
    #expect(LayerAgreement.worst(layers, count: 1).map(\.layer) == ["evidence"])
  }

  @Test func equalModelsAreExact() throws {
    let comparison = try LayerComparison(Self.example(), Self.example(), areOfOneFile: true)
    for input in try Self.inputs() { try comparison.add(input) }
    #expect(comparison.layers.count >= 8)
    for layer in comparison.layers {
      #expect(
        layer.noise == 0 && layer.decibels == .infinity && layer.loss == 0 && layer.signal > 0)
    }
    #expect(LayerAgreement.worst(comparison.layers).isEmpty)
  }

  @Test(arguments: [Backend.blas, .reference])
  func exactBackendsAgreeInEveryLayer(_ backend: Backend) throws {
    let comparison = try LayerComparison(
      Self.example(), Self.example(BackendOptions(backend)), areOfOneFile: true)
    for input in try Self.inputs() { try comparison.add(input) }
    #expect(comparison.layers.count >= 5)
    for layer in comparison.layers { #expect(layer.decibels > 90, "\(layer)") }
  }

  @Test func theOrderOfImagesDoesNotMatter() throws {
    let orders = try [Self.inputs(), Self.inputs().reversed()].map { inputs in
      let comparison = try LayerComparison(
        Self.example(), Self.example(.int8), areOfOneFile: true)
      for input in inputs { try comparison.add(input) }
      return comparison.layers
    }
    #expect(orders[0].contains { $0.noise > 0 })
    for (one, other) in zip(orders[0], orders[1]) {
      #expect(abs(one.signal - other.signal) <= 1e-12 * one.signal)
      #expect(abs(one.noise - other.noise) <= 1e-12 * one.noise)
    }
  }

  @Test func theWorstAreNamedInOrder() {
    func layer(_ name: String, _ loss: Double) -> LayerAgreement {
      LayerAgreement(
        layer: name, operation: "", activation: "", outputShape: [], signal: 1, noise: 1,
        loss: loss)
    }
    let layers = [layer("a", 3), layer("b", 9), layer("c", 2.9), layer("d", 9), layer("e", 4)]
    #expect(LayerAgreement.worst(layers).map(\.layer) == ["b", "d", "e"])
    #expect(LayerAgreement.worst(layers, count: 9).map(\.layer) == ["b", "d", "e", "a"])
  }

  @Test func modelsMustBeMadeForIt() throws {
    let model = try Model(bytes: ShapesDetector.modelBytes(), name: "shapes")
    let comparison = try LayerComparison(model, Self.example(), areOfOneFile: true)
    let input = try Self.inputs()[0]
    #expect(throws: FoveaError.self) { try comparison.add(input) }
  }
}

/// On a real network and photographs.
@Suite(.enabled(if: SharedData.isPresent))
struct RealLayerComparisonTests {
  private static let path = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel").path

  private static func layers(_ other: Model) throws -> [LayerAgreement] {
    let exact = try Model(
      contentsOf: path, options: .init(backend: .float).observingNodes())
    let comparison = try LayerComparison(
      exact, other, areOfOneFile: true, pool: ThreadPool(threadCount: 2))
    for name in ["dog", "person"] {
      let input = SharedData.url("references/inputs/\(name)-320x320.npy").path
      try comparison.add(["image": Tensor(contentsOf: input)])
    }
    return comparison.layers
  }

  /// Labels of all convolutions in the order in which they run.
  private static func convolutions() throws -> [String] {
    try Model(contentsOf: path, options: .init(backend: .float)).nodes
      .filter { $0.operation == "convolution" }.map(\.label)
  }

  /// One layer with 16 levels of weights among exact ones is named, wherever it stands.
  @Test(arguments: [3, 40, 80])
  func aDestroyedLayerIsNamed(_ index: Int) throws {
    let label = try Self.convolutions()[index]
    let file = try ModelDescription(bytes: SharedData.bytes("models/yolo-fastest-1.1-xl.mlmodel"))
    let broken = try file.changing(label) { numbers in
      let step = (numbers.map(\.magnitude).max() ?? 1) / 2
      return numbers.map { ($0 / step).rounded() * step }
    }
    let layers = try Self.layers(
      Model(file: broken, name: "broken", options: .init(backend: .float).observingNodes()))
    let place = try #require(layers.firstIndex { $0.layer == label })
    #expect(layers[..<place].allSatisfy { $0.noise == 0 })
    #expect(LayerAgreement.worst(layers, count: 1).map(\.layer) == [label])
  }

  /// One layer in integers among floats is where accuracy is lost, and before it nothing is.
  @Test func theOnlyIntegerLayerIsNamed() throws {
    let labels = try Self.convolutions()
    let calibrator = try ActivationCalibrator(contentsOf: Self.path)
    try calibrator.add(Image(contentsOf: SharedData.url("images/dog.jpg").path))
    // Behind it there is a sum, whose operands are codes whatever wrote them.
    let label = labels[2]
    let layers = try Self.layers(
      Model(
        contentsOf: Self.path,
        options: .init(
          backend: .int8(
            calibration: calibrator.ranges, floatLayers: Set(labels).subtracting([label]))
        ).observingNodes()))
    let place = try #require(layers.firstIndex { $0.layer == label })
    #expect(layers[..<place].allSatisfy { $0.decibels > 60 })
    #expect(layers[place].decibels < 50)
    // The boxes' decoding multiplies what comes in, which is not its doing.
    let decoding = try #require(layers.first { $0.operation == "detection_coordinates" })
    #expect(decoding.noise > 0 && decoding.loss == 0)
  }
}
