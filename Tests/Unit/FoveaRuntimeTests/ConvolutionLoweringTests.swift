// Fovea - convolutions against loops.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct ConvolutionLoweringTests {
  /// y[o][r][c] by the definition, with zeros outside; padding before only matters for places.
  static func naive(
    _ x: [Float], shape: (Int, Int, Int), _ w: [Float], out: Int, groups: Int,
    kernel: (Int, Int), stride: (Int, Int), dilation: (Int, Int), before: (Int, Int),
    output: (Int, Int), bias: [Float]?
  ) -> [Float] {
    let (channels, height, width) = shape
    let (perGroup, outPerGroup) = (channels / groups, out / groups)
    var y: [Float] = []
    for o in 0..<out {
      for row in 0..<output.0 {
        for column in 0..<output.1 {
          var sum = bias?[o] ?? 0
          for c in 0..<perGroup {
            for i in 0..<kernel.0 {
              for j in 0..<kernel.1 {
                let r = row * stride.0 - before.0 + i * dilation.0
                let k = column * stride.1 - before.1 + j * dilation.1
                guard r >= 0, r < height, k >= 0, k < width else { continue }
                let channel = o / outPerGroup * perGroup + c
                sum +=
                  x[(channel * height + r) * width + k]
                  * w[((o * perGroup + c) * kernel.0 + i) * kernel.1 + j]
              }
            }
          }
          y.append(sum)
        }
      }
    }
    return y
  }

  static func layer(
    inputChannels: Int, outputChannels: Int, groups: Int = 1, kernel: (Int, Int),
    stride: (Int, Int) = (1, 1), dilation: (Int, Int) = (1, 1), padding: ConvolutionPadding,
    bias: [Float]? = nil
  ) -> (ConvolutionLayer, [Float]) {
    let count = outputChannels * (inputChannels / groups) * kernel.0 * kernel.1
    let values = numbers(count, seed: 7)
    let layer = ConvolutionLayer(
      outputChannels: outputChannels, kernelChannels: inputChannels / groups, groups: groups,
      kernelSize: SpatialSize(height: kernel.0, width: kernel.1),
      stride: SpatialSize(height: stride.0, width: stride.1),
      dilation: SpatialSize(height: dilation.0, width: dilation.1), padding: padding,
      weights: weights(values), bias: bias.map(weights))
    return (layer, values)
  }

  @Test(arguments: [1, 2, 4], [(1, 1), (2, 1), (1, 2)])
  func validPaddingByTheDefinition(groups: Int, dilation: (Int, Int)) throws {
    let bias = numbers(8, seed: 3)
    let (layer, w) = Self.layer(
      inputChannels: 4, outputChannels: 8, groups: groups, kernel: (3, 2), stride: (2, 1),
      dilation: dilation, padding: .valid(BorderAmounts(top: 1, bottom: 2, left: 0, right: 3)),
      bias: bias)
    let input = try tensor([1, 4, 7, 6])
    let output = try LayerRunner().run(.convolution(layer), [input])
    let rows = (7 + 3 - (2 * dilation.0 + 1)) / 2 + 1
    let columns = (6 + 3 - (dilation.1 + 1)) / 1 + 1
    #expect(output.shape == [1, 8, rows, columns])
    let expected = Self.naive(
      input.floats(), shape: (4, 7, 6), w, out: 8, groups: groups, kernel: (3, 2),
      stride: (2, 1), dilation: dilation, before: (1, 0), output: (rows, columns), bias: bias)
    expectClose(output.floats(), expected)
  }

  @Test(arguments: [SamePaddingHeaviness.bottomRight, .topLeft], [1, 2, 3])
  func samePaddingPutsTheOddRowWhereItIsTold(heaviness: SamePaddingHeaviness, stride: Int) throws {
    let (layer, w) = Self.layer(
      inputChannels: 2, outputChannels: 3, kernel: (4, 2), stride: (stride, stride),
      padding: .same(heaviness))
    let input = try tensor([1, 1, 2, 5, 8])
    let output = try LayerRunner().run(.convolution(layer), [input])
    let (rows, columns) = ((5 + stride - 1) / stride, (8 + stride - 1) / stride)
    func before(_ size: Int, _ kernel: Int, _ out: Int) -> Int {
      let total = max(0, (out - 1) * stride + kernel - size)
      return heaviness == .bottomRight ? total / 2 : total - total / 2
    }
    #expect(output.shape == [1, 1, 3, rows, columns])
    let expected = Self.naive(
      input.floats(), shape: (2, 5, 8), w, out: 3, groups: 1, kernel: (4, 2),
      stride: (stride, stride), dilation: (1, 1),
      before: (before(5, 4, rows), before(8, 2, columns)), output: (rows, columns), bias: nil)
    expectClose(output.floats(), expected)
  }

  @Test func kernelChannelsThatDoNotFitAreNamed() throws {
    var (layer, _) = Self.layer(
      inputChannels: 2, outputChannels: 4, kernel: (1, 1), padding: .valid(BorderAmounts()))
    let error = try LayerRunner().failure(.convolution(layer), [[1, 4, 3, 3]])
    #expect(error.code == .shapeMismatch)
    #expect(error.message.contains("kernelChannels is 2, the input has 4 channels"))
    layer.weights = weights([1, 2, 3])
    let short = try LayerRunner().failure(.convolution(layer), [[1, 2, 3, 3]])
    #expect(short.code == .invalidWeights)
    (layer, _) = Self.layer(
      inputChannels: 1, outputChannels: 1, kernel: (5, 5), padding: .valid(BorderAmounts()))
    let large = try LayerRunner().failure(.convolution(layer), [[1, 1, 4, 4]])
    #expect(large.message.contains("does not fit"))
    let second = try LayerRunner().failure(.convolution(layer), [[1, 1, 4, 4], [1, 1, 5, 5]])
    #expect(second.code == .unsupported)
  }

  /// Every input element adds its kernel to the output.
  static func naiveTransposed(
    _ x: [Float], shape: (Int, Int, Int), _ w: [Float], out: Int, groups: Int, kernel: Int,
    stride: Int, before: (Int, Int), output: (Int, Int)
  ) -> [Float] {
    let (channels, height, width) = shape
    let (perGroup, outPerGroup) = (channels / groups, out / groups)
    var y = [Float](repeating: 0, count: out * output.0 * output.1)
    for c in 0..<channels {
      for r in 0..<height {
        for k in 0..<width {
          for o in 0..<outPerGroup {
            for i in 0..<kernel {
              for j in 0..<kernel {
                let (row, column) = (r * stride + i - before.0, k * stride + j - before.1)
                guard row >= 0, row < output.0, column >= 0, column < output.1 else { continue }
                let target = (c / perGroup * outPerGroup + o) * output.0 + row
                y[target * output.1 + column] +=
                  x[(c * height + r) * width + k]
                  * w[((c * outPerGroup + o) * kernel + i) * kernel + j]
              }
            }
          }
        }
      }
    }
    return y
  }

  static let transposedCases:
    [(ConvolutionPadding, SpatialSize?, Int, Int, (Int, Int), (Int, Int))] =
      [
        (.valid(BorderAmounts()), nil, 3, 2, (0, 0), (9, 7)),
        (.valid(BorderAmounts(top: 1, bottom: 0, left: 1, right: 2)), nil, 3, 2, (1, 1), (8, 4)),
        (.same(.bottomRight), nil, 3, 2, (0, 0), (8, 6)),
        (.same(.topLeft), nil, 3, 2, (1, 1), (8, 6)),
        (.same(.bottomRight), nil, 2, 3, (0, 0), (12, 9)),
        (.valid(BorderAmounts(top: 9)), SpatialSize(height: 6, width: 10), 3, 2, (1, 0), (6, 10)),
      ]

  @Test(arguments: 0..<transposedCases.count, [1, 2])
  func transposedConvolutionByTheDefinition(index: Int, groups: Int) throws {
    let (padding, wanted, kernel, stride, before, output) = Self.transposedCases[index]
    let values = numbers(4 * (6 / groups) * kernel * kernel, seed: 5)
    let layer = ConvolutionLayer(
      outputChannels: 6, kernelChannels: 4, groups: groups,
      kernelSize: SpatialSize(height: kernel, width: kernel),
      stride: SpatialSize(height: stride, width: stride),
      dilation: SpatialSize(height: 1, width: 1), padding: padding, isDeconvolution: true,
      outputShape: wanted, weights: weights(values))
    let input = try tensor([1, 4, 4, 3])
    let result = try LayerRunner().run(.convolution(layer), [input])
    #expect(result.shape == [1, 6, output.0, output.1])
    expectClose(
      result.floats(),
      Self.naiveTransposed(
        input.floats(), shape: (4, 4, 3), values, out: 6, groups: groups, kernel: kernel,
        stride: stride, before: before, output: output))
  }
}
