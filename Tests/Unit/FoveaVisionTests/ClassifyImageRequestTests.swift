// Fovea - tests of requests to name what is in an image.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite struct ClassifyImageRequestTests {
  /// A picture whose left half is red and whose right half is blue.
  static func picture() throws -> Image {
    let rows: [UInt8] = (0..<8).flatMap { _ in
      (0..<8).flatMap { $0 < 4 ? [255, 0, 0] : [0, 0, 255] as [UInt8] }
    }
    return try Image(width: 8, height: 8, rgb: rows)
  }

  static func request(_ bytes: [UInt8] = ColorClassifier.bytes()) throws -> ClassifyImageRequest {
    try ClassifyImageRequest(
      model: Model(bytes: bytes, name: "colors"), pool: ThreadPool(threadCount: 1))
  }

  @Test func probabilitiesAreSorted() throws {
    let found = try Self.request().perform(on: Self.picture())
    // exp(0.5), exp(0.5) and exp(0) over their sum; equal ones in the order of the labels.
    let (half, rest) = (Float(exp(0.5)), Float(1))
    #expect(found.map(\.identifier) == ["red", "blue", "green"])
    #expect(found.map(\.classIndex) == [0, 2, 1])
    for (observation, expected) in zip(found, [half, half, rest]) {
      #expect(abs(observation.confidence - expected / (2 * half + rest)) < 1e-6)
    }
  }

  @Test func theRegionIsWhatCounts() async throws {
    var request = try Self.request()
    request.regionOfInterest = NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 1)
    let found = try await request.perform(on: Self.picture())
    #expect(found.first?.identifier == "blue")
    let expected = Float(exp(1.0) / (exp(1.0) + 2))
    let confidence = try #require(found.first?.confidence)
    #expect(abs(confidence - expected) < 1e-6)
    request.regionOfInterest = NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1)
    let picture = try Self.picture()
    let error = #expect(throws: DetectionError.self) { try request.perform(on: picture) }
    guard case .invalidRequest = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func whatIsNoProbabilityIsAnError() throws {
    let request = try Self.request(ColorClassifier.bytes(hasSoftmax: false, scale: 1 / 64))
    let picture = try Self.picture()
    let error = #expect(throws: DetectionError.self) { try request.perform(on: picture) }
    let words = error?.description ?? ""
    #expect(words.contains("'chances' has 1.99") && words.contains("from 0.0 to 1.99"), "\(words)")
  }

  @Test func whatIsNoClassifierIsRefused() throws {
    let detector = try ExampleDetector.request().model
    let error = #expect(throws: DetectionError.self) { try ClassifyImageRequest(model: detector) }
    #expect(error?.description.contains("raw_confidence") == true, "\(String(describing: error))")
    let classifier = try Model(bytes: ColorClassifier.bytes(), name: "colors")
    let other = #expect(throws: DetectionError.self) { try DetectObjectsRequest(model: classifier) }
    #expect(other?.description.contains("fovea classify") == true, "\(String(describing: other))")
  }

  @Test func compiledClassifiersClassify() throws {
    let bytes = try Model.compile(bytes: ColorClassifier.bytes())
    #expect(
      try Self.request(bytes).perform(on: Self.picture())
        == Self.request().perform(on: Self.picture()))
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: [false, true])
  func storedClassifierGivesItsProbabilities(isCompiled: Bool) throws {
    let folder = "mlprogram/mobilenetv2-classifier-int8"
    var path = SharedData.url(folder + "/model.mlpackage").path
    let compiled = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).fovea")
    defer { try? FileManager.default.removeItem(at: compiled) }
    if isCompiled {
      try Model.compile(contentsOf: path, to: compiled.path)
      path = compiled.path
    }
    let request = try ClassifyImageRequest(
      model: Model(contentsOf: path), pool: ThreadPool(threadCount: 1))
    let info = try #require(try SharedData.json(folder + "/info.json") as? [String: Any])
    let examples = try #require(info["examples"] as? [[String: [String: [String: Any]]]])
    for (index, example) in examples.enumerated() {
      let outputs = try #require(example["outputs"])
      let tensor = try Tensor(contentsOf: SharedData.url("\(folder)/input-image-\(index).npy").path)
      let image = try Image(
        width: tensor.shape[1], height: tensor.shape[0], rgb: #require(tensor.uint8s()))
      let found = try request.perform(on: image)
      let expected = try #require(outputs["classLabel_probs"]?["value"] as? [String: Double])
      #expect(found.first?.identifier == outputs["classLabel"]?["value"] as? String)
      #expect(found.count == expected.count)
      for observation in found {
        let probability = try #require(expected[observation.identifier])
        #expect(abs(Double(observation.confidence) - probability) < 2e-5)
      }
    }
  }
}
