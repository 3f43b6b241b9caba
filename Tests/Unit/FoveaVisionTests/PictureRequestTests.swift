// Fovea - requests with models that read arrays.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaImaging
import FoveaLowering
import FoveaRuntime
import FoveaTestSupport
import FoveaVision
import Testing

/// Requests give pictures to models that read arrays.
@Suite struct PictureRequestTests {
  private static let (rows, columns) = (PictureNetworks.rows, PictureNetworks.columns)

  private func image() throws -> Image {
    let pixels = (0..<Self.rows * Self.columns * 3).map {
      UInt8(truncatingIfNeeded: $0 * 71 + $0 / 9)
    }
    return try Image(width: Self.columns, height: Self.rows, rgb: pixels)
  }

  /// The chances that the model's own array gives for the planes of a picture.
  private func chances(_ model: Model, _ picture: PictureForm) throws -> [Float] {
    let pixels = try image().rgb
    var floats: [Float] = []
    for channel in 0..<3 {
      floats += (0..<Self.rows * Self.columns).map {
        Float(pixels[$0 * 3 + channel]) * picture.scale[channel] + picture.bias[channel]
      }
    }
    let array = try Tensor(shape: [1, 3, Self.rows, Self.columns], floats: floats)
    return try #require(try model.prediction(from: ["x": array])["y"]).floats()
  }

  @Test func classifiersAreLoadedForPictures() throws {
    let model = try Model(bytes: PictureNetworks.scores(hasSoftmax: true), name: "scores")
    #expect(model.inputs[0].image == nil && model.picture == nil)
    let request = try ClassifyImageRequest(model: model)
    let picture = try #require(request.model.picture)
    let found = try request.perform(on: image())
    let expected = try chances(model, picture)
    #expect(found.count == 4)
    for answer in found {
      #expect(abs(answer.confidence - expected[answer.classIndex]) < 1e-5)
      #expect(answer.identifier == "class \(answer.classIndex)")
    }
    // Back to what the file says.
    let arrays = try request.model.readingArrays()
    #expect(arrays.inputs == model.inputs && arrays.outputs == model.outputs)
    #expect(try chances(arrays, picture) == expected)
  }

  @Test func wrongModelsAreNamed() throws {
    let classifier = try Model(bytes: PictureNetworks.scores(hasSoftmax: true), name: "scores")
    let detection = #expect(throws: DetectionError.self) {
      try DetectObjectsRequest(model: classifier)
    }
    #expect(detection?.description.contains("scores is a classifier") == true)
    var writer = ProgramWriter(inputs: [("x", [1, 4, 12, 16])])
    writer.add("relu", ["x": .value("x")])
    let plain = try Model(bytes: writer.model(), name: "plain")
    let refusal = #expect(throws: DetectionError.self) { try DetectObjectsRequest(model: plain) }
    let message = try #require(refusal).description
    #expect(message.contains("an array of 1 or 3 channels, rows and columns"), "\(message)")
  }

  @Test(.enabled(if: SharedData.isPresent)) func detectorsAreLoadedForPictures() throws {
    let path = SharedData.url("mlprogram/nanodet-fp32-ios17-array/model.mlpackage").path
    // A head is one of a picture: naming it asks for pictures at once.
    let forced = try Model(contentsOf: path, options: .init(head: .nanodet))
    let model = try Model(contentsOf: path)
    #expect(forced.picture != nil && model.picture == nil)
    var (first, second) = (
      try DetectObjectsRequest(model: model), try DetectObjectsRequest(model: forced)
    )
    first.minimumConfidence = 0.02
    second.minimumConfidence = 0.02
    let photograph = try Image(contentsOf: SharedData.url("images/dog.jpg").path)
    let found = try first.perform(on: photograph)
    #expect(!found.isEmpty)
    #expect(
      try second.perform(on: photograph).map(\.boundingBox) == found.map(\.boundingBox))
  }
}
