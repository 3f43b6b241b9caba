// Fovea - what pixels become where nobody says it.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaLowering
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct PictureNumbersTests {
  private func model(
    _ bytes: [UInt8], _ metadata: [String: String] = [:], _ wish: PictureInput = PictureInput()
  ) throws -> Model {
    var file = try ModelDescription(bytes: bytes)
    file.metadata.userDefined = metadata
    var options = Model.Options(backend: .float)
    options.pictures = wish
    return try Model(file: file, name: "test", options: options)
  }

  private let detector = PictureNetworks.convolution([1, 3, 12, 16])

  @Test func pixelsBecomeFractions() throws {
    let picture = try #require(try model(detector).picture)
    #expect(picture.scale == [1 / 255, 1 / 255, 1 / 255] && picture.bias == [0, 0, 0])
    #expect(picture.color == .rgb && picture.reason == "nothing says otherwise")
    #expect(picture.input == "x")
  }

  @Test func theFileDecidesFirst() throws {
    let entries = [
      "fovea.picture.scale": "0.5, 0.25,0.125", "fovea.picture.bias": "-1",
      "fovea.picture.color": "bgr",
    ]
    let picture = try #require(try model(detector, entries).picture)
    #expect(picture.scale == [0.125, 0.25, 0.5] && picture.bias == [-1, -1, -1])
    #expect(picture.color == .bgr && picture.reason == "the file says so")
  }

  @Test func meanAndDeviationAreAnotherWay() throws {
    let entries = ["normalization.mean": "127.5", "normalization.std": "64"]
    let picture = try #require(try model(detector, entries).picture)
    #expect(picture.scale == Array(repeating: 0.015625, count: 3))
    #expect(picture.bias == Array(repeating: -1.9921875, count: 3))
    #expect(picture.reason == "the file says so")
    let colors = ["normalization.mean": "1,2,3", "normalization.std": "2,4,8"]
    #expect(try model(detector, colors).picture?.bias == [-0.5, -0.5, -0.375])
  }

  @Test func exportersHaveTheirCustom() throws {
    var file = try ModelDescription(bytes: PictureNetworks.scores(hasSoftmax: true))
    file.metadata.author = "Ultralytics"
    var options = Model.Options()
    options.pictures = PictureInput()
    let picture = try #require(try Model(file: file, name: "test", options: options).picture)
    #expect(picture.scale == [1 / 255, 1 / 255, 1 / 255] && picture.bias == [0, 0, 0])
    #expect(picture.reason == "Ultralytics exports networks so")
  }

  @Test(arguments: [
    ["fovea.picture.scale": "0"], ["fovea.picture.scale": "1,2"], ["fovea.picture.bias": "nan"],
    ["fovea.picture.bias": ""], ["fovea.picture.color": "hsv"],
    ["normalization.std": "0", "normalization.mean": "1"],
  ])
  func damagedEntriesAreRefused(_ entries: [String: String]) throws {
    let error = #expect(throws: FoveaError.self) { try model(detector, entries) }
    #expect(error?.code == .invalidModel)
    let message = try #require(error).message
    #expect(entries.keys.contains { message.contains($0) }, "\(message)")
  }

  @Test func optionsDecideBeforeTheFile() throws {
    let entries = ["fovea.picture.scale": "0.5", "fovea.picture.bias": "-1"]
    let picture = try #require(
      try model(detector, entries, PictureInput(scale: [2], color: .bgr)).picture)
    #expect(picture.scale == [2, 2, 2] && picture.bias == [0, 0, 0] && picture.color == .bgr)
    #expect(picture.reason == "the options say so")
  }

  // MARK: Classifiers

  @Test(arguments: [true, false]) func scoresBecomeProbabilities(_ hasSoftmax: Bool) throws {
    let bytes = PictureNetworks.scores(hasSoftmax: hasSoftmax)
    let model = try model(bytes)
    let picture = try #require(model.picture)
    #expect(picture.reason.contains("ImageNet") && picture.color == .rgb)
    // (pixel / 255 - mean) / deviation, as every description of these networks says it.
    let published = [(0.485, 0.229), (0.456, 0.224), (0.406, 0.225)]
    for (channel, (mean, deviation)) in published.enumerated() {
      #expect(abs(Double(picture.scale[channel]) - 1 / (255 * deviation)) < 1e-7)
      #expect(abs(Double(picture.bias[channel]) + mean / deviation) < 1e-5)
    }
    let name = model.specification.predictedProbabilitiesName
    #expect(name == (hasSoftmax ? "y" : "probabilities"))
    let session = try Session(model: model)
    let bytesOfPicture = (0..<12 * 16 * 3).map { UInt8(truncatingIfNeeded: $0 * 61) }
    try session.setInput("x", to: Tensor(shape: [12, 16, 3], uint8s: bytesOfPicture))
    session.run()
    let probabilities = try session.output(name).floats()
    #expect(probabilities.count == 4 && abs(probabilities.reduce(0, +) - 1) < 1e-5)
    guard !hasSoftmax else { return }
    let logarithms = try session.output("y").floats()
    for (first, second) in zip(0..<3, 1..<4) {
      let ratio = probabilities[first] / probabilities[second]
      #expect(abs(ratio / exp(logarithms[first] - logarithms[second]) - 1) < 1e-4)
    }
  }

  @Test func withoutEvidenceArraysStay() throws {
    var wish = PictureInput()
    wish.needsEvidence = true
    #expect(try model(detector, [:], wish).inputs[0].image == nil)
    #expect(
      try model(PictureNetworks.scores(hasSoftmax: false), [:], wish).inputs[0].image == nil)
    #expect(
      try model(PictureNetworks.scores(hasSoftmax: true), [:], wish).inputs[0].image != nil)
    let names = ["names": "['a', 'b', 'c', 'd']"]
    #expect(
      try model(PictureNetworks.scores(hasSoftmax: false), names, wish).inputs[0].image != nil)
    let thousand = PictureNetworks.scores(count: 1000, hasSoftmax: false)
    #expect(try model(thousand, [:], wish).inputs[0].image != nil)
  }

  // MARK: Sizes

  @Test func openSizesAreThoseOfPictures() throws {
    var file = try ModelDescription(bytes: detector)
    file.inputs[0].type = .multiArray(
      MultiArrayFeature(
        shape: [1, 3, 1, 1], dataType: .float32,
        allowedShapes: .ranges([
          SizeRange(lower: 1, upper: nil), SizeRange(lower: 3, upper: 3),
          SizeRange(lower: 1, upper: nil), SizeRange(lower: 32, upper: 512),
        ])))
    var options = Model.Options(backend: .float)
    options.pictures = PictureInput()
    let image = try #require(
      try Model(file: file, name: "test", options: options).inputs[0].image)
    #expect(image.width == 512 && image.height == 640)
    #expect(
      image.allowedSizes
        == .range(
          width: SizeRange(lower: 32, upper: 512), height: SizeRange(lower: 8, upper: nil)))
    options.imageSize = ImageSize(width: 64, height: 48)
    #expect(try Model(file: file, name: "test", options: options).inputs[0].shape == [48, 64, 3])
    options.imageSize = nil
    file.metadata.userDefined["imgsz"] = "[96, 128]"
    #expect(try Model(file: file, name: "test", options: options).inputs[0].shape == [96, 128, 3])
  }

  // MARK: Families

  @Test(.enabled(if: SharedData.isPresent)) func familiesHaveTheirOwn() throws {
    let path = SharedData.url("mlprogram/nanodet-fp32-ios17-array/model.mlpackage").path
    let arrays = try Model(contentsOf: path, options: .init(backend: .reference))
    #expect(arrays.inputs[0].image == nil && arrays.head == nil)
    let model = try arrays.readingPictures()
    let picture = try #require(model.picture)
    #expect(picture.color == .bgr && picture.reason.hasPrefix("NanoDet"))
    #expect(model.head?.head == .nanodet)
    let bytes = (0..<96 * 96 * 3).map { UInt8(truncatingIfNeeded: $0 * $0 / 7 + $0) }
    // Blue, green, red.
    let numbers: [(mean: Float, deviation: Float)] = [
      (103.53, 57.375), (116.28, 57.12), (123.675, 58.395),
    ]
    var planes: [Float] = []
    for (plane, number) in numbers.enumerated() {
      planes += (0..<96 * 96).map {
        (Float(bytes[$0 * 3 + 2 - plane]) - number.mean) / number.deviation
      }
    }
    let expected = try Session(model: arrays)
    try expected.setInput("image", to: Tensor(shape: [1, 3, 96, 96], floats: planes))
    expected.run()
    let found = try Session(model: model)
    try found.setInput("image", to: Tensor(shape: [96, 96, 3], uint8s: bytes))
    found.run()
    for name in ["scores", "boxes"] {
      let (found, expected) = (try found.output(name).floats(), try expected.output(name).floats())
      let largest = expected.map { abs($0) }.max() ?? 0
      #expect(
        zip(found, expected).allSatisfy { abs($0 - $1) <= 1e-5 * largest }, "\(name)")
    }
  }
}
