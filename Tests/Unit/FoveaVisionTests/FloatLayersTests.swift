// Fovea - tests of naming layers that stay in float.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaInspection
import Testing

@Suite struct FloatLayersTests {
  private func model(floatLayers: Set<String>) throws -> Model {
    try Model(
      bytes: ShapesDetector.modelBytes(), name: "shapes",
      options: Model.Options(backend: .int8(floatLayers: floatLayers)))
  }

  private func encodings(_ model: Model) -> [String: String] {
    let convolutions = model.nodes.filter { $0.operation == "convolution" }
    return Dictionary(
      convolutions.map { ($0.label, $0.weightEncoding) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func whoseNameIsGivenStaysInFloat() throws {
    let integers = try encodings(model(floatLayers: []))
    #expect(integers.count > 1)
    #expect(integers.values.allSatisfy { $0 == "8-bit linear" })
    let mixed = try encodings(model(floatLayers: ["colors"]))
    #expect(mixed.filter { $0.value == "float32" }.map(\.key) == ["colors"])
    #expect(
      try encodings(model(floatLayers: Set(integers.keys))).values
        .allSatisfy { $0 == "float32" })
  }

  /// A misspelt name, one of a layer that is no convolution, and one of nothing at all.
  @Test(arguments: [
    ("color", "there is no convolution \"color\""), ("evidenze", "there is no convolution"),
    ("masks", "does not run as a convolution"), ("", "there is no convolution"),
  ])
  func strangersAreRefused(name: String, words: String) throws {
    let error = #expect(throws: FoveaError.self) {
      try model(floatLayers: ["colors", name])
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [("color", "colors"), ("Evidence", "evidence")])
  func theNearestNameIsSuggested(name: String, nearest: String) throws {
    let error = #expect(throws: FoveaError.self) { try model(floatLayers: [name]) }
    #expect(error?.message.contains("the nearest name is \"\(nearest)\"") == true)
  }
}
