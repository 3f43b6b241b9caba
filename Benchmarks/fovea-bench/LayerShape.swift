// Fovea - the shapes of layers that kernels are timed on.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine
package import FoveaModelFormat

/// The shape of a convolution that kernels are timed on; padding keeps rows and columns / stride.
package struct LayerShape: Equatable {
  package var name: String
  package var inputChannels: Int
  package var outputChannels: Int
  /// Rows and columns of the kernel.
  package var kernel: Int
  package var stride: Int
  /// Of the input.
  package var rows: Int
  package var columns: Int
  package var groups: Int
  /// Whether a 2 x 2 maximum with stride 2 follows.
  package var isPooled: Bool

  /// Multiplications with addition.
  package var multiplyAccumulates: UInt64 {
    let places = ((rows + stride - 1) / stride) * ((columns + stride - 1) / stride)
    return UInt64(places * outputChannels * (inputChannels / groups) * kernel * kernel)
  }

  /// The shapes in the text of a file: one a line, nine words each; `#` begins a comment.
  ///
  /// - Throws: `CommandFailure` that names the file and the line.
  package static func parse(_ text: String, file: String) throws(CommandFailure) -> [LayerShape] {
    var shapes: [LayerShape] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      if words.isEmpty { continue }
      do throws(LineError) {
        let shape = try LayerShape(words)
        if shapes.contains(where: { $0.name == shape.name }) {
          throw LineError(message: "the name '\(shape.name)' is used before")
        }
        shapes.append(shape)
      } catch {
        throw CommandFailure("\(file):\(index + 1): \(error.message)")
      }
    }
    guard !shapes.isEmpty else { throw CommandFailure("\(file): no shapes in it") }
    return shapes
  }

  private struct LineError: Error {
    package var message: String
  }

  private static let words = [
    "name", "input channels", "output channels", "kernel", "stride", "rows", "columns", "groups",
    "pooled",
  ]

  private init(_ words: [Substring]) throws(LineError) {
    guard words.count == Self.words.count else {
      throw LineError(
        message: "\(words.count) words; expected \(Self.words.count): "
          + Self.words.joined(separator: ", "))
    }
    var numbers: [Int] = []
    for (word, meaning) in zip(words[1...7], Self.words[1...7]) {
      guard let number = Int(word), (1...65536).contains(number) else {
        throw LineError(
          message: "\(meaning) is '\(word)'; expected a whole number in 1...65536")
      }
      numbers.append(number)
    }
    guard words[8] == "yes" || words[8] == "no" else {
      throw LineError(message: "pooled is '\(words[8])'; expected yes or no")
    }
    name = String(words[0])
    (inputChannels, outputChannels, kernel, stride) = (
      numbers[0], numbers[1], numbers[2], numbers[3]
    )
    (rows, columns, groups, isPooled) = (numbers[4], numbers[5], numbers[6], words[8] == "yes")
    guard inputChannels % groups == 0, outputChannels % groups == 0 else {
      throw LineError(
        message: "\(groups) groups do not divide \(inputChannels) and \(outputChannels) channels")
    }
    guard min(rows, columns) / stride >= (isPooled ? 2 : 1) else {
      throw LineError(message: "the map is too small for the stride and the pool")
    }
  }
}

extension LayerShape {
  /// A network of this layer alone: convolution, leaky ReLU and, where asked for, the pool. Three
  /// channels come from an image, others from an array.
  package func network() -> ModelDescription {
    let fromImage = inputChannels == 3
    let input = FeatureDescription(
      name: "input",
      type: fromImage
        ? .image(ImageFeature(width: columns, height: rows, colorSpace: .rgb))
        : .multiArray(
          MultiArrayFeature(shape: [inputChannels, rows, columns], dataType: .float32)))
    let output = FeatureDescription(
      name: "output", type: .multiArray(MultiArrayFeature(shape: [], dataType: .float32)))
    var layers = [
      layer("convolution", from: "input", to: "sum", .convolution(convolution())),
      layer(
        "activation", from: "sum", to: isPooled ? "active" : "output",
        .activation(.leakyReLU(alpha: 0.1))),
    ]
    if isPooled {
      let size = SpatialSize(height: 2, width: 2)
      layers.append(
        layer(
          "pooling", from: "active", to: "output",
          .pooling(
            PoolingLayer(
              operation: .maximum,
              windows: PoolingWindows(
                size: size, stride: size, padding: .valid(BorderAmounts()))))))
    }
    let scaler = Preprocessing(
      featureName: "", kind: .scaler(ImageScaler(channelScale: 1 / 255)))
    return ModelDescription(
      specificationVersion: 3, inputs: [input], outputs: [output],
      body: .neuralNetwork(
        NeuralNetwork(layers: layers, preprocessing: fromImage ? [scaler] : [])))
  }

  private func layer(
    _ type: String, from input: String, to output: String, _ kind: LayerKind
  ) -> NeuralNetworkLayer {
    NeuralNetworkLayer(name: name, inputs: [input], outputs: [output], kind: kind, typeName: type)
  }

  /// Random weights whose sums stay near the size of the inputs.
  private func convolution() -> ConvolutionLayer {
    let taps = inputChannels / groups * kernel * kernel
    var noise = NoiseGenerator()
    let scale = (6 / Float(taps)).squareRoot() / 127.5
    let size = SpatialSize(height: kernel, width: kernel)
    return ConvolutionLayer(
      outputChannels: outputChannels, kernelChannels: inputChannels / groups, groups: groups,
      kernelSize: size, stride: SpatialSize(height: stride, width: stride),
      dilation: SpatialSize(height: 1, width: 1), padding: .same(.bottomRight),
      weights: Self.weights(
        (0..<outputChannels * taps).map { _ in (Float(noise.byte()) - 127.5) * scale }),
      bias: Self.weights((0..<outputChannels).map { _ in (Float(noise.byte()) - 127.5) / 1275 }))
  }

  private static func weights(_ floats: [Float]) -> WeightData {
    let bytes = floats.withUnsafeBytes { Array($0) }
    return WeightData(bytes: bytes, segments: [0..<bytes.count], encoding: .float32)
  }
}
