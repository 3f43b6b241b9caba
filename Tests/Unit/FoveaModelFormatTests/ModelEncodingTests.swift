// Fovea - tests: models that are written are read as what they were.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite struct ModelEncodingTests {
  /// A model of a function that reads "x" and writes "y".
  private func model(
    _ program: TensorProgram, inputs: [String] = ["x"], outputs: [String] = ["y"]
  ) -> ModelDescription {
    func feature(_ name: String) -> FeatureDescription {
      FeatureDescription(
        name: name, type: .multiArray(MultiArrayFeature(shape: [2, 3], dataType: .float32)))
    }
    return ModelDescription(
      specificationVersion: 1, inputs: inputs.map(feature), outputs: outputs.map(feature),
      body: .program(program))
  }

  /// What a reader finds in what was written.
  private func written(_ model: ModelDescription, isPackage: Bool = true) throws -> ModelDescription
  {
    let files = try ModelEncoder.files(of: model, isPackage: isPackage)
    if !isPackage { #expect(files.constants.isEmpty) }
    return try ModelDescription(bytes: files.model, folder: FolderInMemory(files.constants))
  }

  private func program(_ model: ModelDescription) throws -> TensorProgram.Function {
    guard case .program(let program) = model.body else {
      throw ModelFormatError(.notAModel, found: "no program", expected: "one")
    }
    return try #require(program.withoutPlaces.functions["main"])
  }

  // MARK: Constants

  @Test(arguments: ElementCase.all, [true, false])
  func constantsOfAllTypesAreKept(_ type: ElementCase, _ isPackage: Bool) throws {
    // Twelve elements go to a file where a type may stand there.
    for count in [0, type.literals.count, 12] {
      let literals = (0..<count).map { type.literals[$0 % type.literals.count] }
      let tensor = "tensor<\(type.element.rawValue), [\(count)]>"
      let constant = "\(tensor)([\(literals.joined(separator: ", "))])"
      let source = try TensorProgram.main(
        ["\(tensor) y = const()[val = \(constant)];"], inputs: "tensor<fp32, [2, 3]> x")
      let found = try written(model(source), isPackage: isPackage)
      let expected = try #require(source.constant("y"))
      let function = try program(found)
      #expect(function.operations[0].arguments["val"] == [.constant(expected)])
      #expect(function.operations[0].results == source.functions["main"]?.operations[0].results)
    }
  }

  @Test func largeConstantsAreInTheFile() throws {
    let values = (0..<10).map { "\($0).5" }.joined(separator: ", ")
    let source = try TensorProgram.main(
      [
        "tensor<fp32, [10]> a = const()[val = tensor<fp32, [10]>([\(values)])];",
        "tensor<fp32, [10]> b = const()[val = tensor<fp32, [10]>([\(values)])];",
        "tensor<fp32, [9]> c = const()[val = tensor<fp32, [9]>([1, 2, 3, 4, 5, 6, 7, 8, 9])];",
        "tensor<fp32, [29]> y = concat(values = (a, b, c), axis = int32(0));",
      ], inputs: "tensor<fp32, [2, 3]> x")
    let files = try ModelEncoder.files(of: model(source))
    let storage = try #require(files.constants["weights/weight.bin"])
    // A header, and one record for the two arrays that are equal: 64 + 64 + 40 bytes.
    #expect(storage.count == 168)
    #expect(Array(storage[0..<8]) == [1, 0, 0, 0, 2, 0, 0, 0])
    #expect(Array(storage[64..<72]) == [0xEF, 0xBE, 0xAD, 0xDE, 2, 0, 0, 0])
    let numbers = [0: 40, 8: 128]
    #expect(storage[72..<96].enumerated().allSatisfy { $1 == numbers[$0, default: 0] })
    #expect(storage[128..<132].elementsEqual([0, 0, 0, 0x3F]))
  }

  // MARK: Operations

  @Test func argumentsBecomeOperationsAndDeadOnesGo() throws {
    let source = try TensorProgram.main(
      [
        "tensor<fp32, [2, 3]> unread = exp(x = x);",
        "tensor<fp32, [2]> unused = const()[val = tensor<fp32, [2]>([1, 2])];",
        "tensor<fp32, [2, 3]> y = clip(alpha = fp32(0), beta = fp32(6), x = x);",
      ], inputs: "tensor<fp32, [2, 3]> x")
    let function = try program(written(model(source)))
    #expect(function.operations.map(\.kind) == ["const", "const", "clip"])
    #expect(function.operations.map { $0.results[0].name } == ["y_alpha", "y_beta", "y"])
    #expect(
      function.operations[2].arguments
        == ["alpha": [.value("y_alpha")], "beta": [.value("y_beta")], "x": [.value("x")]])
    #expect(function.outputs == ["y"])
  }

  @Test func namesBecomeThoseThatAreAllowed() throws {
    var source = try TensorProgram.main(
      [
        "tensor<fp32, [2, 3]> a = exp(x = x);", "tensor<fp32, [2, 3]> b = exp(x = a);",
        "tensor<fp32, [2, 3]> y = exp(x = b);",
      ], inputs: "tensor<fp32, [2, 3]> x")
    // As other formats name values: two of the names differ in what is not allowed only.
    source = source.renamed(["x": "images:0", "a": "/model.0/Exp", "b": "/model/0/Exp", "y": "0"])
    let model = model(source, inputs: ["images:0"], outputs: ["0"])
    let files = try ModelEncoder.files(of: model)
    #expect(files.renamed == ["images:0": "images_0", "0": "_0"])
    let found = try ModelDescription(bytes: files.model, folder: FolderInMemory(files.constants))
    #expect(found.inputs.map(\.name) == ["images_0"] && found.outputs.map(\.name) == ["_0"])
    let function = try program(found)
    #expect(
      function.operations.map { $0.results[0].name } == ["_model_0_Exp", "_model_0_Exp_0", "_0"])
    #expect(function.operations[2].arguments["x"] == [.value("_model_0_Exp_0")])
  }

  // MARK: Interfaces

  @Test func interfacesAndMetadataAreKept() throws {
    let size = { ImageFeature.Size(width: $0, height: $1) }
    let images: [ImageFeature] = [
      ImageFeature(width: 3, height: 2, colorSpace: .bgr),
      ImageFeature(
        width: 3, height: 2, colorSpace: .grayscale,
        allowedSizes: .enumerated([size(3, 2), size(6, 4)])),
      ImageFeature(
        width: 3, height: 2, colorSpace: .rgb,
        allowedSizes: .range(
          width: SizeRange(lower: 1, upper: nil), height: SizeRange(lower: 2, upper: 9))),
    ]
    let arrays: [MultiArrayFeature] = [
      MultiArrayFeature(shape: [2, 3], dataType: .int32),
      MultiArrayFeature(shape: [2], dataType: .double, allowedShapes: .enumerated([[2], [4, 1]])),
      MultiArrayFeature(
        shape: [], dataType: .float16,
        allowedShapes: .ranges([SizeRange(lower: 0, upper: nil), SizeRange(lower: 1, upper: 7)])),
    ]
    let suppression = NonMaximumSuppression(
      perClass: true, classLabels: .strings(["a", "b, c"]), iouThreshold: 0.45,
      confidenceThreshold: 0.25, confidenceInputName: "0", coordinatesInputName: "1",
      iouThresholdInputName: "iou", confidenceOutputName: "2", coordinatesOutputName: "3")
    var features = images.map(FeatureType.image) + arrays.map(FeatureType.multiArray)
    features += [.double, .int64, .string, .dictionary]
    let model = ModelDescription(
      specificationVersion: 5,
      inputs: features.enumerated().map { index, type in
        FeatureDescription(
          name: "\(index)", shortDescription: index == 1 ? "one" : "", type: type,
          isOptional: index == 2)
      },
      outputs: ["2", "3"].map {
        FeatureDescription(
          name: $0, type: .multiArray(MultiArrayFeature(shape: [], dataType: .double)))
      },
      predictedFeatureName: "2", predictedProbabilitiesName: "3",
      metadata: ModelMetadata(
        shortDescription: "what", version: "1", author: "who", license: "terms",
        userDefined: ["names": "{0: 'a'}", "empty": ""]),
      body: .nonMaximumSuppression(suppression))
    var expected = model
    // Halves as inputs came with iOS 16.
    expected.specificationVersion = 7
    #expect(try written(model) == expected)
  }

  @Test func outlinesOfOtherFormatsAreRead() throws {
    let function = TensorProgram.Function(
      inputs: [], operationSet: "ONNX 18", operations: [], outputs: ["y"])
    let model = model(TensorProgram(functions: ["main": function]))
    var expected = model
    expected.specificationVersion = 6
    expected.body = .program(TensorProgram(functions: [:]))
    #expect(try ModelDescription(outline: ModelEncoder.outline(of: model)) == expected)
  }

  // MARK: Stored models

  @Test(.enabled(if: SharedData.isPresent))
  func storedPackagesAreWrittenAsTheyAre() throws {
    var count = 0
    for name in try SharedData.files(in: "mlprogram") {
      let folder = SharedFolder(path: "mlprogram/\(name)/model.mlpackage")
      guard let package = try? ModelPackage(folder),
        let model = try? ModelDescription(bytes: package.model, folder: package.folder)
      else { continue }
      let found = try written(model)
      #expect(found.inputs == model.inputs && found.outputs == model.outputs, "\(name)")
      #expect(found.metadata == model.metadata, "\(name)")
      #expect(found.specificationVersion == model.specificationVersion, "\(name)")
      // Written once more, nothing changes.
      #expect(try written(found).withoutPlaces == found.withoutPlaces, "\(name)")
      count += 1
    }
    #expect(count > 40)
  }
}

