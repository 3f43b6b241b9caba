// Fovea - tests: models built field by field.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport

/// Builds model files from the field numbers of the specification.
enum ModelBuilder {
  /// A model with a body in field `type`.
  static func model(
    version: Int = 4, inputs: [[UInt8]] = [], outputs: [[UInt8]] = [], type: Int,
    _ body: (inout ProtobufWriter) -> Void
  ) -> [UInt8] {
    ProtobufWriter { writer in
      writer.integer(1, version)
      writer.message(2) { description in
        for input in inputs { description.data(1, input) }
        for output in outputs { description.data(10, output) }
      }
      writer.message(type, body)
    }.bytes
  }

  /// A feature; `fill` writes its type.
  static func feature(
    _ name: String, _ fill: (inout ProtobufWriter) -> Void = { $0.message(2) { _ in } }
  ) -> [UInt8] {
    ProtobufWriter { writer in
      writer.string(1, name)
      writer.message(3, fill)
    }.bytes
  }

  static func image(_ name: String, width: Int, height: Int, colorSpace: Int = 20) -> [UInt8] {
    feature(name) { type in
      type.message(4) { image in
        image.integer(1, width)
        image.integer(2, height)
        image.integer(3, colorSpace)
      }
    }
  }

  /// A layer; `fill` writes its parameters into field `type`.
  static func layer(
    _ type: Int, name: String = "layer", inputs: [String] = ["x"], outputs: [String] = ["y"],
    _ fill: (inout ProtobufWriter) -> Void = { _ in }
  ) -> [UInt8] {
    ProtobufWriter { writer in
      writer.string(1, name)
      for input in inputs { writer.string(2, input) }
      for output in outputs { writer.string(3, output) }
      writer.message(type, fill)
    }.bytes
  }

  /// A network that reads "x" (and whatever else is listed) and writes "y".
  static func network(
    _ layers: [[UInt8]], inputs: [String] = ["x"], outputs: [String] = ["y"]
  ) -> [UInt8] {
    model(inputs: inputs.map { feature($0) }, outputs: outputs.map { feature($0) }, type: 500) {
      for layer in layers { $0.data(1, layer) }
    }
  }

  /// Weights in full precision.
  static func weights(_ values: [Float]) -> (inout ProtobufWriter) -> Void {
    { $0.floats(1, values) }
  }

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
    try network(of: CoreMLModel(bytes: bytes)).layers
  }

  private static func network(of model: CoreMLModel) throws -> NeuralNetwork {
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
