// Fovea - indices, extremes and comparisons of ONNX.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import Testing

@Suite struct ONNXIndexTests {
  private let rows = ONNXArray(countingIn: [3, 2])

  @Test func negativeIndicesCountFromTheEnd() throws {
    try ONNXRunner("Gather", rows, [.integers([-1, 0])]).expect([4, 5, 0, 1], shape: [2, 2])
    try ONNXRunner("Gather", rows, [.integers([-2], [])], ["axis": .int(1)])
      .expect([0, 2, 4], shape: [3])
    try ONNXRunner("GatherElements", rows, [.integers([-1, 1], [1, 2])])
      .expect([4, 3], shape: [1, 2])
    try ONNXRunner("GatherND", rows, [.integers([-1, -1, 0, 1], [2, 2])]).expect([5, 1])
  }

  @Test func strangeIndicesAreRefused() throws {
    let message = try ONNXRunner("Gather", rows, [.integers([0, 7])]).refusal()
    #expect(message.contains("index 7 of 3 elements"), "\(message)")
  }

  @Test func laterUpdatesWin() throws {
    try ONNXRunner(
      "ScatterND", ONNXArray(countingIn: [4]),
      [.integers([1, 1, -1], [3, 1]), .floats([10, 20, 30])]
    ).expect([0, 20, 2, 30])
  }

  @Test(arguments: [
    ("add", [Float](arrayLiteral: 0, 31, 2)), ("mul", [0, 200, 2]), ("max", [0, 20, 2]),
    ("min", [0, 1, 2]),
  ])
  func updatesMeet(_ reduction: String, _ expected: [Float]) throws {
    try ONNXRunner(
      "ScatterElements", ONNXArray(countingIn: [3]), [.integers([1, 1]), .floats([10, 20])],
      ["reduction": .string(reduction)]
    ).expect(expected)
  }

  @Test func equalElementsComeInTheirOrder() throws {
    let runner = ONNXRunner(
      "TopK", ONNXArray([6], [1, 3, 3, 2, 3, 1]), [.integers([4])], outputs: ["v", "i"])
    try runner.expect([3, 3, 3, 2], output: "v")
    try runner.expect([1, 2, 4, 3], output: "i")
    let least = ONNXRunner(
      "TopK", ONNXArray([6], [1, 3, 3, 2, 3, 1]), [.integers([2])], ["largest": .int(0)],
      outputs: ["v", "i"])
    try least.expect([0, 5], output: "i")
    try ONNXRunner(
      "TopK", ONNXArray([3], [1, 3, 2]), [], ["k": .int(1)], set: 9, outputs: ["v", "i"]
    )
    .expect([3], output: "v")
  }

  @Test func extremesMayBeTheLast() throws {
    let x = ONNXArray([1, 4], [5, 7, 7, 1])
    try ONNXRunner("ArgMax", x, [], ["axis": .int(1)]).expect([1], shape: [1, 1])
    try ONNXRunner(
      "ArgMax", x, [], ["axis": .int(1), "keepdims": .int(0), "select_last_index": .int(1)]
    ).expect([2], shape: [1])
  }

  @Test func oneHotCountsNegativeIndicesFromTheEnd() throws {
    let runner = ONNXRunner(ONNXArray([2], [1, -1])) { writer in
      writer.add("Cast", ["x"], ["i"], ["to": .int(7)])
      writer.integers("depth", [3], [])
      writer.floats("values", [0.5, 2])
      writer.add("OneHot", ["i", "depth", "values"])
    }
    try runner.expect([0.5, 2, 0.5, 0.5, 0.5, 2], shape: [2, 3])
  }

  @Test func axesOfReductionsHaveTwoForms() throws {
    try ONNXRunner("ReduceMax", rows, [], ["axes": .ints([0]), "keepdims": .int(0)], set: 13)
      .expect([4, 5], shape: [2])
    try ONNXRunner("ReduceMax", rows, [.integers([-1])]).expect([1, 3, 5], shape: [3, 1])
    try ONNXRunner("ReduceSum", rows, [], ["noop_with_empty_axes": .int(1)])
      .expect(rows.values, shape: [3, 2])
    try ONNXRunner("ReduceSum", rows, []).expect([15], shape: [1, 1])
  }
}
