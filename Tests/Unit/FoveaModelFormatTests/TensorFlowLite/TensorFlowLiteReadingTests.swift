// Fovea - TensorFlow Lite files are read as programs.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite struct TensorFlowLiteReadingTests {
  private func model(_ bytes: [UInt8]) throws -> ModelDescription {
    try ModelDescription(anyFormat: bytes, fileName: "test.tflite", folder: EmptyFolder())
  }

  private func function(_ bytes: [UInt8]) throws -> TensorProgram.Function {
    guard case .program(let program) = try model(bytes).body else {
      throw ModelFormatError(.notAModel, found: "no program", expected: "one")
    }
    return try #require(program.functions["main"])
  }

  // MARK: Operations

  @Test func operatorsBecomeOperationsWithOptionsAndConstants() throws {
    let function = try function(TensorFlowLiteExamples.convolution.bytes())
    #expect(function.operationSet == "TensorFlow Lite 3")
    #expect(function.inputs.map(\.name) == ["x"])
    #expect(function.outputs == ["y"])
    #expect(function.operations.map(\.kind) == ["const", "const", "CONV_2D"])
    let convolution = try #require(function.operations.last)
    #expect(convolution.arguments["0"] == [.value("x")])
    #expect(convolution.arguments["stride_h"] == [.constant(.integers([2], shape: []))])
    #expect(convolution.arguments["dilation_w_factor"] == [.constant(.integers([1], shape: []))])
    #expect(
      function.operations[0].arguments["val"]
        == [
          .constant(
            .floats([1, 2, 3, 4, 5, 6, 7, 8, 9], shape: [1, 3, 3, 1]))
        ])
  }

  @Test func namesThatAreEmptyOrThereTwiceBecomeUnique() throws {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [2])
    let first = file.tensor("", [2])
    let second = file.tensor("x", [2])
    file.add(.relu, [x], [first])
    file.add(.relu, [first], [second])
    file.outputs = [second]
    let function = try function(file.bytes())
    #expect(function.operations.map { $0.results[0].name } == ["tensor 1", "x:2"])
    #expect(function.outputs == ["x:2"])
  }

  @Test func codesOfInputsAndOutputsBecomeNumbers() throws {
    let function = try function(TensorFlowLiteExamples.codes.bytes())
    #expect(function.operations.map(\.kind) == ["QUANTIZE", "RELU", "DEQUANTIZE"])
    #expect(function.outputs == ["y"])
    guard
      case .multiArray(let array) = try model(TensorFlowLiteExamples.codes.bytes()).inputs[0].type
    else {
      Issue.record("no array")
      return
    }
    #expect(array.dataType == .float32)
  }

  @Test func sizesThatTheInputMayChooseAreAllowed() throws {
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [1, 4], signature: [-1, 4])
    let y = file.tensor("y", [1, 4])
    file.add(.relu, [x], [y])
    file.outputs = [y]
    guard case .multiArray(let array) = try model(file.bytes()).inputs[0].type else {
      Issue.record("no array")
      return
    }
    #expect(array.shape == [1, 4])
    #expect(
      array.allowedShapes
        == .ranges([SizeRange(lower: 1, upper: nil), SizeRange(lower: 4, upper: 4)]))
  }

  // MARK: Sparse constants

  /// [[0, 1], [0, 0], [2, 3]] by rows, of which columns are listed.
  @Test func sparseConstantBecomesDense() throws {
    let sparsity = FlatValue.table([
      0: .ints([0, 1]),
      2: .tables([
        .table([1: .int(3)]),
        .table([
          0: .byte(1), 2: .byte(1), 3: .table([0: .ints([0, 1, 1, 3])]), 4: .byte(1),
          5: .table([0: .ints([1, 0, 1])]),
        ]),
      ]),
    ])
    var file = TensorFlowLiteWriter()
    let x = file.input("x", [3, 2])
    let bytes = [1, 2, 3].flatMap { (number: Float) in
      withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    }
    let sparse = file.constant("s", [3, 2], .float32, bytes: bytes, sparsity: sparsity)
    let y = file.tensor("y", [3, 2])
    file.add(.add, [x, sparse], [y])
    file.outputs = [y]
    let function = try function(file.bytes())
    #expect(
      function.operations[0].arguments["val"]
        == [.constant(.floats([0, 1, 0, 0, 2, 3], shape: [3, 2]))])
  }

  // MARK: Suppression

  @Test func suppressionOfTheFileBecomesAStage() throws {
    let model = try model(TensorFlowLiteExamples.detector.bytes())
    guard case .pipeline(let pipeline) = model.body,
      case .nonMaximumSuppression(let suppression)? = pipeline.stages.last?.model.body
    else {
      Issue.record("no suppression")
      return
    }
    #expect(suppression.iouThreshold == Double(Float(0.5)))
    #expect(suppression.confidenceThreshold == Double(Float(0.25)))
    #expect(!suppression.perClass)
    #expect(model.outputs.map(\.name) == ["confidence", "coordinates"])
  }
}
