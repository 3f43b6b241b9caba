// Fovea - a classifier's end as torch's converter writes it, on every backend.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

/// Convolution, rectifier, mean of the plane, dense layer: what every MobileNet ends with.
@Suite struct GlobalPoolingTests {
  static let inputs = 3
  static let channels = 16
  static let side = 6
  static let classes = 4

  /// The factor of channel `channel` of the 1x1 convolution, the same for all its inputs.
  static func factor(_ channel: Int) -> Float { Float(channel - 7) / 8 }
  /// The weight of `channel` in a class.
  static func weight(_ place: Int, _ channel: Int) -> Float { Float((place + channel) % 5 - 2) / 4 }

  /// The file, in the fields that coremltools writes: a window and a stride of 0x0, and amounts of
  /// padding that are 0.
  static var file: [UInt8] {
    let convolution = ModelBuilder.layer(100, name: "conv", inputs: ["x"], outputs: ["sum"]) {
      $0.integer(1, channels)
      $0.integer(2, inputs)
      $0.integer(10, 1)
      $0.integers(20, [1, 1])
      $0.integers(30, [1, 1])
      $0.integers(40, [1, 1])
      $0.message(50) { _ in }
      $0.message(
        90,
        ModelBuilder.weights(
          (0..<channels).flatMap { Array(repeating: factor($0), count: inputs) }))
    }
    let rectifier = ModelBuilder.layer(130, name: "relu", inputs: ["sum"], outputs: ["active"]) {
      $0.message(10) { _ in }
    }
    let pooling = ModelBuilder.layer(
      120, name: "pool", inputs: ["active"], outputs: ["mean"], ModelBuilder.globalAverage)
    let squeeze = ModelBuilder.layer(1120, name: "flat", inputs: ["mean"], outputs: ["vector"]) {
      $0.integers(1, [-1, -2])
    }
    let dense = ModelBuilder.layer(140, name: "dense", inputs: ["vector"], outputs: ["scores"]) {
      $0.integer(1, channels)
      $0.integer(2, classes)
      $0.integer(10, 1)
      $0.message(
        20,
        ModelBuilder.weights(
          (0..<classes).flatMap { place in (0..<channels).map { weight(place, $0) } }))
      $0.message(21, ModelBuilder.weights((0..<classes).map { Float($0) }))
    }
    return ModelBuilder.model(
      inputs: [ModelBuilder.array("x", [1, inputs, side, side])],
      outputs: [ModelBuilder.array("scores", [1, classes])], type: 500
    ) {
      for layer in [convolution, rectifier, pooling, squeeze, dense] { $0.data(1, layer) }
      $0.integer(5, 1)
      $0.integer(6, 1)
    }
  }

  /// Element (c, r, k) of the input is r + 1, so that a channel's sum is 3 (r + 1), the rectifier
  /// keeps channels whose factor is positive, and the mean over rows is 3 * factor * (side + 1) / 2.
  static var expected: [Float] {
    let means = (0..<channels).map {
      max(factor($0), 0) * Float(inputs) * Float(side + 1) / 2
    }
    return (0..<classes).map { place in
      Float(place) + means.indices.reduce(0) { $0 + weight(place, $1) * means[$1] }
    }
  }

  @Test(arguments: [Backend.reference, .blas, .float, .int8])
  func theMeanOfThePlaneIsTaken(backend: Backend) throws {
    let model = try Model(
      bytes: Self.file, name: "classifier", options: Model.Options(backend: .init(backend)))
    let session = try Session(model: model)
    let values = (0..<Self.inputs * Self.side * Self.side).map { index in
      Float(index / Self.side % Self.side + 1)
    }
    try session.setInput(
      "x", to: Tensor(shape: [1, Self.inputs, Self.side, Self.side], floats: values))
    session.run()
    let scores = try session.output("scores")
    #expect(scores.shape == [1, Self.classes])
    // Codes of 8 bits hold each activation to one part in 255 of the largest.
    expectClose(scores.floats(), Self.expected, tolerance: backend == .int8 ? 0.02 : 1e-5)
  }
}
