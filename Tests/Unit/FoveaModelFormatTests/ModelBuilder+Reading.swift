// Fovea - tests: what the reader makes of models built field by field.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport

extension ModelBuilder {
  /// A 2x1x1x1 convolution with `valid` padding and the weights that `fill` writes.
  static func smallConvolution(
    outputs: Int = 2, _ fill: (inout ProtobufWriter) -> Void
  ) -> [UInt8] {
    layer(100) { writer in
      writer.integer(1, outputs)
      writer.integer(2, 1)
      writer.integers(20, [1, 1])
      writer.message(50) { _ in }
      writer.message(90, fill)
    }
  }

  /// The layers of a network file.
  static func layers(of bytes: [UInt8]) throws -> [NeuralNetworkLayer] {
    try network(of: ModelDescription(bytes: bytes)).layers
  }

  private static func network(of model: ModelDescription) throws -> NeuralNetwork {
    guard case .neuralNetwork(let network) = model.body else {
      throw Missing(what: "a network")
    }
    return network
  }

  /// The kind of the only layer of a network.
  static func kind(
    _ type: Int, inputs: [String] = ["x"], outputs: [String] = ["y"],
    _ fill: (inout ProtobufWriter) -> Void = { _ in }
  ) throws -> LayerKind {
    let layer = layer(type, inputs: inputs, outputs: outputs, fill)
    let bytes = network([layer], inputs: inputs, outputs: outputs)
    guard let kind = try layers(of: bytes).first?.kind else { throw Missing(what: "a layer") }
    return kind
  }
}

/// The error of a body that must throw one.
func formatError(_ body: () throws -> Void) throws -> ModelFormatError {
  do {
    try body()
  } catch let error as ModelFormatError {
    return error
  }
  throw Missing(what: "an error")
}
