// Fovea - tests: files that are not models, and models that are not read.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct FileKindTests {
  private func error(_ bytes: [UInt8]) throws -> ModelFormatError {
    try formatError { _ = try ModelDescription(bytes: bytes) }
  }

  @Test func gitPointerIsNamed() throws {
    let pointer = """
      version https://git-lfs.github.com/spec/v1
      oid sha256:d2b921a9a03f0cbb35409e5f55a8bd30d502291a47a6afbcf39401f0fb9d4454
      size 8913591

      """
    let error = try error(Array(pointer.utf8))
    #expect(error.code == .gitLargeFilePointer)
    #expect(error.description.contains("git lfs pull"))
  }

  @Test func foreignFilesAreNamed() throws {
    #expect(try error([]).code == .emptyFile)
    #expect(try error(Array("<!DOCTYPE html><html></html>".utf8)).code == .notAModel)
    #expect(try error(Array("<!DOCTYPE html><html></html>".utf8)).found == "a web page (HTML)")
    #expect(try error([0x50, 0x4B, 3, 4, 0, 0]).found == "a zip archive")
    #expect(try error([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10]).code == .notAModel)
    #expect(try error([0x0F]).code == .notAModel)
  }

  @Test(arguments: [
    (2002, "feature extractor", "operating systems"),
    (302, "tree ensemble", "neural networks"), (555, "customModel", "neural networks"),
    (3000, "serializedModel", "neural networks"),
  ])
  func otherModelTypesAreNamed(type: Int, found: String, remedy: String) throws {
    let bytes = ModelBuilder.model(version: 7, type: type) { _ in }
    let error = try error(bytes)
    #expect(error.code == .unsupportedModelType)
    #expect(error.found.contains(found))
    #expect(error.remedy.contains(remedy))
    let described = try ModelDescription(bytes: bytes, describesUnsupportedModels: true)
    guard case .unsupported = described.body else { throw Missing(what: "an unsupported body") }
  }

  @Test func featureExtractorInsideAPipelineIsNamed() throws {
    let stage = ModelBuilder.model(type: 2002) { _ in }
    let bytes = ModelBuilder.model(type: 202) { $0.data(1, stage) }
    let error = try error(bytes)
    #expect(error.fieldPath == "pipeline.models[0].visionFeaturePrint")
    #expect(error.remedy.contains("operating systems"))
  }

  @Test(arguments: [0, 11, 99, -1])
  func unknownVersionsAreRefused(version: Int) throws {
    let error = try error(ModelBuilder.model(version: version, type: 500) { _ in })
    #expect(error.code == .unsupportedVersion)
    #expect(error.found.contains("\(version)"))
  }

  @Test func knownVersionsAreRead() throws {
    for version in 1...10 {
      let bytes = ModelBuilder.model(version: version, type: 500) { _ in }
      #expect(try ModelDescription(bytes: bytes).specificationVersion == version)
    }
  }

  @Test func modelWithoutATypeIsRefused() throws {
    let bytes = ProtobufWriter {
      $0.integer(1, 3)
      $0.message(2) { _ in }
    }.bytes
    #expect(try error(bytes).code == .missingField)
  }

  @Test func lastModelTypeWins() throws {
    let bytes =
      ModelBuilder.model(type: 610) { _ in } + ModelBuilder.model(type: 500) { _ in }
    guard case .neuralNetwork = try ModelDescription(bytes: bytes).body else {
      throw Missing(what: "a network")
    }
  }
}
