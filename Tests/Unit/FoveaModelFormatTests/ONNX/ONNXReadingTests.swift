// Fovea - ONNX files as programs: constants in all fields, inputs, outputs, metadata.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite struct ONNXReadingTests {
  private func read(
    _ writer: ONNXWriter, _ files: [String: [UInt8]] = [:]
  ) throws -> ModelDescription {
    try ModelDescription(anyFormat: writer.bytes, fileName: "m.onnx", folder: FolderInMemory(files))
  }

  private func program(_ model: ModelDescription) throws -> TensorProgram {
    guard case .program(let program) = model.body else { throw TestError() }
    return program
  }

  private struct TestError: Error {}

  /// A file with one initializer "c".
  private func file(_ tensor: [UInt8]) -> ONNXWriter {
    var writer = ONNXWriter()
    writer.graph.data(5, tensor)
    writer.add("Mul", ["x", "c"], ["y"])
    writer.input("x", [2])
    writer.output("y")
    return writer
  }

  private func constant(
    _ tensor: [UInt8], _ files: [String: [UInt8]] = [:]
  ) throws -> TensorConstant? {
    try program(read(file(tensor), files)).constant("c")
  }

  // MARK: Constants

  @Test func elementsStandInTheFieldOfTheirType() throws {
    let halves = try constant(
      ONNXWriter.tensor("c", type: 10, [2]) { $0.integers(5, [0x3C00, 0xC000]) })
    #expect(halves?.content == .bytes(StoredBytes([0x00, 0x3C, 0x00, 0xC0])))
    let brain = try constant(ONNXWriter.tensor("c", type: 16, [2]) { $0.integers(5, [0x3F80, 0]) })
    #expect(brain?.element == .bfloat16)
    let small = try constant(ONNXWriter.tensor("c", type: 3, [2]) { $0.integers(5, [-1, 127]) })
    #expect(small?.content == .bytes(StoredBytes([0xFF, 0x7F])))
    let flags = try constant(ONNXWriter.tensor("c", type: 9, [2]) { $0.integers(5, [1, 0]) })
    #expect(flags?.content == .bytes(StoredBytes([1, 0])))
    let doubles = try constant(
      ONNXWriter.tensor("c", type: 11, [1]) { tensor in
        tensor.data(10, ProtobufWriter { $0.fixed((-1.0).bitPattern) }.bytes)
      })
    #expect(doubles?.content == .bytes(StoredBytes([0, 0, 0, 0, 0, 0, 0xF0, 0xBF])))
    let unsigned = try constant(ONNXWriter.tensor("c", type: 13, [1]) { $0.integers(11, [-1]) })
    #expect(unsigned?.content == .bytes(StoredBytes(Array(repeating: 0xFF, count: 8))))
    let nibbles = try constant(
      ONNXWriter.tensor("c", type: 22, [3]) { $0.integers(5, [0x21, 0x0F]) })
    #expect(
      nibbles
        == TensorConstant(
          element: .int4, shape: [3], content: .bytes(StoredBytes([0x21, 0x0F]))))
  }

  @Test func floatsAreNotCopied() throws {
    let writer = file(ONNXWriter.tensor(floats: [1, 2], [2], name: "c"))
    let bytes = try #require(try program(read(writer)).constant("c"))
    #expect(bytes == .floats([1, 2], shape: [2]))
    // One float by itself, and a run in two pieces.
    let pieces = ONNXWriter.tensor("c", type: 1, [2]) { tensor in
      tensor.float(4, 1)
      tensor.floats(4, [2])
    }
    #expect(try constant(pieces) == .floats([1, 2], shape: [2]))
  }

  @Test func constantsLieInOtherFiles() throws {
    let bytes = ProtobufWriter {
      for number in [9, 1, 2] as [Float] { $0.fixed(number.bitPattern) }
    }
    .bytes
    let files = ["data/w.bin": bytes]
    for location in ["data/w.bin", "./data/w.bin"] {
      let tensor = ONNXWriter.external(
        "c", type: 1, [2], ["location": location, "offset": "4", "length": "8"])
      #expect(try constant(tensor, files) == .floats([1, 2], shape: [2]))
    }
    let rest = ONNXWriter.external("c", type: 1, [3], ["location": "data/w.bin"])
    #expect(try constant(rest, files) == .floats([9, 1, 2], shape: [3]))
    let beyond = ONNXWriter.external(
      "c", type: 1, [2], ["location": "data/w.bin", "offset": "9223372036854775807"])
    #expect(throws: ModelFormatError.self) { try constant(beyond, files) }
  }

  @Test(arguments: ["../w.bin", "/w.bin", "a/../../w.bin", "", "a//b", "a\\b"])
  func pathsOutOfTheFolderAreRefused(_ path: String) throws {
    let tensor = ONNXWriter.external("c", type: 1, [2], ["location": path])
    let error = #expect(throws: ModelFormatError.self) { try constant(tensor) }
    #expect(error?.fieldPath.hasSuffix("external_data") == true)
  }

  // MARK: Inputs and outputs

  private func shape(
    _ sizes: [Int?], imageSize: String? = nil, letters: String? = nil
  ) throws -> MultiArrayFeature {
    var writer = ONNXWriter()
    writer.add("Relu", ["x"], ["y"])
    writer.input("x", sizes)
    writer.output("y")
    if let imageSize { writer.metadata("imgsz", imageSize) }
    if let letters { writer.metadata("character", letters) }
    let model = try read(writer)
    guard case .multiArray(let feature) = model.inputs[0].type else { throw TestError() }
    return feature
  }

  @Test func openSizesHaveDefaultsAndRanges() throws {
    let open = try shape([nil, 3, nil, nil])
    #expect(open.shape == [1, 3, 640, 640])
    #expect(
      open.allowedShapes
        == .ranges([
          SizeRange(lower: 1, upper: nil), SizeRange(lower: 3, upper: 3),
          SizeRange(lower: 1, upper: nil), SizeRange(lower: 1, upper: nil),
        ]))
    #expect(try shape([nil, 3, nil, nil], imageSize: "[480, 320]").shape == [1, 3, 480, 320])
    #expect(try shape([nil, 3, nil, nil], imageSize: "416").shape == [1, 3, 416, 416])
    #expect(try shape([nil, 3, nil, nil], imageSize: "none").shape == [1, 3, 640, 640])
    #expect(try shape([nil, nil, nil, 3]).shape == [1, 640, 640, 3])
    #expect(try shape([nil, 3, 48, nil]).shape == [1, 3, 48, 640])
    #expect(try shape([nil, 64, nil, nil]).shape == [1, 64, 1, 1])
    #expect(try shape([nil, 2]).shape == [1, 2])
    // 0 is no size.
    #expect(try shape([0, 3, 8, 8]).shape == [1, 3, 8, 8])
    #expect(try shape([1, 3, 8, 8]).allowedShapes == .fixed)
  }

  /// Networks that read text have their letters in the metadata.
  @Test func linesOfTextHaveSizesOfTheirOwn() throws {
    let letters = "0123456789abc".map { "\($0)\n" }.joined()
    #expect(try shape([nil, 3, nil, nil], letters: letters).shape == [1, 3, 48, 320])
    #expect(try shape([nil, 3, 32, nil], letters: letters).shape == [1, 3, 32, 320])
    #expect(
      try shape([nil, 3, nil, nil], imageSize: "[32, 100]", letters: letters).shape
        == [1, 3, 32, 100])
    // Those of a detector have words there.
    #expect(try shape([nil, 3, nil, nil], letters: "text\ntable").shape == [1, 3, 640, 640])
  }

  @Test func outputThatIsListedTwiceIsOne() throws {
    var writer = ONNXWriter()
    writer.add("Relu", ["x"], ["y"])
    writer.input("x", [2])
    for _ in 0..<2 { writer.output("y", [2]) }
    #expect(try read(writer).outputs.map(\.name) == ["y"])
  }

  @Test func initializersAreNoInputs() throws {
    var writer = ONNXWriter()
    writer.floats("w", [2])
    writer.add("Mul", ["x", "w"], ["y"])
    writer.input("x", [2])
    writer.input("w", [1])
    writer.output("y", [2])
    writer.metadata("names", "{0: 'a'}")
    writer.metadata("author", "somebody")
    let model = try read(writer)
    #expect(model.inputs.map(\.name) == ["x"])
    #expect(model.metadata.userDefined["names"] == "{0: 'a'}")
    #expect(model.metadata.author == "somebody")
    let program = try program(model)
    #expect(program.functions["main"]?.operationSet == "ONNX 18")
    #expect(program.functions["main"]?.outputs == ["y"])
  }

  @Test func absentInputsHaveNoArgument() throws {
    var writer = ONNXWriter()
    writer.floats("w", [2])
    writer.add("Clip", ["x", "", "w"], ["y"], name: "bounds")
    writer.input("x", [2])
    writer.output("y")
    let operation = try #require(try program(read(writer)).functions["main"]?.operations.last)
    #expect(operation.arguments.keys.sorted() == ["0", "2"])
    #expect(operation.name == "bounds")
  }

  // MARK: Refusals

  @Test func subgraphsAndSequencesAreRefused() throws {
    var writer = ONNXWriter()
    writer.add("If", ["x"], ["y"], ["then_branch": .graph([])], name: "choice")
    writer.input("x", [2])
    writer.output("y")
    let error = #expect(throws: ModelFormatError.self) { try read(writer) }
    #expect(error?.layerName == "choice")
    #expect(error?.remedy.contains("without conditions") == true)
  }

  @Test(arguments: [8, 26, 0]) func otherOperationSetsAreRefused(_ set: Int) throws {
    var writer = ONNXWriter(operationSet: set)
    writer.add("Relu", ["x"], ["y"])
    writer.input("x", [2])
    writer.output("y")
    let error = #expect(throws: ModelFormatError.self) { try read(writer) }
    #expect(error?.fieldPath == "opset_import")
  }

  @Test func cutFilesAreRefusedSoon() throws {
    var writer = file(ONNXWriter.tensor(floats: [1, 2], [2], name: "c"))
    writer.metadata("names", "{0: 'a'}")
    let bytes = writer.bytes
    for count in 0..<bytes.count {
      do throws(ModelFormatError) {
        _ = try ModelDescription(
          anyFormat: Array(bytes[..<count]), fileName: "", folder: EmptyFolder())
        // Whole fields at the end may be missing.
        #expect(count > 60)
      } catch {
        #expect(!error.found.isEmpty && !error.expected.isEmpty)
      }
    }
  }

  @Test func formatIsToldFromItsFirstFields() {
    let bytes = file(ONNXWriter.tensor(floats: [1, 2], [2], name: "c")).bytes
    #expect(ModelFileFormat(of: bytes) == .onnx)
    // The graph is cut off.
    #expect(ModelFileFormat(of: Array(bytes[..<30])) == .onnx)
  }
}
