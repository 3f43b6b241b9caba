// Fovea - model files written field by field.
// SPDX-License-Identifier: Apache-2.0

/// Builds model files from the field numbers of the specification.
public enum ModelBuilder {
  /// A model with a body in field `type`.
  public static func model(
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
  public static func feature(
    _ name: String, _ fill: (inout ProtobufWriter) -> Void = { $0.message(2) { _ in } }
  ) -> [UInt8] {
    ProtobufWriter { writer in
      writer.string(1, name)
      writer.message(3, fill)
    }.bytes
  }

  /// A feature that is an array of `shape`, of floats with 32 bits.
  public static func array(_ name: String, _ shape: [Int]) -> [UInt8] {
    feature(name) { type in
      type.message(5) { array in
        array.integers(1, shape)
        array.integer(2, 65_568)
      }
    }
  }

  /// A feature that is an image, in colors unless `colorSpace` says otherwise.
  public static func image(_ name: String, width: Int, height: Int, colorSpace: Int = 20) -> [UInt8]
  {
    feature(name) { type in
      type.message(4) { image in
        image.integer(1, width)
        image.integer(2, height)
        image.integer(3, colorSpace)
      }
    }
  }

  /// The parameters of a pooling layer that averages the whole plane, in the form of coremltools:
  /// with a size and a stride of 0.
  public static func globalAverage(_ pooling: inout ProtobufWriter) {
    pooling.integer(1, 1)
    pooling.integers(10, [0, 0])
    pooling.integers(20, [0, 0])
    pooling.message(30) { padding in
      padding.message(1) { border in
        for _ in 0..<2 { border.message(10) { _ in } }
      }
    }
    pooling.integer(50, 1)
    pooling.integer(60, 1)
  }

  /// A layer; `fill` writes its parameters into field `type`.
  public static func layer(
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
  public static func network(
    _ layers: [[UInt8]], inputs: [String] = ["x"], outputs: [String] = ["y"]
  ) -> [UInt8] {
    model(inputs: inputs.map { feature($0) }, outputs: outputs.map { feature($0) }, type: 500) {
      for layer in layers { $0.data(1, layer) }
    }
  }

  /// Weights in full precision.
  public static func weights(_ values: [Float]) -> (inout ProtobufWriter) -> Void {
    { $0.floats(1, values) }
  }
}
