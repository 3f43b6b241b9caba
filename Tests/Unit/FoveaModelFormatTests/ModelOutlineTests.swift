// Fovea - tests: a model file without its layers says the same of itself.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite struct ModelOutlineTests {
  /// The description without layers and without the pixels of mean images.
  private func withoutLayers(_ model: ModelDescription) -> ModelDescription {
    var result = model
    switch model.body {
    case .pipeline(let pipeline):
      result.body = .pipeline(
        Pipeline(
          stages: pipeline.stages.map { .init(name: $0.name, model: withoutLayers($0.model)) }))
    case .neuralNetwork(var network):
      network.layers = []
      for index in network.preprocessing.indices {
        if case .meanImage = network.preprocessing[index].kind {
          network.preprocessing[index].kind = .meanImage([])
        }
      }
      result.body = .neuralNetwork(network)
    case .program: result.body = .program(TensorProgram(functions: [:]))
    case .nonMaximumSuppression, .unsupported: break
    }
    return result
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: ["models", "models/fixtures", "odd"])
  func outlinesDescribeTheSameModel(_ folder: String) throws {
    var count = 0
    for file in try SharedData.files(in: folder, suffix: ".mlmodel") {
      let bytes = try SharedData.bytes("\(folder)/\(file)")
      guard let model = try? ModelDescription(bytes: bytes) else { continue }
      let outline = try ModelOutline.bytes(of: bytes)
      #expect(try ModelDescription(outline: outline) == withoutLayers(model), "\(file)")
      #expect(outline.count < bytes.count)
      // An outline is its own outline, and no model to run.
      #expect(try ModelOutline.bytes(of: outline) == outline)
      count += 1
    }
    #expect(count > 0)
  }

  @Test func compiledFilesAreNamed() throws {
    let error = try formatError {
      _ = try ModelDescription(bytes: FileKind.compiledStart + [1, 0, 0, 0])
    }
    #expect(error.code == .notAModel)
    #expect(error.found.contains("compiled model"))
  }

  @Test func damagedOutlinesAreRefused() throws {
    #expect(throws: ModelFormatError.self) { try ModelDescription(outline: []) }
    #expect(throws: ModelFormatError.self) {
      try ModelDescription(outline: [0x08, 3, 0xA2, 0x1F, 9])
    }
  }
}