extension TensorProgram {
  /// The program with other names of values.
  fileprivate func renamed(_ names: [String: String]) -> TensorProgram {
    var program = self
    for name in program.functions.keys {
      guard var function = program.functions[name] else { continue }
      for index in function.inputs.indices {
        function.inputs[index].name = names[function.inputs[index].name] ?? ""
      }
      for index in function.operations.indices {
        function.operations[index].arguments = function.operations[index].arguments.mapValues {
          $0.map { argument in
            guard case .value(let value) = argument else { return argument }
            return .value(names[value] ?? "")
          }
        }
        for result in function.operations[index].results.indices {
          let value = function.operations[index].results[result].name
          function.operations[index].results[result].name = names[value] ?? ""
        }
      }
      function.outputs = function.outputs.map { names[$0] ?? "" }
      program.functions[name] = function
    }
    return program
  }
}

extension ModelDescription {
  /// The same model without places in a file.
  fileprivate var withoutPlaces: ModelDescription {
    var model = self
    switch body {
    case .program(let program): model.body = .program(program.withoutPlaces)
    case .pipeline(var pipeline):
      for index in pipeline.stages.indices {
        pipeline.stages[index].model = pipeline.stages[index].model.withoutPlaces
      }
      model.body = .pipeline(pipeline)
    default: break
    }
    return model
  }
}
