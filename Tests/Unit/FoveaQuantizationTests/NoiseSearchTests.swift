// Fovea - tests of taking out of 8 bits what near outputs take.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite struct NoiseSearchTests {
  /// Loss for what a layer costs: a depthwise product counts four times, an element eight.
  @Test func theOrderFollowsLossForCost() {
    let layers = [
      LayerSensitivity(layer: "a", noise: 1, multiplyAccumulates: 100),
      LayerSensitivity(layer: "b", noise: 1, multiplyAccumulates: 20, isDepthwise: true),
      LayerSensitivity(layer: "c", noise: 1, multiplyAccumulates: 10, elements: 10),
      LayerSensitivity(layer: "d", noise: 0, multiplyAccumulates: 1),
      LayerSensitivity(layer: "e", noise: 2, multiplyAccumulates: 200),
    ]
    let expected = ["b", "c", "a", "e"]
    #expect(LayerSensitivity.byWorth(layers).map(\.layer) == expected)
    #expect(LayerSensitivity.byWorth(layers.reversed()).map(\.layer) == expected)
  }

  @Test(.enabled(if: SharedData.isPresent))
  func asFewLayersLeave8BitsAsAreNeeded() throws {
    let folder = "coco128-train/images"
    let model = SharedData.url("models/yolo-fastest-1.1-raw.mlmodel").path
    let calibrator = try ActivationCalibrator(contentsOf: model)
    for name in try SharedData.files(in: folder, suffix: ".jpg").prefix(16) {
      try calibrator.add(Image(contentsOf: SharedData.url("\(folder)/\(name)").path))
    }
    let search = NoiseSearch(calibrator)
    let plain = try search.fastest(decibels: 0)
    #expect(plain.floatLayers.isEmpty && plain.int16Layers.isEmpty && plain.sensitivities.isEmpty)
    #expect(plain.options.backend.int8?.calibration == calibrator.ranges)

    var tried: [Int: Double] = [:]
    let wanted = plain.decibels + 3
    let found = try search.fastest(decibels: wanted) { tried[$0] = $1 }
    let count = found.floatLayers.count + found.int16Layers.count
    #expect(found.decibels >= wanted && tried[count] == found.decibels)
    #expect(tried.allSatisfy { $0.key >= count || $0.value < wanted })
    #expect(count < found.sensitivities.count / 2)
    #expect(found.floatLayers.allSatisfy { $0.isDepthwise })
    #expect(found.int16Layers.allSatisfy { !$0.isDepthwise })
    #expect(found.options.backend.int8?.int16Layers == Set(found.int16Layers.map(\.layer)))
    #expect(found.options.backend.int8?.floatLayers == Set(found.floatLayers.map(\.layer)))
  }
}
