// Fovea - slices, parts, padding and shapes of ONNX, in all forms of their arguments.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import Testing

@Suite struct ONNXShapeTests {
  private let row = ONNXArray(countingIn: [6])

  // MARK: Slices

  @Test(arguments: [
    ([1], [Int(Int64.max)], [1], [1, 2, 3, 4, 5]),
    ([-4], [Int(Int32.max)], [2], [2, 4]),
    ([-1], [Int(Int64.min)], [-1], [5, 4, 3, 2, 1, 0]),
    ([4], [0], [-2], [4, 2]),
    ([100], [-100], [-3], [5, 2]),
    ([-100], [3], [1], [0, 1, 2]),
    ([2], [4], [Int(Int64.max)], [2]),
  ])
  func sliceTakesWhatPythonTakes(
    _ starts: [Int], _ ends: [Int], _ steps: [Int], _ expected: [Float]
  ) throws {
    let runner = ONNXRunner(
      "Slice", row, [.integers(starts), .integers(ends), .integers([0]), .integers(steps)])
    try runner.expect(expected, shape: [expected.count])
  }

  @Test func sliceOfSetNineHasAttributes() throws {
    let x = ONNXArray(countingIn: [2, 3])
    try ONNXRunner(
      "Slice", x, [], ["starts": .ints([-2]), "ends": .ints([9]), "axes": .ints([1])], set: 9
    ).expect([1, 2, 4, 5], shape: [2, 2])
  }

  @Test func sliceWithoutAxesMeansTheFirst() throws {
    try ONNXRunner("Slice", ONNXArray(countingIn: [2, 3]), [.integers([1]), .integers([2])])
      .expect([3, 4, 5], shape: [1, 3])
  }

  @Test func emptySlicesAreJoinedAndNoOutputs() throws {
    let message = try ONNXRunner("Slice", row, [.integers([3]), .integers([3])]).refusal()
    #expect(message.contains("has the shape [0], and no elements"), "\(message)")
    let runner = ONNXRunner(row) { writer in
      writer.integers("three", [3])
      writer.add("Slice", ["x", "three", "three"], ["none"])
      writer.add("Concat", ["none", "x", "none"], ["y"], ["axis": .int(0)])
    }
    try runner.expect(row.values, shape: [6])
  }

  // MARK: Parts

  @Test func splitHasThreeForms() throws {
    let outputs = ["a", "b"]
    let attribute = ONNXRunner(
      "Split", row, [], ["split": .ints([2, 4])], set: 11, outputs: outputs)
    let input = ONNXRunner("Split", row, [.integers([2, 4])], set: 13, outputs: outputs)
    for runner in [attribute, input] {
      try runner.expect([0, 1], output: "a")
      try runner.expect([2, 3, 4, 5], output: "b")
    }
    try ONNXRunner("Split", row, [], set: 13, outputs: outputs).expect([3, 4, 5], output: "b")
    let counted = ONNXRunner(
      "Split", ONNXArray(countingIn: [7]), [], ["num_outputs": .int(3)],
      outputs: ["a", "b", "c"])
    try counted.expect([3, 4, 5], output: "b")
    try counted.expect([6], output: "c")
  }

  // MARK: Padding

  @Test func partsOfNothingAreEmpty() throws {
    let runner = ONNXRunner(ONNXArray([2], [1, 2])) { writer in
      writer.floats("none", [], [0])
      writer.integers("sizes", [0, 0, 0])
      writer.add("Split", ["none", "sizes"], ["a", "b", "c"])
      writer.add("Concat", ["a", "x", "b", "c"], ["y"], ["axis": .int(0)])
    }
    try runner.expect([1, 2], shape: [2])
  }

  @Test func blocksBecomeChannelsInBothOrders() throws {
    let x = ONNXArray(countingIn: [1, 2, 2, 2])
    try ONNXRunner("SpaceToDepth", x, [], ["blocksize": .int(2)])
      .expect([0, 4, 1, 5, 2, 6, 3, 7], shape: [1, 8, 1, 1])
    try ONNXRunner("SpaceToDepth", x, [], ["blocksize": .int(2), "mode": .string("CRD")])
      .expect([0, 1, 2, 3, 4, 5, 6, 7], shape: [1, 8, 1, 1])
  }

