// Fovea - tests of the classes that are made of models.
// SPDX-License-Identifier: Apache-2.0
import CoreML
import Foundation
import FoveaApple
import FoveaModelClass
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite("Classes of models") struct ModelClassTests {
  private static func withFile<R>(_ bytes: [UInt8], _ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-class-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("My Colors-2.mlmodel")
    try Data(bytes).write(to: url)
    return try body(url)
  }

  @Test("A classifier's class has its label, and its folder opens as a model") func classifier()
    throws
  {
    try Self.withFile(ColorClassifier.bytes()) { url in
      let model = try ModelInPackage(at: url.path)
      let lines = Set(
        ModelClass(model.description, name: model.name, resourceFolder: "App_Photos.resources")
          .text.split(separator: "\n")
          .map { $0.trimmingCharacters(in: .whitespaces) })
      for line in [
        "class My_Colors_2Input: MLFeatureProvider {", "class My_Colors_2 {",
        "var image: CVPixelBuffer", "init(image: CVPixelBuffer) {",
        "convenience init(imageWith image: CGImage) throws {",
        "convenience init(imageAt image: URL) throws {",
        #"var label: String { self.provider.featureValue(for: "label")!.stringValue }"#,
        "init(label: String, chances: [String: Double]) {",
        "func prediction(image: CVPixelBuffer) throws -> My_Colors_2Output {",
        #"let resources = Bundle.main.bundleURL.appendingPathComponent("App_Photos.resources")"#,
        #"return Bundle.module.url(forResource: "My Colors-2", withExtension: "mlmodelc")!"#,
      ] { #expect(lines.contains(line), "\(line)") }
      let folder = url.deletingPathExtension().appendingPathExtension("mlmodelc")
      for _ in 0..<2 { try model.writeCompiled(to: folder.path) }
      #expect(try MLModel(contentsOf: folder).modelDescription.predictedFeatureName == "label")
      // A package is copied as it is.
      let package = try #require(
        URL(string: folder.absoluteString.replacingOccurrences(of: "mlmodelc", with: "mlpackage")))
      try FileManager.default.moveItem(at: folder, to: package)
      for _ in 0..<2 { try ModelInPackage(at: package.path).writeCompiled(to: folder.path) }
      #expect(try MLModel(contentsOf: folder).modelDescription.classLabels?.count == 3)
    }
  }

  @Test("Names that Swift refuses are changed, arrays have shaped forms") func names() {
    let array = FeatureType.multiArray(MultiArrayFeature(shape: [2], dataType: .float16))
    let model = ModelDescription(
      specificationVersion: 5,
      inputs: [
        FeatureDescription(name: "in", type: array),
        FeatureDescription(name: "1.weight", type: .double, isOptional: true),
        FeatureDescription(name: "1-weight", type: .int64),
      ],
      outputs: [FeatureDescription(name: "a \"b\"\n", type: array)],
      body: .unsupported(typeName: "none"))
    let text = ModelClass(model, name: "3rd", resourceFolder: "").text
    for part in [
      "class _3rd {", "var `in`: MLMultiArray\n", "var _1_weight: Double? = nil",
      "var _1_weight_: Int64\n", #"case "1-weight": return MLFeatureValue(int64: self._1_weight_)"#,
      "convenience init(`in`: MLShapedArray<Float16>, _1_weight: Double? = nil, _1_weight_: Int64)",
      "var a__b__ShapedArray: MLShapedArray<Float16>", #"featureValue(for: "a \"b\"\u{a}")!"#,
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test("A broken model has the words of the engine") func broken() throws {
    let bytes = ColorClassifier.bytes()
    for bad in [[], Array("hello".utf8), Array(bytes.prefix(bytes.count / 2))] {
      try Self.withFile(bad) { url in
        var words: [String] = []
        do { _ = try ModelInPackage(at: url.path) } catch { words.append("\(error)") }
        do { _ = try Model(contentsOf: url.path) } catch { words.append("\(error)") }
        #expect(words.count == 2)
        #expect(words.first == words.last || words.first == "\(url.path): \(words.last ?? "")")
      }
    }
  }
}
