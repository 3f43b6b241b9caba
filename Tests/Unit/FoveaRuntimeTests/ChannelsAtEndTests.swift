// Fovea - tests of element-wise operations behind transpositions that move channels to the end.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct ChannelsAtEndTests {
  static let (channels, height, width) = (3, 2, 4)

  static func layer(
    _ kind: LayerKind, _ inputs: [String], _ output: String
  ) -> NeuralNetworkLayer {
    NeuralNetworkLayer(
      name: output, inputs: inputs, outputs: [output], kind: kind, typeName: "kind")
  }

  static func constant(_ name: String, _ floats: [Float], _ shape: [Int]) -> NeuralNetworkLayer {
    layer(.loadConstantND(ConstantLayer(shape: shape, data: weights(floats))), [], name)
  }

  /// (max(((x + a) - b) * c, 0) + itself) * 2, with channels at the end, and back again; both are read.
  @Test(arguments: [BackendOptions.reference, .blas, .float])
  func sameNumbersInEitherOrder(_ backend: BackendOptions) throws {
    let (a, b, c): ([Float], [Float], [Float]) = ([1, -2, 3], [0.5, 1, -1], [2, -1, 0.25])
    let network = NeuralNetwork(
      layers: [
        Self.layer(.transpose(axes: [0, 2, 3, 1]), ["x"], "moved"), Self.constant("a", a, [3]),
        Self.constant("b", b, [1, 1, 1, 3]), Self.constant("c", c, [1, 3]),
        Self.constant("two", [2], [1]),
        Self.layer(.broadcastable(.add), ["moved", "a"], "sum"),
        Self.layer(.broadcastable(.subtract), ["sum", "b"], "difference"),
        Self.layer(.broadcastable(.multiply), ["c", "difference"], "product"),
        Self.layer(.activation(.relu), ["product"], "active"),
        Self.layer(.broadcastable(.add), ["active", "product"], "both"),
        Self.layer(.broadcastable(.multiply), ["two", "both"], "end"),
        Self.layer(.transpose(axes: [0, 3, 1, 2]), ["end"], "back"),
      ], arrayInputShapeMapping: .exact)
    let shape = [1, Self.channels, Self.height, Self.width]
    let file = ModelDescription(
      specificationVersion: 5, inputs: [LayerRunner.array("x", shape)],
      outputs: ["moved", "end", "back"].map { LayerRunner.array($0, []) },
      body: .neuralNetwork(network))
    let session = try Session(
      model: Model(file: file, name: "test", options: .init(backend: backend)))
    let x = numbers(shape.reduce(1, *))
    try session.setInput("x", to: Tensor(shape: shape, floats: x))
    session.run()
    let area = Self.height * Self.width
    let expected = x.enumerated().map { place, value in
      let channel = place / area
      let product = ((value + a[channel]) - b[channel]) * c[channel]
      return 2 * (max(product, 0) + product)
    }
    let back = try session.output("back")
    #expect(back.shape == shape)
    expectClose(back.floats(), expected)
    func moved(_ values: [Float]) -> [Float] {
      (0..<area).flatMap { place in (0..<Self.channels).map { values[$0 * area + place] } }
    }
    let end = try session.output("end")
    #expect(end.shape == [1, Self.height, Self.width, Self.channels])
    expectClose(end.floats(), moved(expected))
    expectClose(try session.output("moved").floats(), moved(x))
  }
}
