// Fovea - tests: branches of ONNX whose conditions are known.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import Testing

@Suite struct ONNXBranchTests {
  /// A `GraphProto` of nodes and initializers that gives one value.
  private static func branch(
    _ nodes: [[UInt8]], gives output: String, _ initializers: [[UInt8]] = []
  ) -> [UInt8] {
    ProtobufWriter { graph in
      for node in nodes { graph.data(1, node) }
      for tensor in initializers { graph.data(5, tensor) }
      graph.message(12) { $0.string(1, output) }
    }.bytes
  }

  /// Removes the axis 1, which is wrong where it is not 1; or adds 10. Both name a value "t".
  private static func add(
    _ condition: String, _ writer: inout ONNXWriter, to result: String = "y", domain: String = ""
  ) {
    writer.add(
      "If", [condition], [result],
      [
        "then_branch": .graph(
          branch(
            [ONNXWriter.node("Squeeze", ["x", "axis"], ["t"])], gives: "t",
            [ONNXWriter.tensor(integers: [1], [1], name: "axis")])),
        "else_branch": .graph(
          branch(
            [ONNXWriter.node("Add", ["x", "ten"], ["t"]), ONNXWriter.node("Relu", ["t"], ["u"])],
            gives: "u", [ONNXWriter.tensor(floats: [10], [], name: "ten")])),
      ])
  }

  /// Whether the axis 1 is 1.
  private static func compare(_ writer: inout ONNXWriter) {
    writer.integers("one", [1], [])
    writer.add("Shape", ["x"], ["sizes"])
    writer.add("Gather", ["sizes", "one"], ["size"])
    writer.add("Equal", ["size", "one"], ["isOne"])
  }

  @Test func sizesChooseTheBranch() throws {
    try ONNXRunner(ONNXArray(countingIn: [2, 1, 3])) { writer in
      Self.compare(&writer)
      Self.add("isOne", &writer)
    }.expect([0, 1, 2, 3, 4, 5], shape: [2, 3])
    try ONNXRunner(ONNXArray(countingIn: [1, 2, 3])) { writer in
      Self.compare(&writer)
      Self.add("isOne", &writer)
    }.expect([10, 11, 12, 13, 14, 15], shape: [1, 2, 3])
  }

  /// The inner condition does not exist where its branch is not taken.
  @Test func branchesMayHaveBranches() throws {
    let inner = ONNXWriter.node(
      "If", ["same"], ["v"],
      [
        "then_branch": .graph(Self.branch([ONNXWriter.node("Neg", ["x"], ["n"])], gives: "n")),
        "else_branch": .graph(Self.branch([ONNXWriter.node("Abs", ["w"], ["n"])], gives: "n")),
      ])
    let nodes = [
      ONNXWriter.node("Equal", ["size", "one"], ["same"]),
      ONNXWriter.node("Squeeze", ["x", "ones"], ["w"]), inner,
    ]
    for (shape, expected) in [([2, 1], [0, -1]), ([1, 2], [10, 11])] as [([Int], [Float])] {
      let runner = ONNXRunner(ONNXArray(countingIn: shape)) { writer in
        Self.compare(&writer)
        writer.integers("ones", [1])
        writer.add(
          "If", ["isOne"], ["y"],
          [
            "then_branch": .graph(Self.branch(nodes, gives: "v")),
            "else_branch": .graph(
              Self.branch(
                [ONNXWriter.node("Add", ["x", "ten"], ["w"])], gives: "w",
                [ONNXWriter.tensor(floats: [10], [], name: "ten")])),
          ])
      }
      try runner.expect(expected, shape: shape)
    }
  }

  @Test func branchesInFunctionsReadTheFunctionsValues() throws {
    let choice = ONNXWriter.node(
      "If", ["flag"], ["r"],
      [
        "then_branch": .graph(Self.branch([ONNXWriter.node("Neg", ["t"], ["n"])], gives: "n")),
        "else_branch": .graph(Self.branch([ONNXWriter.node("Abs", ["t"], ["n"])], gives: "n")),
      ])
    let function = ONNXWriter.function(
      "Choose", domain: "own", ["a", "flag"], ["r"],
      nodes: [ONNXWriter.node("Add", ["a", "a"], ["t"]), choice])
    try ONNXRunner(ONNXArray([2], [1, -3])) { writer in
      writer.rest.data(25, function)
      writer.codes("yes", type: 9, [1], [])
      writer.codes("no", type: 9, [0], [])
      writer.add("Choose", ["x", "yes"], ["p"], domain: "own")
      writer.add("Choose", ["p", "no"], ["y"], domain: "own")
    }.expect([4, 12])
  }

  @Test func unknownConditionsAreRefused() throws {
    let words = try ONNXRunner(ONNXArray(countingIn: [1])) { writer in
      writer.integers("one", [1])
      writer.add("Cast", ["x"], ["flag"], ["to": .int(9)])
      Self.add("flag", &writer)
    }.refusal()
    #expect(words.contains("the condition of an If depends on what the model is given"))
    let empty = try ONNXRunner(ONNXArray(countingIn: [1])) { writer in
      writer.add("If", ["x"], ["y"], ["then_branch": .graph([]), "else_branch": .graph([])])
    }.refusal()
    #expect(empty.contains("a branch of 0 results"))
    let broken = try ONNXRunner(ONNXArray(countingIn: [1])) { writer in
      writer.add("If", ["x"], ["y"], ["then_branch": .graph([])])
    }.refusal()
    #expect(broken.contains("a graph of its own"))
  }

  @Test func unusedResultsAndRepeatedOutputsDoNoHarm() throws {
    try ONNXRunner(ONNXArray(countingIn: [1, 1, 2, 2])) { writer in
      writer.add("MaxPool", ["x"], ["y", "places"], ["kernel_shape": .ints([2, 2])])
      writer.output("y")
    }.expect([3], shape: [1, 1, 1, 1])
  }
}
