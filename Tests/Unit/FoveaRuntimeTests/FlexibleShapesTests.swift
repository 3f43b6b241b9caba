// Fovea - tests of sizes that a file leaves open.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct FlexibleShapesTests {
  // MARK: Nearest size

  static func range(
    _ width: Int, _ height: Int, widths: ClosedRange<Int> = 32...1280,
    heights: ClosedRange<Int> = 32...1280
  ) -> ImageFeature {
    ImageFeature(
      width: width, height: height, colorSpace: .rgb,
      allowedSizes: .range(
        width: SizeRange(lower: widths.lowerBound, upper: widths.upperBound),
        height: SizeRange(lower: heights.lowerBound, upper: heights.upperBound)))
  }

  static func nearest(_ feature: ImageFeature, _ width: Int, _ height: Int) -> [Int] {
    let size = feature.size(
      nearestTo: Double(width) / Double(height), step: feature.usualStep)
    return [size.width, size.height]
  }

  @Test func rangesGiveThePictureMostPixels() {
    let square = Self.range(416, 416)
    #expect(Self.nearest(square, 1920, 1080) == [544, 320])
    #expect(Self.nearest(square, 1080, 1920) == [320, 544])
    #expect(Self.nearest(square, 500, 500) == [416, 416])
    #expect(Self.nearest(square, 4000, 3000) == [480, 352])
    #expect(Self.nearest(Self.range(256, 256), 1920, 1080) == [352, 192])
    // The range ends before the best size, and a step of its own is kept.
    #expect(Self.nearest(Self.range(416, 416, widths: 32...448), 1920, 1080) == [448, 256])
    let step = Self.range(640, 640).size(nearestTo: 16.0 / 9, step: 64)
    #expect(step.width % 64 == 0 && step.height % 64 == 0 && step.width > step.height)
  }

  /// Every size of a small range, against the definition.
  @Test(arguments: [0.3, 0.75, 1, 1.4, 16.0 / 9, 3, 40])
  func rangesAreSearchedWhole(aspect: Double) {
    let feature = Self.range(24, 16, widths: 5...61, heights: 3...40)
    let found = feature.size(nearestTo: aspect, step: 4)
    var best = 0.0
    for width in stride(from: 8, through: 60, by: 4) {
      for height in stride(from: 4, through: 40, by: 4) where width * height <= 24 * 16 * 17 / 16 {
        let shown = min(Double(width), Double(height) * aspect)
        best = max(best, shown * shown / aspect)
      }
    }
    let shown = min(Double(found.width), Double(found.height) * aspect)
    #expect(abs(shown * shown / aspect - best) < 1e-9)
    #expect(found.width % 4 == 0 && found.height % 4 == 0)
    #expect(found.width * found.height <= 24 * 16 * 17 / 16)
  }

  @Test func enumeratedSizesAreNearestByAspect() {
    let sizes = [(416, 416), (352, 192), (704, 384), (192, 352)].map {
      ImageFeature.Size(width: $0.0, height: $0.1)
    }
    let feature = ImageFeature(
      width: 416, height: 416, colorSpace: .rgb, allowedSizes: .enumerated(sizes))
    #expect(Self.nearest(feature, 640, 480) == [416, 416])
    #expect(Self.nearest(feature, 1920, 1080) == [704, 384])
    #expect(Self.nearest(feature, 1080, 1920) == [192, 352])
  }

  @Test func rangesOfAnySizeEnd() {
    let open = ImageFeature(
      width: 64, height: 64, colorSpace: .rgb,
      allowedSizes: .range(
        width: SizeRange(lower: .max, upper: nil), height: SizeRange(lower: 0, upper: nil)))
    #expect(Self.nearest(open, 16, 9) == [64, 64])
    var wide = open
    wide.allowedSizes = .range(
      width: SizeRange(lower: 0, upper: nil), height: SizeRange(lower: 0, upper: .max))
    #expect(Self.nearest(wide, 100_000, 1) == [128, 32])
    for aspect in [0, -1, Double.nan, .infinity] {
      #expect(wide.size(nearestTo: aspect, step: 1) == ImageFeature.Size(width: 64, height: 64))
    }
  }

  // MARK: No default

  static func network(_ allowed: MultiArrayFeature.AllowedShapes) -> ModelDescription {
    let feature = MultiArrayFeature(shape: [], dataType: .float32, allowedShapes: allowed)
    return ModelDescription(
      specificationVersion: 4,
      inputs: [FeatureDescription(name: "image", type: .multiArray(feature))],
      outputs: [LayerRunner.array("planes", [])],
      body: .neuralNetwork(
        NeuralNetwork(
          layers: [ImageLoweringTests.copy], arrayInputShapeMapping: .exact)))
  }

  @Test func arraysWithoutADefaultTakeTheFirstOrLeastShape() throws {
    let ranges = [SizeRange(lower: 1, upper: 1), SizeRange(lower: 3, upper: nil)]
    let ranged = try Model(file: Self.network(.ranges(ranges)), name: "test")
    #expect(ranged.inputs[0].shape == [1, 3])
    let listed = try Model(file: Self.network(.enumerated([[2, 4], [1, 2]])), name: "test")
    #expect(listed.inputs[0].shape == [2, 4])
    let error = #expect(throws: FoveaError.self) {
      try Model(
        file: Self.network(.enumerated([[2, 4], [1, 2]])), name: "test",
        options: Model.Options(arrayShapes: ["image": [3, 3]]))
    }
    #expect(error?.message.contains("allowed is [2, 4], [1, 2]") == true)
  }
}
