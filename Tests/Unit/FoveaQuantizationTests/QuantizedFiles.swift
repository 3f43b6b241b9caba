// Fovea - tests: model files to quantize, with fields that no specification knows.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport

/// Model files to quantize.
enum QuantizedFiles {
  /// Weights that no two of are equal, with channels of very different scales.
  static func weights(_ count: Int, channels: Int, seed: UInt64) -> [Float] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { index in
      let scale = Float(1 + index * channels / count)
      return scale
        * (Float.random(in: -1...1, using: &random) + Float.random(in: -1...1, using: &random))
    }
  }

  /// An image named "image" of 16 x 16.
  static var image: [UInt8] { ModelBuilder.image("image", width: 16, height: 16) }

  /// A layer with unknown fields and a group beside what is known.
  static func layer(
    _ type: Int, _ name: String, _ input: String, _ output: String,
    _ fill: (inout ProtobufWriter) -> Void
  ) -> [UInt8] {
    ProtobufWriter { writer in
      writer.string(1, name)
      writer.string(2, input)
      writer.string(77, "a field of layer \(name)")
      writer.message(type, fill)
      writer.string(3, output)
      writer.tag(78, wire: 3)
      writer.integer(1, 5)
      writer.tag(78, wire: 4)
    }.bytes
  }

  /// A convolution with a `kernel` x `kernel` window and 'same' padding.
  static func convolution(
    _ name: String, _ input: String, _ output: String, inputs: Int, outputs: Int, groups: Int = 1,
    kernel: Int = 3, weights: [Float], bias: [Float]? = nil
  ) -> [UInt8] {
    layer(100, name, input, output) { writer in
      writer.integer(1, outputs)
      writer.integer(2, inputs / groups)
      writer.integer(10, groups)
      writer.integers(20, [kernel, kernel])
      writer.message(51) { _ in }
      if bias != nil { writer.integer(70, 1) }
      writer.message(90) { message in
        message.floats(1, weights)
        message.string(99, "a field of weights")
      }
      if let bias { writer.message(91) { $0.floats(1, bias) } }
      writer.double(500, 0.5)
    }
  }

  /// A normalization of `channels` with statistics of their own.
  static func normalization(
    _ name: String, _ input: String, _ output: String, channels: Int
  ) -> [UInt8] {
    layer(160, name, input, output) { writer in
      writer.integer(1, channels)
      for (field, offset) in [(15, Float(1)), (16, 0.25), (17, -0.5), (18, 2)] {
        writer.message(field) {
          $0.floats(1, (0..<channels).map { offset + Float($0) / 16 })
        }
      }
    }
  }

  /// A model around a network, with unknown fields.
  static func model(
    version: Int, input: [UInt8] = image, output: [UInt8], _ layers: [[UInt8]]
  ) -> [UInt8] {
    ProtobufWriter { writer in
      writer.integer(1, version)
      writer.string(901, "a field of the model")
      writer.message(2) { description in
        description.data(1, input)
        description.data(10, output)
        description.message(100) { $0.string(1, "what it is for") }
      }
      writer.message(500) { network in
        for layer in layers { network.data(1, layer) }
        network.string(902, "a field of the network")
        network.message(2) { preprocessing in
          preprocessing.message(10) { $0.float(10, 1.0 / 255) }
        }
      }
    }.bytes
  }

  /// A pipeline of a network: convolution, normalization, depthwise convolution with bias.
  static func pipeline(version: Int = 1) -> [UInt8] {
    let inner = model(
      version: version, output: ModelBuilder.array("z", [8, 16, 16]),
      [
        convolution(
          "first", "image", "x", inputs: 3, outputs: 8, weights: weights(216, channels: 8, seed: 1)),
        normalization("norm", "x", "y", channels: 8),
        convolution(
          "second", "y", "w", inputs: 8, outputs: 8, kernel: 1,
          weights: weights(64, channels: 8, seed: 3), bias: (0..<8).map { Float($0) / 8 }),
        convolution(
          "depthwise", "w", "z", inputs: 8, outputs: 8, groups: 8,
          weights: weights(72, channels: 8, seed: 2), bias: (0..<8).map { -Float($0) }),
      ])
    return ProtobufWriter { writer in
      writer.integer(1, version)
      writer.message(2) { description in
        description.data(1, image)
        description.data(10, ModelBuilder.array("z", [8, 16, 16]))
      }
      writer.message(202) { pipeline in
        pipeline.data(1, inner)
        pipeline.string(2, "network")
      }
      writer.string(903, "a field of the pipeline")
    }.bytes
  }
}
