// Fovea - tests of maps on networks as exporters write them.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaMaps
import FoveaTestSupport
import Testing

/// Networks with known maps, pictures and classes: decoded by others, from the raw outputs of other
/// engines.
@Suite(.enabled(if: SharedData.isPresent)) struct MapCaseTests {
  /// A case of the shared data.
  private struct Case {
    let folder: String
    let document: [String: Any]

    init(_ name: String) throws {
      folder = "tasks/" + name
      document = try #require(try SharedData.json(folder + "/expected.json") as? [String: Any])
    }

    func path(_ name: String) -> String { SharedData.url(folder + "/" + name).path }

    func image() throws -> Image { try Image(contentsOf: path("input.png")) }

    func model() throws -> Model {
      try Model(contentsOf: path(try #require(document["model"] as? String)))
    }

    var action: ImageCropAndScaleAction {
      ImageCropAndScaleAction(rawValue: document["crop_and_scale"] as? String ?? "")
        ?? .scaleToFill
    }

    func tolerance(_ name: String) throws -> Double {
      try #require((document["tolerances"] as? [String: Any])?[name] as? Double)
    }
  }

  @Test(arguments: ["semantic-segformer-onnx-logits", "semantic-yolo26-onnx-map"])
  func classesOfPixels(_ name: String) throws {
    let stored = try Case(name)
    var request = try SegmentImageRequest(model: stored.model(), pool: ThreadPool(threadCount: 1))
    request.cropAndScaleAction = stored.action
    let map = try request.perform(on: stored.image())
    let expected = try Image(contentsOf: stored.path("classes.png"))
    try #require(map.width == expected.width && map.height == expected.height)
    let equal = map.classes.indices.count { UInt8(map.classes[$0]) == expected.rgb[$0 * 3] }
    #expect(
      Double(equal) >= Double(map.classes.count) * (try stored.tolerance("share_of_equal_pixels")))
  }

  @Test func depthInMeters() throws {
    let stored = try Case("depth-yolo26-onnx")
    let request = try EstimateDepthRequest(model: stored.model(), pool: ThreadPool(threadCount: 1))
    #expect(request.unit == .meters)
    let map = try request.perform(on: stored.image())
    let expected = try Tensor(contentsOf: stored.path("depth.npy"))
    try #require(expected.shape == [map.height, map.width])
    let range = try #require(stored.document["range"] as? [Double])
    let tolerance = Float((range[1] - range[0]) * (try stored.tolerance("relative_to_range")))
    #expect(zip(map.values, expected.floats()).allSatisfy { abs($0 - $1) <= tolerance })
  }

  @Test func paintedPicture() throws {
    let stored = try Case("image-style-coreml")
    let request = try TransformImageRequest(model: stored.model(), pool: ThreadPool(threadCount: 1))
    let picture = try request.perform(on: stored.image())
    let expected = try Image(contentsOf: stored.path("output.png"))
    try #require(picture.width == expected.width && picture.height == expected.height)
    let tolerance = Int(try stored.tolerance("gray_levels"))
    #expect(zip(picture.rgb, expected.rgb).allSatisfy { abs(Int($0) - Int($1)) <= tolerance })
  }

  /// The crop of the center is what classifiers do without a word.
  @Test(arguments: ["classify-mobilenetv3-onnx-logits", "classify-yolo11-onnx-center"])
  func probabilitiesOfClasses(_ name: String) throws {
    let stored = try Case(name)
    let request = try ClassifyImageRequest(model: stored.model(), pool: ThreadPool(threadCount: 1))
    let found = try request.perform(on: stored.image())
    let top = try #require(stored.document["top"] as? [[String: Any]])
    let tolerance = try stored.tolerance("confidence")
    for (answer, expected) in zip(found, top) {
      #expect(answer.classIndex == expected["class"] as? Int)
      let confidence = try #require(expected["confidence"] as? Double)
      #expect(abs(Double(answer.confidence) - confidence) <= tolerance)
    }
  }
}
