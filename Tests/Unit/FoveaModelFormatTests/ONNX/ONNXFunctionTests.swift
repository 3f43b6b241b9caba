// Fovea - functions of ONNX models become the nodes that they stand for.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite struct ONNXFunctionTests {
  private func operations(_ writer: ONNXWriter) throws -> [TensorProgram.Operation] {
    let model = try ModelDescription(
      anyFormat: writer.bytes, fileName: "", folder: EmptyFolder())
    guard case .program(let program) = model.body else { return [] }
    return program.functions["main"]?.operations ?? []
  }

  private func model(_ functions: [[UInt8]], _ fill: (inout ONNXWriter) -> Void) -> ONNXWriter {
    var writer = ONNXWriter()
    fill(&writer)
    writer.input("x", [2])
    writer.output("y")
    for function in functions { writer.rest.data(25, function) }
    return writer
  }

  private static let bent = ONNXWriter.function(
    "Bent", domain: "own", ["a", "b"], ["r"],
    nodes: [
      ONNXWriter.node("Add", ["a", "b"], ["t"]),
      ONNXWriter.node(
        "LeakyRelu", ["t"], ["r"], ["alpha": .reference("slope", type: 1)], name: "bend"),
    ], defaults: ["slope": .float(0.5)])

  @Test func callsAreReplaced() throws {
    let operations = try operations(
      model([Self.bent]) { writer in
        writer.add("Bent", ["x", "x"], ["t"], ["slope": .float(0.25)], domain: "own")
        writer.add("Bent", ["t", "x"], ["y"], domain: "own")
      })
    #expect(operations.map(\.kind) == ["Add", "LeakyRelu", "Add", "LeakyRelu"])
    #expect(operations[0].arguments == ["0": [.value("x")], "1": [.value("x")]])
    // The value inside has a name of its own in each call; the file's "t" is another one.
    #expect(operations[0].results[0].name != operations[2].results[0].name)
    #expect(operations[1].results[0].name == "t")
    #expect(operations[2].arguments["0"] == [.value("t")])
    #expect(operations[3].results[0].name == "y")
    #expect(operations[1].arguments["alpha"] == [.constant(.floats([0.25], shape: []))])
    #expect(operations[3].arguments["alpha"] == [.constant(.floats([0.5], shape: []))])
    #expect(operations[3].name.hasSuffix("bend"))
  }

  @Test func functionsMayHandAnInputOn() throws {
    let pass = ONNXWriter.function("Pass", domain: "own", ["a"], ["a"], nodes: [])
    let operations = try operations(
      model([pass]) { $0.add("Pass", ["x"], ["y"], domain: "own") })
    #expect(operations.map(\.kind) == ["Identity"])
    #expect(operations.first?.results[0].name == "y")
  }

  @Test func functionsThatCallThemselvesAreRefused() throws {
    let loop = ONNXWriter.function(
      "Loop", domain: "own", ["a"], ["b"],
      nodes: [ONNXWriter.node("Loop", ["a"], ["b"], domain: "own")])
    let writer = model([loop]) { $0.add("Loop", ["x"], ["y"], domain: "own") }
    let error = #expect(throws: ModelFormatError.self) { try operations(writer) }
    #expect(error?.code == .limitExceeded)
  }

  /// A hundred bytes can ask for 30^8 nodes.
  @Test func functionsThatMultiplyAreRefusedSoon() throws {
    let levels = (0..<8).map { level in
      ONNXWriter.function(
        "F\(level)", domain: "own", ["a"], ["b"],
        nodes: (0..<30).map { index in
          ONNXWriter.node(
            level == 7 ? "Relu" : "F\(level + 1)", ["a"], [index == 0 ? "b" : "t\(index)"],
            domain: level == 7 ? "" : "own")
        })
    }
    let writer = model(levels) { $0.add("F0", ["x"], ["y"], domain: "own") }
    let error = #expect(throws: ModelFormatError.self) { try operations(writer) }
    #expect(error?.code == .limitExceeded)
  }

  @Test func functionsOfOtherSetsAreRefused() throws {
    let other = ONNXWriter.function(
      "Old", domain: "own", ["a"], ["b"], nodes: [ONNXWriter.node("Relu", ["a"], ["b"])],
      operationSet: 11)
    let writer = model([other]) { $0.add("Old", ["x"], ["y"], domain: "own") }
    let error = #expect(throws: ModelFormatError.self) { try operations(writer) }
    #expect(error?.code == .unsupportedVersion)
  }
}