  @Test func negativePaddingCuts() throws {
    try ONNXRunner(
      "Pad", ONNXArray(countingIn: [2, 3]), [.integers([0, -1, 0, 2]), .floats([9], [])]
    ).expect([1, 2, 9, 9, 4, 5, 9, 9], shape: [2, 4])
  }

  @Test func paddingOfOldSetsIsAnAttribute() throws {
    try ONNXRunner(
      "Pad", ONNXArray(countingIn: [3]), [],
      ["pads": .ints([1, 1]), "value": .float(-2), "mode": .string("constant")], set: 10
    ).expect([-2, 0, 1, 2, -2])
  }

  @Test func paddingOfSomeAxes() throws {
    try ONNXRunner(
      "Pad", ONNXArray(countingIn: [2, 2]), [.integers([1, 0]), nil, .integers([-2])],
      ["mode": .string("edge")]
    ).expect([0, 1, 0, 1, 2, 3], shape: [3, 2])
  }

  // MARK: Shapes

  @Test func reshapeCopiesSizesFromTheLeft() throws {
    try ONNXRunner("Reshape", ONNXArray(countingIn: [2, 3, 4]), [.integers([0, -1])])
      .expect((0..<24).map { Float($0) }, shape: [2, 12])
  }

  @Test func expandRepeatsBothWays() throws {
    try ONNXRunner("Expand", ONNXArray([2, 1], [1, 2]), [.integers([3, 1, 2])])
      .expect([1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2], shape: [3, 2, 2])
  }

  @Test func squeezeAndUnsqueezeHaveTwoForms() throws {
    let x = ONNXArray(countingIn: [1, 2, 1])
    try ONNXRunner("Squeeze", x, [], ["axes": .ints([-1])], set: 11).expect([0, 1], shape: [1, 2])
    try ONNXRunner("Squeeze", x, [.integers([0])], set: 13).expect([0, 1], shape: [2, 1])
    try ONNXRunner("Squeeze", x).expect([0, 1], shape: [2])
    try ONNXRunner("Unsqueeze", x, [], ["axes": .ints([0, 4])], set: 11)
      .expect([0, 1], shape: [1, 1, 2, 1, 1])
    try ONNXRunner("Unsqueeze", x, [.integers([-1, 1])], set: 13)
      .expect([0, 1], shape: [1, 1, 2, 1, 1])
  }

  /// What exporters write for a reshape by computed sizes.
  @Test func computedSizesAreConstants() throws {
    let runner = ONNXRunner(ONNXArray(countingIn: [1, 4, 2, 3])) { writer in
      writer.add("Shape", ["x"], ["part"], ["start": .int(1), "end": .int(-1)])
      writer.integers("zero", [0], [])
      writer.add("Gather", ["part", "zero"], ["channels"])
      writer.integers("axes", [0])
      writer.add("Unsqueeze", ["channels", "axes"], ["row"])
      writer.integers("rest", [-1])
      writer.add("Concat", ["rest", "row"], ["shape"], ["axis": .int(0)])
      writer.add("Reshape", ["x", "shape"])
    }
    try runner.expect((0..<24).map { Float($0) }, shape: [6, 4])
  }

  /// What PyTorch writes for padding: begins and ends of the last dimension first.
  @Test func paddingThatIsComputedFromConstants() throws {
    let runner = ONNXRunner(ONNXArray(countingIn: [1, 2])) { writer in
      writer.integers("stated", [1, 2])
      writer.integers("count", [2])
      writer.add(
        "ConstantOfShape", ["count"], ["zeros"],
        ["value": .tensor(ONNXWriter.tensor(integers: [0], [1]))])
      writer.add("Concat", ["stated", "zeros"], ["all"], ["axis": .int(0)])
      writer.integers("pairs", [-1, 2])
      writer.add("Reshape", ["all", "pairs"], ["rows"])
      writer.integers("last", [-1])
      writer.integers("first", [Int(Int64.min)])
      writer.integers("axis", [0])
      writer.integers("step", [-1])
      writer.add("Slice", ["rows", "last", "first", "axis", "step"], ["turned"])
      writer.add("Transpose", ["turned"], ["columns"], ["perm": .ints([1, 0])])
      writer.integers("flat", [-1])
      writer.add("Reshape", ["columns", "flat"], ["amounts"])
      writer.add("Cast", ["amounts"], ["pads"], ["to": .int(7)])
      writer.add("Pad", ["x", "pads"])
    }
    try runner.expect([0, 0, 1, 0, 0], shape: [1, 5])
  }
}
