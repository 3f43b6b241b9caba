// Fovea - tests of models behind the names of Core ML.
// SPDX-License-Identifier: Apache-2.0
import CoreML
import Foundation
import FoveaApple
import FoveaImaging
import FoveaRuntime
import FoveaTestSupport
import FoveaVision
import Testing

@Suite("Models by the names of Core ML") struct ModelTests {
  /// The classifier whose probabilities have a closed form, in a file.
  static func withClassifier<R>(_ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-apple-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("Colors.mlmodel")
    try Data(ColorClassifier.bytes()).write(to: url)
    return try body(url)
  }

  /// A picture of one color, blue first.
  static func plain(_ blue: UInt8, _ green: UInt8, _ red: UInt8, side: Int) throws -> CVPixelBuffer
  {
    let buffer = try FrameTests.buffer(side, side, kCVPixelFormatType_32BGRA)
    let color = CIColor(
      red: CGFloat(red) / 255, green: CGFloat(green) / 255, blue: CGFloat(blue) / 255)
    CIContext().render(CIImage(color: color), to: buffer)
    return buffer
  }

  @Test("A classifier gives its label and probabilities, compiled or not") func classifier() throws
  {
    try Self.withClassifier { url in
      let compiled = try MLModel.compileModel(at: url)
      defer { try? FileManager.default.removeItem(at: compiled.deletingLastPathComponent()) }
      #expect(compiled.lastPathComponent == "Colors.mlmodelc")
      for place in [url, compiled] {
        let model = try MLModel(contentsOf: place, configuration: MLModelConfiguration())
        let description = model.modelDescription
        #expect(description.predictedFeatureName == "label")
        #expect(description.classLabels as? [String] == ["red", "green", "blue"])
        let image = try #require(description.inputDescriptionsByName["image"]?.imageConstraint)
        #expect(image.pixelsWide == 4 && image.pixelFormatType == kCVPixelFormatType_32BGRA)
        let input = try MLDictionaryFeatureProvider(
          dictionary: ["image": Self.plain(0, 255, 0, side: 4)])
        let output = try model.prediction(from: input)
        #expect(output.featureNames == ["label", "chances"])
        #expect(output.featureValue(for: "label")?.stringValue == "green")
        let chances = try #require(output.featureValue(for: "chances")?.dictionaryValue)
        let expected = exp(1.0) / (exp(1.0) + 2)
        #expect(abs((chances["green"]?.doubleValue ?? 0) - expected) < 1e-6)
      }
    }
  }

  @Test("Errors have the domain and the codes of the framework") func errors() throws {
    let missing = URL(fileURLWithPath: "/nowhere/model.mlmodel")
    do {
      _ = try MLModel(contentsOf: missing)
      Issue.record("a missing file was loaded")
    } catch let error as NSError {
      #expect(error is MLModelError && error.domain == MLModelErrorDomain)
      #expect(error.code == MLModelError.io.rawValue && error.code == 3)
      #expect(error.localizedDescription.contains("/nowhere"))
    }
    #expect(throws: MLModelError.self) { try MLModel.compileModel(at: missing) }
    try Self.withClassifier { url in
      let model = try MLModel(contentsOf: url)
      let empty = try MLDictionaryFeatureProvider(dictionary: [:])
      #expect(throws: MLModelError.self) { try model.prediction(from: empty) }
      let wrong = try MLDictionaryFeatureProvider(
        dictionary: ["image": Self.plain(0, 0, 0, side: 5)])
      do {
        _ = try model.prediction(from: wrong)
        Issue.record("a picture of a wrong size was taken")
      } catch let error as MLModelError {
        #expect(error.code == MLModelError.featureType.rawValue)
      }
    }
    #expect(throws: MLModelError.self) {
      try MLDictionaryFeatureProvider(dictionary: ["a": Date()])
    }
  }

  @Test("Predictions wait, or call back, or come in batches") func forms() async throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).mlmodel")
    try Data(ColorClassifier.bytes()).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let model = try await MLModel.load(contentsOf: url)
    let inputs = try [(255, 0, 0), (0, 0, 255)].map { blue, green, red in
      try MLDictionaryFeatureProvider(
        dictionary: ["image": Self.plain(UInt8(blue), UInt8(green), UInt8(red), side: 4)])
    }
    let one = try await model.prediction(from: inputs[0])
    #expect(one.featureValue(for: "label")?.stringValue == "blue")
    let batch = try model.predictions(fromBatch: MLArrayBatchProvider(array: inputs))
    let labels = (0..<batch.count).map {
      batch.features(at: $0).featureValue(for: "label")?.stringValue
    }
    #expect(labels == ["blue", "red"])
  }

  @Test(
    "A pipeline's outputs are those of Fovea, as the declared doubles",
    .enabled(if: SharedData.isPresent))
  func pipeline() throws {
    let url = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel")
    let model = try MLModel(contentsOf: url)
    let value = try MLFeatureValue(
      imageAt: SharedData.url("images/dog.jpg"),
      constraint: #require(model.modelDescription.inputDescriptionsByName["image"]?.imageConstraint)
    )
    let buffer = try #require(value.imageBufferValue)
    let output = try model.prediction(
      from: MLDictionaryFeatureProvider(dictionary: ["image": buffer, "confidenceThreshold": 0.3]))
    let rgb = try #require(
      CIContext().createCGImage(
        CIImage(cvPixelBuffer: buffer),
        from: CGRect(x: 0, y: 0, width: 320, height: 320))?.rgbImage)
    let expected = try Model(contentsOf: url.path).prediction(
      from: ["image": Tensor(shape: [rgb.height, rgb.width, 3], uint8s: rgb.rgb)],
      numbers: ["confidenceThreshold": 0.3])
    for name in ["confidence", "coordinates"] {
      let array = try #require(output.featureValue(for: name)?.multiArrayValue)
      #expect(array.dataType == .double)
      #expect(array.shape.map(\.intValue) == expected[name]?.shape)
      #expect((0..<array.count).map { array[$0].floatValue } == expected[name]?.floats())
    }
    #expect(output.featureValue(for: "confidence")?.multiArrayValue?.shape[0].intValue ?? 0 > 0)
  }
}
