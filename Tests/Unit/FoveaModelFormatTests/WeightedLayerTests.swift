// Fovea - tests: convolutions and other layers with weights.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct WeightedLayerTests {
  private func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) } }

  private func convolution(
    _ fill: @escaping (inout ProtobufWriter) -> Void
  ) throws -> ConvolutionLayer {
    guard case .convolution(let layer) = try ModelBuilder.kind(100, fill) else {
      throw Missing(what: "a convolution")
    }
    return layer
  }

  @Test func convolutionHasDefaults() throws {
    let weights = ramp(2 * 3 * 9)
    let layer = try convolution {
      $0.integer(1, 2)
      $0.integer(2, 3)
      $0.message(51) { _ in }
      $0.message(90, ModelBuilder.weights(weights))
      $0.message(91, ModelBuilder.weights([1]))
    }
    #expect(layer.groups == 1)
    #expect(layer.kernelSize == SpatialSize(height: 3, width: 3))
    #expect(layer.stride == SpatialSize(height: 1, width: 1))
    #expect(layer.dilation == SpatialSize(height: 1, width: 1))
    #expect(layer.padding == .same(.bottomRight))
    #expect(layer.bias == nil)
    #expect(layer.inputChannels == 3)
    #expect(layer.weightShape == [2, 3, 3, 3])
    #expect(try layer.weights.decoded(layer.weightLayout) == weights)
  }

  @Test func groupedDilatedConvolution() throws {
    let layer = try convolution {
      $0.integer(1, 4)
      $0.integer(2, 1)
      $0.integer(10, 2)
      $0.integers(20, [2, 1])
      $0.integers(30, [3, 2])
      $0.integers(40, [5, 4])
      $0.message(50) { _ in }
      $0.integer(70, 1)
      $0.message(90, ModelBuilder.weights(self.ramp(8)))
      $0.message(91, ModelBuilder.weights(self.ramp(4)))
    }
    #expect(layer.inputChannels == 2)
    #expect(layer.stride == SpatialSize(height: 3, width: 2))
    #expect(layer.dilation == SpatialSize(height: 5, width: 4))
    #expect(layer.padding == .valid(BorderAmounts()))
    #expect(try layer.bias?.decoded(count: 4) == ramp(4))
    #expect(layer.weightLayout == WeightLayout(count: 8, channelCount: 4, channelStride: 2))
  }

  @Test func deconvolutionWeightsAreInputMajor() throws {
    let layer = try convolution {
      $0.integer(1, 6)
      $0.integer(2, 4)
      $0.integer(10, 2)
      $0.integers(20, [2, 2])
      $0.integers(40, [9, 9])
      $0.message(50) { _ in }
      $0.integer(60, 1)
      $0.integers(100, [8, 9])
      $0.message(90, ModelBuilder.weights(self.ramp(4 * 3 * 4)))
    }
    #expect(layer.isDeconvolution)
    #expect(layer.inputChannels == 4)
    #expect(layer.weightShape == [4, 3, 2, 2])
    #expect(layer.dilation == SpatialSize(height: 1, width: 1))
    #expect(layer.outputShape == SpatialSize(height: 8, width: 9))
    #expect(layer.weightLayout == WeightLayout(count: 48, channelCount: 3, channelStride: 4))
  }

  @Test func piecesOfOneConvolutionAreMerged() throws {
    let first = ProtobufWriter {
      $0.integer(1, 2)
      $0.message(90) { $0.floats(1, [1]) }
      $0.message(50) { _ in }
    }
    let second = ProtobufWriter {
      $0.message(90) { $0.floats(1, [2]) }
      $0.integer(2, 1)
      $0.integers(20, [1])
      $0.integer(20, 1)
    }
    let layer = ProtobufWriter {
      $0.data(100, first.bytes)
      $0.string(2, "x")
      $0.string(3, "y")
      $0.data(100, second.bytes)
    }
    let kind = try ModelBuilder.layers(of: ModelBuilder.network([layer.bytes]))[0].kind
    guard case .convolution(let convolution) = kind else { throw Missing(what: "a convolution") }
    #expect(try convolution.weights.decoded(count: 2) == [1, 2])
    #expect(convolution.kernelSize == SpatialSize(height: 1, width: 1))
  }

  @Test func anotherLayerTypeInBetweenEndsTheMerging() throws {
    let layer = ProtobufWriter {
      $0.message(130) { $0.message(5) { $0.float(1, 1) } }
      $0.message(175) { _ in }
      $0.string(2, "x")
      $0.string(3, "y")
      $0.message(130) { $0.message(5) { $0.float(2, 1) } }
    }
    let kind = try ModelBuilder.layers(of: ModelBuilder.network([layer.bytes]))[0].kind
    #expect(kind == .activation(.linear(alpha: 0, beta: 1)))
  }

  @Test func paddingMustBeSaid() throws {
    let error = try formatError {
      _ = try convolution {
        $0.integer(1, 1)
        $0.integer(2, 1)
        $0.message(90, ModelBuilder.weights(self.ramp(9)))
      }
    }
    #expect(error.code == .missingField)
    #expect(error.expected == "'valid' or 'same'")
  }

  @Test func innerProduct() throws {
    let kind = try ModelBuilder.kind(140) {
      $0.integer(1, 3)
      $0.integer(2, 2)
      $0.integer(10, 1)
      $0.message(20) { weights in
        weights.data(31, [1, 2, 3, 255, 254, 253])
        weights.message(40) { quantization in
          quantization.integer(1, 8)
          quantization.message(101) { $0.floats(1, [2]) }
        }
      }
      $0.message(21) { $0.data(2, [0, 0x3C, 0, 0xC0]) }
      $0.integer(22, 1)
    }
    guard case .innerProduct(let layer) = kind else { throw Missing(what: "a dense layer") }
    #expect(try layer.weights.decoded(layer.weightLayout) == [2, 4, 6, -2, -4, -6])
    #expect(try layer.bias?.decoded(count: 2) == [1, -2])
    #expect(layer.quantizesInputs)
    #expect(layer.weights.encodingName == "signed 8-bit linear")
  }

  @Test func batchNormalization() throws {
    let values = ModelBuilder.weights([1, 2])
    let kind = try ModelBuilder.kind(160) {
      $0.integer(1, 2)
      for field in 15...18 { $0.message(field, values) }
    }
    guard case .batchNormalization(let layer) = kind else { throw Missing(what: "a layer") }
    #expect(layer.epsilon == 1e-5)
    #expect(layer.mean == layer.gamma && layer.variance == layer.beta)
    let error = try formatError {
      _ = try ModelBuilder.kind(160) {
        $0.integer(1, 2)
        for field in 15...17 { $0.message(field, values) }
      }
    }
    #expect(error.found == "no 'variance'")
    let instance = try ModelBuilder.kind(160) {
      $0.integer(1, 2)
      $0.integer(5, 1)
      $0.integer(6, 1)
      for field in 15...16 { $0.message(field, values) }
    }
    guard case .batchNormalization(let layer) = instance else { throw Missing(what: "a layer") }
    #expect(layer.mean == nil && layer.instanceNormalization)
  }

  @Test func scaleAndBias() throws {
    let kind = try ModelBuilder.kind(245) {
      $0.integers(1, [2])
      $0.message(2, ModelBuilder.weights([3, 4]))
      $0.integer(3, 1)
      $0.integers(4, [1])
      $0.message(5, ModelBuilder.weights([5]))
    }
    guard case .scale(let scale) = kind else { throw Missing(what: "a scale") }
    #expect(scale.scaleShape == [2] && scale.biasShape == [1])
    #expect(try scale.bias?.decoded(count: 1) == [5])
    let error = try formatError {
      _ = try ModelBuilder.kind(250) {
        $0.integers(1, [3])
        $0.message(2, ModelBuilder.weights([5]))
      }
    }
    #expect(error.fieldPath == "neuralNetwork.layers[0].bias.bias")
    #expect(error.code == .invalidWeights)
  }
}
