// Fovea - small networks that hold every kind of layer, as seeds for mutations.
// SPDX-License-Identifier: Apache-2.0

/// Networks of a few layers that read "x" of 4 x 6 x 8 numbers, written field by field.
public enum LayerNetworks {
  private typealias Fill = (inout ProtobufWriter) -> Void

  /// A network that is valid.
  public struct Seed {
    /// What is in it.
    public var name: String
    /// The file.
    public var bytes: [UInt8]
  }

  /// One network for each layer, and one of many layers.
  public static var all: [Seed] {
    let single = layers.map { layer in
      Seed(
        name: layer.name,
        bytes: network(
          [written(layer, inputs: layer.inputs, outputs: layer.outputs)], outputs: layer.outputs))
    }
    return single + [permutation, chain, images]
  }

  private struct Layer {
    var name: String
    var type: Int
    var inputs = ["x"]
    var outputs = ["y"]
    var fill: Fill

    init(
      _ name: String, _ type: Int, inputs: [String] = ["x"], outputs: [String] = ["y"],
      _ fill: @escaping Fill = { _ in }
    ) {
      (self.name, self.type, self.inputs, self.outputs, self.fill) = (
        name, type, inputs, outputs, fill
      )
    }
  }

  // MARK: Files

  /// Shapes are exact, or have five dimensions, of which an array names the last three.
  private static func network(
    _ layers: [[UInt8]], outputs: [String], isExact: Bool = true
  ) -> [UInt8] {
    ModelBuilder.model(
      inputs: [ModelBuilder.array("x", [4, 6, 8])],
      outputs: outputs.map { ModelBuilder.array($0, []) }, type: 500
    ) {
      for layer in layers { $0.data(1, layer) }
      $0.integer(5, isExact ? 1 : 0)
    }
  }

  private static func written(_ layer: Layer, inputs: [String], outputs: [String]) -> [UInt8] {
    ModelBuilder.layer(
      layer.type, name: layer.name, inputs: inputs, outputs: outputs, layer.fill)
  }

  private static func floats(_ count: Int) -> Fill {
    { $0.floats(1, (0..<count).map { Float(($0 * 7919 + 13) % 31 - 15) / 8 }) }
  }

