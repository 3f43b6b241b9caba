// Fovea - the largest numbers that a reader lets pass, in every place.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

/// Layers whose numbers are as large as the reader allows load, are refused with their name, or
/// make a model that is refused for its memory; no sum or product of them may end the process.
@Suite struct HostileParameterTests {
  static let sizes = [1, 2, 3, 1 << 20, Int(Int32.max)]

  static func check(_ kind: LayerKind, _ shapes: [[Int]] = [[1, 1, 4, 5]], outputs: Int = 1) {
    let file = LayerRunner.model(kind, shapes: shapes, outputCount: outputs)
    do throws(FoveaError) {
      let model = try Model(file: file, name: "test")
      #expect(model.outputs.count == outputs)
    } catch {
      let concernsWholeModel = error.code == .overflow || error.code == .outOfMemory
      #expect(concernsWholeModel || error.message.contains("layer"), "\(error)")
    }
  }

  /// Planning a graph takes time that grows with the square of its size.
  @Test func aGraphWithoutMeasureIsRefusedSoon() {
    let layers = (0..<30_000).map { index in
      NeuralNetworkLayer(
        name: "layer \(index)", inputs: [index == 0 ? "in0" : "b\(index - 1)"],
        outputs: [index == 29_999 ? "out0" : "b\(index)"], kind: .transpose(axes: [1, 0]),
        typeName: "transpose")
    }
    let file = ModelDescription(
      specificationVersion: 5, inputs: [LayerRunner.array("in0", [4, 4])],
      outputs: [LayerRunner.array("out0", [])],
      body: .neuralNetwork(NeuralNetwork(layers: layers, arrayInputShapeMapping: .exact)))
    let error = #expect(throws: FoveaError.self) { try Model(file: file, name: "test") }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("layer 19999") == true)
  }

  @Test func windows() {
    for kernel in Self.sizes {
      for stride in Self.sizes {
        for amount in [0] + Self.sizes {
          let borders = BorderAmounts(top: amount, bottom: amount, left: amount, right: amount)
          for padding in [
            PoolingPadding.valid(borders), .same(.bottomRight), .same(.topLeft),
            .includeLastPixel(height: amount, width: amount),
          ] {
            Self.check(
              PoolingLoweringTests.layer(.average, kernel: kernel, stride: stride, padding))
          }
          for isDeconvolution in [false, true] {
            for padding in [ConvolutionPadding.valid(borders), .same(.topLeft)] {
              let layer = ConvolutionLayer(
                outputChannels: 1, kernelChannels: 1, groups: 1,
                kernelSize: SpatialSize(height: 1, width: 2),
                stride: SpatialSize(height: stride, width: stride),
                dilation: SpatialSize(height: 1, width: isDeconvolution ? 1 : kernel),
                padding: padding, isDeconvolution: isDeconvolution,
                outputShape: isDeconvolution && amount > 2
                  ? SpatialSize(height: amount, width: amount) : nil,
                weights: weights([1, 2]))
              Self.check(.convolution(layer))
            }
          }
        }
      }
    }
  }

  @Test func planes() {
    for size in Self.sizes {
      let plane = SpatialSize(height: size, width: size)
      for mode in [UpsampleMode.nearestNeighbor, .bilinear(.standard), .bilinear(.alignCorners)] {
        Self.check(.upsample(UpsampleLayer(scale: .integer(plane), mode: mode)))
      }
      for factor in [Float(size), .nan, -1, .infinity, .leastNonzeroMagnitude, 1e30] {
        let scale = UpsampleScale.fractional(height: factor, width: factor)
        Self.check(.upsample(UpsampleLayer(scale: scale, mode: .nearestNeighbor)))
      }
      for sampling in [SamplingMode.strictAlignEndpoints, .upsample, .regionOfInterestAlign] {
        Self.check(.resizeBilinear(ResizeBilinearLayer(targetSize: plane, sampling: sampling)))
      }
      for mode in [ReorganizationMode.spaceToDepth, .depthToSpace, .pixelShuffle] {
        Self.check(.reorganizeData(ReorganizeDataLayer(mode: mode, blockSize: size)))
      }
      let amounts = BorderAmounts(top: size, bottom: size, left: size, right: size)
      for mode in [PaddingMode.constant(0), .reflection, .replication] {
        Self.check(.padding(SpatialPaddingLayer(mode: mode, amounts: amounts)))
      }
      Self.check(.crop(CropLayer(amounts: amounts)))
      Self.check(
        .crop(CropLayer(amounts: BorderAmounts(), offset: [size, size])),
        [[1, 1, 4, 5], [1, 1, 2, 2]])
      Self.check(
        .localResponseNormalization(
          LocalResponseNormalizationLayer(alpha: 1, beta: 1, size: size)))
    }
  }

  @Test func shapes() {
    for size in Self.sizes {
      Self.check(.reshape(ReshapeLayer(targetShape: [size, size, size], order: .channelLast)))
      Self.check(.reshapeStatic(shape: [size, -1, size, size]))
      Self.check(.broadcastToStatic(shape: [size, size, 4, 5]))
      Self.check(.tile(repetitions: [size, size, size, size]))
      Self.check(.fillStatic(FillStaticLayer(value: 1, shape: [size, size, size])), [])
      Self.check(
        .constantPad(ConstantPadLayer(value: 0, amounts: Array(repeating: size, count: 8))))
      Self.check(
        .constantPad(
          ConstantPadLayer(
            value: 0, amounts: Array(repeating: size, count: 8), padsToGivenSize: true)))
      Self.check(.splitND(SplitNDLayer(axis: -1, splitCount: size)), outputs: 2)
      Self.check(
        .splitND(SplitNDLayer(axis: -1, splitCount: 2, splitSizes: [size, size])), outputs: 2)
      Self.check(.split(count: size), outputs: 2)
      for axis in [size, -size, Int.max, Int.min] {
        Self.check(.softmaxND(axis: axis))
        Self.check(.flattenTo2D(axis: axis))
        Self.check(.stack(axis: axis))
        Self.check(.expandDimensions(axes: [axis]))
        Self.check(.transpose(axes: [axis, 0, 1, 2]))
        Self.check(.permute(axes: [axis, 0, 1, 2]))
        Self.check(.slice(SliceLayer(start: -axis.clamped, end: axis, stride: 1, axis: .width)))
        Self.check(
          .sliceStatic(
            SliceStaticLayer(
              begins: [axis, 0, 0, axis], beginMasks: [true, true, true, false],
              ends: [axis, 0, 0, axis], endMasks: [true, true, true, true],
              strides: [axis, 1, 1, axis])))
        Self.check(
          .reduceAxes(
            ReduceAxesLayer(
              operation: .sum, axes: [axis], keepsDimensions: false, reducesAll: false)))
      }
    }
  }
}

extension Int {
  /// The number, or the nearest that can be negated.
  fileprivate var clamped: Int { Swift.max(self, .min + 1) }
}
