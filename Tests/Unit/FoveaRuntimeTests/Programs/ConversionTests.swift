// Fovea - tests: converted models give the bits of their sources.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct ConversionTests {
  static let stored = ["mlpackage", "mlmodelc", "onnx"].flatMap { ProgramCase.all(extension: $0) }

  @Test(.enabled(if: SharedData.isPresent), arguments: stored)
  func programsGiveTheSameBits(_ stored: ProgramCase) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let source = SharedData.url(stored.model).path
    let path = folder.path("converted.mlpackage")
    let example = try #require(stored.examples.first)
    var options = ConversionOptions()
    if stored.model.hasSuffix("onnx") { options.loading = try example.options() }
    let conversion: ModelConversion
    do {
      conversion = try ModelConversion(contentsOf: source, options: options)
    } catch {
      // What cannot be opened cannot be converted, for the same reason.
      let reason = #expect(throws: FoveaError.self) {
        try Model(contentsOf: source, options: options.loading)
      }
      #expect(reason?.message == error.message)
      return
    }
    try conversion.files.write(to: path)
    let expected = try example.run(source, backend: .float)
    let found = try example.renamed(conversion.renamed).run(path, backend: .float)
    #expect(found.count == expected.count && !found.isEmpty)
    for (name, tensor) in expected {
      let bits = tensor.floats().map(\.bitPattern)
      let result = found[conversion.renamed[name] ?? name]
      #expect(result?.floats().map(\.bitPattern) == bits, "\(name)")
    }
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: ["yolov2", "yolov3", "yolov4", "yolov7"])
  func darknetGivesTheSameBits(_ name: String) throws {
    let source = SharedData.url("mlprogram/darknet/\(name)-tiny.cfg").path
    for isPackage in [true, false] {
      var options = ConversionOptions()
      options.isPackage = isPackage
      let files = try ModelConversion(contentsOf: source, options: options).files
      #expect(files.constants.isEmpty != isPackage)
      let expected = try Model(contentsOf: source, options: .init(backend: .float)).noiseOutputs()
      let found = try Model(file: files.read(), name: "", options: .init(backend: .float))
      #expect(found.suppression != nil)
      #expect(try found.noiseOutputs() == expected && !expected.isEmpty)
    }
  }

  /// The head of a network is decoded in its file as it is in its graph, before suppression.
  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: [
      "onnx-yolov8-opset18/model.onnx", "onnx-yolo26-end2end/model.onnx",
      "onnx-nanodet-opset11/model.onnx", "yolov8-fp32/model.mlpackage",
      "yolo11-fp16-ios18/model.mlpackage", "yolov5-anchors-fp16/model.mlpackage",
      "efficientdet-palette2/model.mlpackage", "rtdetr-fp32/model.mlpackage",
    ])
  func addedSuppressionReadsTheDecodedHead(_ name: String) throws {
    let source = SharedData.url("mlprogram/\(name)").path
    var options = ConversionOptions()
    options.loading.pictures = PictureInput()
    options.loading.backend = .float
    let model = try Model(contentsOf: source, options: options.loading)
    let head = try #require(model.head)
    options.suppression = AddedSuppression()
    options.suppression?.confidenceThreshold = 0.125
    let conversion = try ModelConversion(contentsOf: source, options: options)
    let converted = try Model(
      file: conversion.files.read(), name: "", options: .init(backend: .float))
    let stage = try #require(converted.suppression)
    #expect(stage.confidenceThreshold == 0.125 && stage.perClass)
    #expect(stage.iouThreshold == (head.head.needsSuppression ? 0.45 : 1))
    #expect(stage.classLabels.count == model.outputs.last { $0.name == "confidence" }?.shape[1])
    #expect(converted.specification.outputs.map(\.name) == ["confidence", "coordinates"])
    #expect(converted.specification.inputs.count == 3)
    let expected = try model.noiseOutputs()
    let found = try converted.noiseOutputs()
    #expect(found["raw_confidence"] == expected["confidence"])
    #expect(found["raw_coordinates"] == expected["coordinates"])
    #expect(expected["coordinates"]?.isEmpty == false)
  }

  @Test(.enabled(if: SharedData.isPresent))
  func suppressionNeedsScoresAndBoxes() throws {
    var options = ConversionOptions()
    options.suppression = AddedSuppression()
    for (name, words) in [
      ("mobilenetv2-classifier-int8", "no suppression can be added"),
      ("flexible-enumerated-image", "the model allows several sizes"),
      ("pipeline-yolo11-nms", "has a suppression stage already"),
    ] {
      let source = SharedData.url("mlprogram/\(name)/model.mlpackage").path
      let error = #expect(throws: FoveaError.self) {
        try ModelConversion(contentsOf: source, options: options)
      }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  /// A wish for pictures changes nothing where all inputs are images.
  @Test(.enabled(if: SharedData.isPresent))
  func allFunctionsAreKept() throws {
    let source = SharedData.url("mlprogram/multifunction/model.mlpackage").path
    var options = ConversionOptions()
    options.loading.pictures = PictureInput()
    let model = try ModelConversion(contentsOf: source, options: options).files.read()
    #expect(model.functions.count == 2 && model.functions.allSatisfy { !$0.inputs.isEmpty })
  }

  @Test(.enabled(if: SharedData.isPresent))
  func descriptionsChange() throws {
    let source = SharedData.url("mlprogram/yolov8-fp32/model.mlpackage").path
    var options = ConversionOptions()
    options.metadata = ["author": "A", "names": "", "note": "n", "license": "L"]
    options.labels = ["it's", "a, b"]
    let model = try ModelConversion(contentsOf: source, options: options).files.read()
    #expect(model.metadata.author == "A" && model.metadata.license == "L")
    #expect(model.metadata.userDefined["note"] == "n")
    #expect(model.metadata.userDefined["classes"] == nil)
    let labels = try Model(file: model, name: "", options: .init(backend: .reference)).classLabels
    #expect(labels == ["it's", "a, b"])
  }

  /// The outline of another format holds what a compiled file needs.
  @Test(.enabled(if: SharedData.isPresent))
  func otherFormatsAreCompiled() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for name in ["onnx-yolov8-opset18/model.onnx", "darknet/yolov4-tiny.cfg"] {
      let source = SharedData.url("mlprogram/\(name)").path
      let output = folder.path("model.fovea")
      try Model.compile(contentsOf: source, to: output)
      let original = try Model(contentsOf: source, options: .init(backend: .float))
      let compiled = try Model(contentsOf: output)
      #expect(compiled.inputs == original.inputs && compiled.outputs == original.outputs)
      #expect(compiled.metadata == original.metadata)
      #expect(compiled.suppression == original.suppression)
      #expect(try compiled.noiseOutputs() == original.noiseOutputs())
    }
  }
}

extension Model {
  /// The bits of all outputs by name, for inputs of noise.
  fileprivate func noiseOutputs() throws -> [String: [UInt32]] {
    let session = try Session(model: self)
    var random = SplitMix(seed: 7)
    for input in inputs {
      let tensor =
        input.type == .uint8
        ? try Tensor(
          shape: input.shape,
          uint8s: (0..<input.count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        : try Tensor(
          shape: input.shape,
          floats: (0..<input.count).map { _ in Float(random.below(1 << 16)) / 65536 })
      try session.setInput(input.name, to: tensor)
    }
    session.run()
    var results: [String: [UInt32]] = [:]
    for output in outputs {
      results[output.name] = try session.output(output.name).floats().map(\.bitPattern)
    }
    return results
  }
}