  /// Codes of 8 bits and a table of 256 values.
  private static func codes(_ count: Int) -> Fill {
    {
      $0.data(30, (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
      $0.message(40) { quantization in
        quantization.integer(1, 8)
        quantization.message(102) { $0.floats(1, (0..<256).map { Float($0) / 64 - 2 }) }
      }
    }
  }

  /// Codes of 4 bits, a scale and a bias for each of `channels`.
  private static func linear(_ count: Int, channels: Int) -> Fill {
    {
      $0.data(30, (0..<(count + 1) / 2).map { UInt8(truncatingIfNeeded: $0 &* 29) })
      $0.message(40) { quantization in
        quantization.integer(1, 4)
        quantization.message(101) {
          $0.floats(1, [Float](repeating: 0.125, count: channels))
          $0.floats(2, [Float](repeating: -1, count: channels))
        }
      }
    }
  }

  private static func borders(_ amounts: [(Int, Int)]) -> Fill {
    { writer in
      for amount in amounts {
        writer.message(10) { edge in
          edge.integer(1, amount.0)
          edge.integer(2, amount.1)
        }
      }
    }
  }

  // MARK: Layers

  private static func convolution(
    outputs: Int, inputsOfGroup: Int, groups: Int = 1, kernel: [Int] = [3, 3],
    stride: [Int] = [1, 1],
    dilation: [Int] = [1, 1], isDeconvolution: Bool = false, weights: @escaping Fill
  ) -> Fill {
    { writer in
      writer.integer(1, outputs)
      writer.integer(2, inputsOfGroup)
      writer.integer(10, groups)
      writer.integers(20, kernel)
      writer.integers(30, stride)
      writer.integers(40, dilation)
      writer.message(51) { _ in }
      if isDeconvolution { writer.integer(60, 1) }
      writer.integer(70, 1)
      writer.message(90, weights)
      writer.message(91, floats(outputs))
    }
  }

  private static var layers: [Layer] { weighted + pointwise + spatial + shaping }

  private static var weighted: [Layer] {
    [
      Layer(
        "convolution", 100, convolution(outputs: 5, inputsOfGroup: 4, weights: floats(5 * 4 * 9))),
      Layer(
        "coded", 100,
        convolution(outputs: 8, inputsOfGroup: 4, stride: [2, 2], weights: codes(8 * 4 * 9))),
      Layer(
        "depthwise", 100,
        convolution(
          outputs: 4, inputsOfGroup: 1, groups: 4, dilation: [2, 1],
          weights: linear(4 * 9, channels: 4))),
      Layer(
        "grouped", 100,
        convolution(outputs: 6, inputsOfGroup: 2, groups: 2, kernel: [1, 1], weights: floats(12))),
      Layer(
        "transposed", 100,
        convolution(
          outputs: 3, inputsOfGroup: 4, kernel: [2, 2], stride: [2, 2], isDeconvolution: true,
          weights: floats(4 * 3 * 4))),
      Layer("dense", 140) {
        $0.integer(1, 8)
        $0.integer(2, 3)
        $0.integer(10, 1)
        $0.message(20, codes(8 * 3))
        $0.message(21, floats(3))
      },
      Layer("normalization", 160) {
        $0.integer(1, 4)
        $0.float(10, 1e-5)
        for field in 15...17 { $0.message(field, floats(4)) }
        $0.message(18) { $0.floats(1, [0.5, 1, 2, 4]) }
      },
      Layer("scale", 245) {
        $0.integers(1, [4, 1, 1])
        $0.message(2, floats(4))
        $0.integer(3, 1)
        $0.integers(4, [1])
        $0.message(5, floats(1))
      },
      Layer("bias", 250) {
        $0.integers(1, [4, 6, 8])
        $0.message(2, floats(192))
      },
      Layer("constant", 290, inputs: []) {
        $0.integers(1, [2, 3, 4])
        $0.message(2, floats(24))
      },
      Layer("matrices", 1045) {
        $0.integer(5, 8)
        $0.integer(6, 3)
        $0.message(8, floats(24))
        $0.message(9, floats(3))
      },
      Layer("layerNorm", 1350) {
        $0.integers(1, [8])
        $0.float(2, 1e-5)
        $0.message(3, floats(8))
        $0.message(4, floats(8))
      },
    ]
  }

  private static var pointwise: [Layer] {
    let activations = [5, 10, 15, 20, 30, 31, 40, 41, 50, 60, 70].map { number in
      Layer("activation\(number)", 130) {
        $0.message(number) {
          $0.float(1, 0.25)
          $0.float(2, 0.5)
        }
      }
    }
    return activations + [
      Layer("slopes", 130) { $0.message(25) { $0.message(1, floats(4)) } },
      Layer("moments", 165) {
        $0.integer(1, 1)
        $0.integer(2, 1)
        $0.float(3, 1e-5)
      },
      Layer("norm", 170) { $0.float(1, 1e-5) },
      Layer("softmax", 175),
      Layer("response", 180) {
        $0.float(1, 1e-4)
        $0.float(2, 0.75)
        $0.integer(3, 3)
        $0.float(4, 1)
      },
      Layer("unary", 220) {
        $0.integer(1, 4)
        $0.float(4, 0.5)
        $0.float(5, 0.25)
      },
      Layer("add", 230, inputs: ["x", "x"]),
      Layer("multiply", 231) { $0.float(1, 0.5) },
      Layer("maximum", 260, inputs: ["x", "x"]),
      Layer("clip", 660) {
        $0.float(1, -1)
        $0.float(2, 1)
      },
      Layer("gelu", 795),
      Layer("broadcast sum", 880, inputs: ["x", "x"]),
      Layer("softmaxND", 950) { $0.integer(1, -1) },
    ]
  }

  private static var spatial: [Layer] {
    [
      Layer("pooling", 120) {
        $0.integer(1, 1)
        $0.integers(10, [3, 3])
        $0.integers(20, [2, 2])
        $0.message(31) { _ in }
        $0.integer(50, 1)
      },
      Layer("global", 120) {
        $0.integer(1, 1)
        $0.integers(10, [0, 0])
        $0.integers(20, [0, 0])
        $0.message(30) { _ in }
        $0.integer(60, 1)
      },
      Layer("lastPixel", 120) {
        $0.integers(10, [2, 2])
        $0.integers(20, [1, 1])
        $0.message(32) { $0.integers(10, [1, 1]) }
      },
      Layer("crop", 190) { $0.message(1, borders([(1, 2), (3, 1)])) },
      Layer("border", 200) {
        $0.message(1) { $0.float(1, -0.5) }
        $0.message(10, borders([(1, 0), (2, 1)]))
      },
      Layer("upsample", 210) { $0.integers(1, [2, 2]) },
      Layer("resize", 211) {
        $0.integers(1, [9, 5])
        $0.message(2) { $0.integer(1, 1) }
      },
      Layer("reorganize", 345) {
        $0.integer(1, 0)
        $0.integer(2, 2)
      },
      Layer("reduce", 280) {
        $0.integer(1, 1)
        $0.integer(3, 2)
      },
      Layer("sum", 1270) {
        $0.integers(1, [-1])
        $0.integer(2, 1)
      },
    ]
  }

  private static var shaping: [Layer] {
    [
      Layer("reshape", 300) { $0.integers(1, [8, 4, 6]) },
      Layer("flatten", 301) { $0.integer(1, 1) },
      Layer("concat", 320, inputs: ["x", "x"]),
      Layer("split", 330, outputs: ["y", "z"]) { $0.integer(1, 2) },
      Layer("slice", 350) {
        $0.integer(1, 1)
        $0.integer(2, 4)
        $0.integer(3, 1)
        $0.integer(4, 2)
      },
      Layer("fill", 1085, inputs: []) {
        $0.float(1, 0.5)
        $0.integers(2, [2, 3])
      },
      Layer("tile", 920) { $0.integers(1, [2, 1, 2]) },
      Layer("stack", 925, inputs: ["x", "x"]) { $0.integer(1, 0) },
      Layer("splitND", 975, outputs: ["y", "z"]) {
        $0.integer(1, 2)
        $0.integers(3, [3, 5])
      },
      Layer("concatND", 980, inputs: ["x", "x"]) { $0.integer(1, 1) },
      Layer("transpose", 985) { $0.integers(1, [2, 0, 1]) },
      Layer("sliceStatic", 995) {
        $0.integers(1, [0, 1, 7])
        $0.integers(2, [1, 0, 0])
        $0.integers(3, [4, 6, 0])
        $0.integers(4, [1, 1, 0])
        $0.integers(5, [1, 2, -1])
      },
      Layer("broadcast", 1105) { $0.integers(1, [2, 4, 6, 8]) },
      Layer("expand", 1125) { $0.integers(1, [0]) },
      Layer("flattenTo2D", 1130) { $0.integer(1, 1) },
      Layer("reshapeStatic", 1140) { $0.integers(1, [-1, 16]) },
      Layer("pad", 1155) {
        $0.float(1, 2)
        $0.integers(2, [0, 0, 1, 1, 2, 0])
      },
    ]
  }

  // MARK: Many layers

  /// A layer that only shapes of five dimensions have.
  private static var permutation: Seed {
    let layer = Layer("permute", 310) { $0.integers(1, [0, 2, 3, 1]) }
    return Seed(
      name: layer.name,
      bytes: network(
        [written(layer, inputs: ["x"], outputs: ["y"])], outputs: ["y"], isExact: false))
  }

  /// The layers that stand in real detectors, one after another, with a sum and a concatenation.
  private static var chain: Seed {
    let stem = Layer(
      "stem", 100, convolution(outputs: 8, inputsOfGroup: 4, weights: codes(8 * 4 * 9)))
    let wide = Layer(
      "wide", 100, convolution(outputs: 16, inputsOfGroup: 8, kernel: [1, 1], weights: floats(128)))
    let depth = Layer(
      "depth", 100,
      convolution(outputs: 16, inputsOfGroup: 1, groups: 16, weights: linear(16 * 9, channels: 16)))
    let narrow = Layer(
      "narrow", 100,
      convolution(outputs: 8, inputsOfGroup: 16, kernel: [1, 1], weights: codes(128)))
    let leaky = Layer("leaky", 130) { $0.message(15) { $0.float(1, 0.1) } }
    let pool = Layer("pool", 120) {
      $0.integers(10, [2, 2])
      $0.integers(20, [2, 2])
      $0.message(31) { _ in }
    }
    let enlarge = Layer("enlarge", 210) { $0.integers(1, [2, 2]) }
    return Seed(
      name: "chain",
      bytes: network(
        [
          written(stem, inputs: ["x"], outputs: ["a"]),
          written(leaky, inputs: ["a"], outputs: ["b"]),
          written(wide, inputs: ["b"], outputs: ["c"]),
          written(leaky, inputs: ["c"], outputs: ["d"]),
          written(depth, inputs: ["d"], outputs: ["e"]),
          written(narrow, inputs: ["e"], outputs: ["f"]),
          written(Layer("sum", 230), inputs: ["b", "f"], outputs: ["g"]),
          written(pool, inputs: ["g"], outputs: ["h"]),
          written(enlarge, inputs: ["h"], outputs: ["i"]),
          written(Layer("join", 320), inputs: ["i", "g"], outputs: ["j"]),
          written(
            Layer("turn", 985) { $0.integers(1, [1, 2, 0]) }, inputs: ["j"], outputs: ["k"]),
          written(Layer("scores", 130) { $0.message(40) { _ in } }, inputs: ["k"], outputs: ["y"]),
        ], outputs: ["y"]))
  }

  /// An image in, with a scale and a bias for each channel, and a convolution behind it.
  private static var images: Seed {
    let layer = Layer(
      "first", 100,
      convolution(outputs: 4, inputsOfGroup: 3, stride: [2, 2], weights: codes(4 * 27)))
    return Seed(
      name: "images",
      bytes: ModelBuilder.model(
        inputs: [ModelBuilder.image("x", width: 12, height: 10)],
        outputs: [ModelBuilder.array("y", [4, 5, 6])], type: 500
      ) {
        $0.data(1, written(layer, inputs: ["x"], outputs: ["y"]))
        $0.message(2) { preprocessing in
          preprocessing.string(1, "x")
          preprocessing.message(10) { scaler in
            scaler.float(10, 1 / 255)
            scaler.float(20, -0.1)
            scaler.float(21, 0.1)
            scaler.float(22, 0)
          }
        }
      })
  }
}
