// Fovea - tests: fields that do not count beside another field.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

/// Whatever stands in a field that another field overrides, the layer is read without it.
struct OverriddenFieldTests {
  private func kind(
    _ type: Int, outputs: [String] = ["y"], _ fill: (inout ProtobufWriter) -> Void
  ) throws -> LayerKind {
    try ModelBuilder.kind(type, outputs: outputs, fill)
  }

  /// coremltools writes a size and a stride of 0 for a mean of the whole plane.
  @Test func globalPoolingNeedsNoWindows() throws {
    let global = LayerKind.pooling(
      PoolingLayer(operation: .average, windows: nil, excludesPadding: true))
    #expect(
      try kind(120, ModelBuilder.globalAverage) == global)
    #expect(
      try kind(120) {
        $0.integer(1, 1)
        $0.integers(10, [3])
        $0.integer(50, 1)
        $0.integer(60, 1)
      } == global)
  }

  @Test func nearestSamplesHaveNoLinearMode() throws {
    #expect(
      try kind(210) {
        $0.integers(1, [2, 2])
        $0.integer(6, 9)
      }
        == .upsample(
          UpsampleLayer(
            scale: .integer(SpatialSize(height: 2, width: 2)), mode: .nearestNeighbor)))
  }

  @Test func fractionsOverrideWholeFactors() throws {
    #expect(
      try kind(210) {
        $0.integers(1, [0, 0])
        $0.floats(7, [1.5, 2])
      }
        == .upsample(
          UpsampleLayer(scale: .fractional(height: 1.5, width: 2), mode: .nearestNeighbor)))
  }

  /// The fields that a deconvolution of 1 -> 1 channels and 2x2 samples shares.
  private func deconvolution(
    _ fill: (inout ProtobufWriter) -> Void
  ) throws -> ConvolutionLayer {
    let kind = try kind(100) {
      $0.integer(1, 1)
      $0.integer(2, 1)
      $0.integers(20, [2, 2])
      $0.integer(60, 1)
      $0.message(90, ModelBuilder.weights([1, 2, 3, 4]))
      fill(&$0)
    }
    guard case .convolution(let layer) = kind else { throw Missing(what: "a convolution") }
    return layer
  }

  @Test func deconvolutionsHaveNoDilation() throws {
    let layer = try deconvolution {
      $0.integers(40, [0, 0])
      $0.message(50) { _ in }
    }
    #expect(layer.dilation == SpatialSize(height: 1, width: 1))
  }

  @Test func anOutputShapeOverridesPadding() throws {
    let amounts = try deconvolution {
      $0.message(50) { $0.message(1) { $0.message(10) { $0.integer(1, 1) } } }
      $0.integers(100, [4, 4])
    }
    #expect(amounts.padding == .valid(BorderAmounts()))
    #expect(try deconvolution { $0.integers(100, [4, 4]) }.padding == .valid(BorderAmounts()))
    let heavy = try deconvolution {
      $0.message(51) { $0.integer(1, 1) }
      $0.integers(100, [4, 4])
    }
    #expect(heavy.padding == .same(.topLeft))
    #expect(try formatError { _ = try deconvolution { _ in } }.code == .missingField)
  }

  @Test func computedStatisticsAreNotStored() throws {
    let kind = try kind(160) {
      $0.integer(1, 2)
      $0.integer(5, 1)
      $0.integer(6, 1)
      $0.message(15, ModelBuilder.weights([1, 1]))
      $0.message(16, ModelBuilder.weights([0, 0]))
      $0.message(17) { _ in }
      $0.message(18) { $0.floats(1, []) }
    }
    guard case .batchNormalization(let layer) = kind else { throw Missing(what: "statistics") }
    #expect(layer.mean == nil && layer.variance == nil)
  }

  @Test func axesOfAllDimensionsAreNotNamed() throws {
    #expect(
      try kind(1280) {
        $0.integers(1, [1, 1, 99])
        $0.integer(3, 1)
      }
        == .reduceAxes(
          ReduceAxesLayer(operation: .mean, axes: [], keepsDimensions: false, reducesAll: true)))
    #expect(
      try kind(1120) {
        $0.integers(1, [1, 1, 99])
        $0.integer(2, 1)
      } == .squeeze(SqueezeLayer(axes: [], squeezesAll: true)))
  }

  @Test func sizesOverrideANumberOfPieces() throws {
    #expect(
      try kind(975, outputs: ["y", "z"]) {
        $0.integer(2, -1)
        $0.integers(3, [5, 6])
      } == .splitND(SplitNDLayer(axis: 0, splitCount: 0, splitSizes: [5, 6])))
  }

  @Test func aSingleIndexHasNoStride() throws {
    func slice(strides: [Int]) throws -> LayerKind {
      try kind(995) {
        $0.integers(1, [3, 0])
        $0.integers(2, [0, 1])
        $0.integers(3, [0, 0])
        $0.integers(4, [0, 1])
        $0.integers(5, strides)
        $0.integers(6, [1, 0])
      }
    }
    guard case .sliceStatic(let layer) = try slice(strides: [0, 1]) else {
      throw Missing(what: "a slice")
    }
    #expect(layer.begins == [3, 0])
    #expect(try formatError { _ = try slice(strides: [1, 0]) }.fieldPath.hasSuffix("strides"))
  }

  @Test func floatsHaveNoQuantization() throws {
    let kind = try ModelBuilder.kind(290, inputs: []) {
      $0.integers(1, [1, 1, 2])
      $0.message(2) {
        $0.floats(1, [3, 4])
        $0.message(40) { $0.integer(1, 77) }
      }
    }
    guard case .loadConstant(let constant) = kind else { throw Missing(what: "a constant") }
    #expect(try constant.data.decoded(count: 2) == [3, 4])
  }
}
