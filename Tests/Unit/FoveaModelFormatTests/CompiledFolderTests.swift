// Fovea - tests: compiled models in folders.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct CompiledFolderTests {
  private func model(_ files: [String: [UInt8]]) throws -> ModelDescription {
    try ModelDescription(compiled: FolderInMemory(files))
  }

  private func error(_ files: [String: [UInt8]]) throws -> ModelFormatError {
    try formatError { _ = try model(files) }
  }

  @Test func theDescriptionAndTheProgramAreRead() throws {
    let model = try model(CompiledExample.files)
    #expect(model.specificationVersion == 9)
    #expect(model.inputs.map(\.type) == [.image(.init(width: 2, height: 2, colorSpace: .rgb))])
    #expect(model.outputs.map(\.name) == ["y"])
    #expect(model.metadata.author == "nobody")
    #expect(model.metadata.userDefined == ["names": "{0: 'cat'}"])
    #expect(model.functionName == "main")
    #expect(model.layerCount == 4)
    guard case .program(let program) = model.body else { throw Missing(what: "a program") }
    #expect(program.constant("w")?.count == 2)
  }

  @Test func stagesOfAPipelineAreRead() throws {
    let model = try model(CompiledExample.pipelineFiles)
    // The folder of a pipeline states version 1.
    #expect(model.specificationVersion == 9)
    #expect(model.stages.map(\.name) == ["first", "second"])
    #expect(model.layerCount == 8)
    var unnamed = CompiledExample.pipelineFiles
    unnamed["modelNames/coremldata.bin"] = [2, 0, 0, 0, 0, 0, 0, 0, 0xFF]
    #expect(try self.model(unnamed).stages.map(\.name) == ["model0", "model1"])
  }

  @Test(arguments: [CompiledExample.files, CompiledExample.pipelineFiles])
  func outlinesDescribeTheSameModel(_ files: [String: [UInt8]]) throws {
    var model = try model(files)
    if case .pipeline(var pipeline) = model.body {
      for index in pipeline.stages.indices {
        pipeline.stages[index].model.body = .program(TensorProgram(functions: [:]))
      }
      model.body = .pipeline(pipeline)
    } else {
      model.body = .program(TensorProgram(functions: [:]))
    }
    let outline = try ModelOutline.outline(compiled: FolderInMemory(files))
    #expect(try ModelDescription(outline: outline) == model)
    #expect(try ModelOutline.bytes(of: outline) == outline)
  }

  // MARK: Refusals

  @Test func foldersOfOtherKindsAreRefused() throws {
    let network: [UInt8] = Array("{}".utf8)
    var error = try error(["model.espresso.net": network])
    #expect(error.code == .unsupportedModelType)
    #expect(error.found == "an espresso folder, a compiled neural network")
    #expect(error.remedy.contains(".mlmodel"))
    let description = CompiledExample.description
    error = try self.error(["coremldata.bin": description(CompiledExample.message, 500, 4)])
    #expect(error.code == .unsupportedModelType)
    error = try self.error(["coremldata.bin": description(CompiledExample.message, 302, 1)])
    #expect(error.code == .unsupportedModelType)
    #expect(error.found.contains("tree ensemble"))
    error = try self.error(["coremldata.bin": description(CompiledExample.message, 502, 9)])
    #expect(error.code == .missingField)
    error = try self.error(["Manifest.json": network])
    #expect(error.code == .notAModel)
    error = try self.error(["coremldata.bin": [1, 2, 3]])
    #expect(error.code == .malformedEncoding)
  }

  @Test func aSuppressionStageIsRefusedByName() throws {
    var files = CompiledExample.pipelineFiles
    for path in files.keys where path.hasPrefix("model1/") { files[path] = nil }
    // Nobody knows what follows the kind.
    files["model1/coremldata.bin"] = [0x62, 0x02, 0, 0, 1, 2, 3]
    let error = try error(files)
    #expect(error.code == .unsupportedModelType)
    #expect(error.fieldPath == "model1")
    #expect(error.found.contains("suppression"))
    #expect(error.remedy.contains(".mlpackage"))
  }

  @Test func incompletePipelinesAreRefused() throws {
    var files = CompiledExample.pipelineFiles
    for path in files.keys where path.hasPrefix("model0/") { files[path] = nil }
    #expect(try error(files).code == .missingField)
    files = CompiledExample.pipelineFiles
    files["model1/model.mil"] = nil
    #expect(try error(files).fieldPath == "model1")
    files["model1/model.espresso.net"] = []
    #expect(try error(files).found == "an espresso folder, a compiled neural network")
  }

  @Test func pipelinesInsideEachOtherAreLimited() throws {
    let description = CompiledExample.description(CompiledExample.message, type: 202)
    var files: [String: [UInt8]] = [:]
    for depth in 0...20 {
      files[String(repeating: "model0/", count: depth) + "coremldata.bin"] = description
    }
    #expect(try error(files).code == .limitExceeded)
  }

  @Test func theProgramHasToFitTheDescription() throws {
    var files = CompiledExample.files
    let message = ProtobufWriter { writer in
      writer.data(1, ModelBuilder.image("image", width: 4, height: 2))
      writer.data(10, ModelBuilder.array("y", []))
    }.bytes
    files["coremldata.bin"] = CompiledExample.description(message)
    var error = try error(files)
    #expect(error.code == .invalidValue)
    #expect(error.fieldPath.hasPrefix("model.mil.functions[main]"))
    files["coremldata.bin"] = CompiledExample.description([0xA2, 0x06, 0x00])
    error = try self.error(files)
    #expect(error.code == .malformedEncoding)
    #expect(error.fieldPath == "coremldata.bin")
    files["coremldata.bin"] = CompiledExample.description(message, version: 99)
    #expect(try self.error(files).code == .unsupportedVersion)
    files["coremldata.bin"] = nil
    #expect(try self.error(files).code == .missingField)
  }

  @Test func damagedDescriptionsEnd() throws {
    var files = CompiledExample.pipelineFiles
    for path in ["coremldata.bin", "model0/coremldata.bin", "modelNames/coremldata.bin"] {
      let whole = try #require(files[path])
      for index in whole.indices {
        for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
          var bytes = whole
          bytes[index] = value
          files[path] = bytes
          _ = try? model(files)
        }
        files[path] = Array(whole[..<index])
        _ = try? model(files)
      }
      files[path] = whole
    }
  }

  // MARK: Real folders

  @Test(
    .enabled(if: SharedData.isPresent), arguments: ["enc-int4-block-ios18", "enc-palette4-ios16"])
  func compiledModelsAreThosePackagesAre(_ name: String) throws {
    let compiled = try ModelDescription(
      compiled: SharedFolder(path: "mlprogram/compiled-\(name)/model.mlmodelc"))
    let package = try ModelPackage(SharedFolder(path: "mlprogram/\(name)/model.mlpackage"))
    let model = try ModelDescription(bytes: package.model, folder: package.folder)
    #expect(compiled.inputs == model.inputs)
    #expect(compiled.outputs == model.outputs)
    #expect(compiled.specificationVersion == model.specificationVersion)
    #expect(compiled.metadata == model.metadata)
    guard case .program(let left) = compiled.body, case .program(let right) = model.body else {
      throw Missing(what: "a program")
    }
    let (text, message) = (left.withoutPlaces, right.withoutPlaces)
    #expect(text.functions.keys == message.functions.keys)
    let (main, other) = (
      try #require(text.functions["main"]), try #require(message.functions["main"])
    )
    #expect(main.inputs == other.inputs)
    #expect(main.outputs == other.outputs)
    #expect(main.operationSet == other.operationSet)
    #expect(main.operations.count == other.operations.count)
    for (one, two) in zip(main.operations, other.operations) where one != two {
      Issue.record("\(one.kind) \(one.results[0].name) differs")
    }
  }

  static let refusals: [String: ModelFormatError.Code] = [
    "text-cut": .truncated, "text-missing": .missingField, "text-zeros": .notAModel,
    "dialect": .unsupportedVersion, "brackets": .limitExceeded, "string-open": .truncated,
    "number": .limitExceeded, "undefined": .unknownBlob, "blob-escape": .invalidValue,
    "weights-missing": .missingField, "offset": .invalidWeights,
    "espresso": .unsupportedModelType,
  ]

  @Test(.enabled(if: SharedData.isPresent)) func badFoldersAreRefused() throws {
    let names = try SharedData.files(in: "mlprogram/bad/compiled", suffix: ".mlmodelc")
    #expect(names.count == 13)
    for name in names {
      let folder = SharedFolder(path: "mlprogram/bad/compiled/\(name)")
      if name.hasPrefix("op-unknown") {
        // An unknown operation is described; only what runs a program refuses it.
        let model = try ModelDescription(compiled: folder)
        guard case .program(let program) = model.body else { throw Missing(what: "a program") }
        #expect(program.functions["main"]?.operations.contains { $0.kind == "frobnicate" } == true)
        continue
      }
      let error = try formatError { _ = try ModelDescription(compiled: folder) }
      #expect(error.code == Self.refusals[String(name.dropLast(9))], "\(name): \(error)")
    }
  }
}
