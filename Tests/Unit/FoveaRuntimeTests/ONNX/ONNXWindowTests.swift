// Fovea - windows of ONNX: padding, rounding up, and products with weights.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import Foundation
import Testing

@Suite struct ONNXWindowTests {
  private let line = ONNXArray([1, 1, 5], [1, 2, 3, 4, 5])
  private let square = ONNXArray([1, 1, 2, 2], [1, 2, 3, 4])

  /// The kernel [10, 1] makes sums that can be read.
  @Test(arguments: [
    ("SAME_UPPER", [Float](arrayLiteral: 12, 23, 34, 45, 50)),
    ("SAME_LOWER", [1, 12, 23, 34, 45]), ("VALID", [12, 23, 34, 45]),
  ])
  func automaticPadding(_ word: String, _ expected: [Float]) throws {
    try ONNXRunner("Conv", line, [.floats([10, 1], [1, 1, 2])], ["auto_pad": .string(word)])
      .expect(expected)
  }

  @Test func paddingListsBeginsFirst() throws {
    try ONNXRunner(
      "Conv", square, [.floats([1], [1, 1, 1, 1]), .floats([0.5])], ["pads": .ints([1, 0, 0, 2])]
    ).expect(
      [0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0].map { $0 + 0.5 }, shape: [1, 1, 3, 4])
  }

  @Test func windowsThatBeginInThePaddingAreDropped() throws {
    try ONNXRunner(
      "MaxPool", line, [],
      ["kernel_shape": .ints([2]), "strides": .ints([3]), "ceil_mode": .int(1)]
    ).expect([2, 5])
    try ONNXRunner(
      "MaxPool", ONNXArray([1, 1, 4], [1, 2, 3, 4]), [],
      [
        "kernel_shape": .ints([2]), "strides": .ints([2]), "pads": .ints([0, 1]),
        "ceil_mode": .int(1),
      ]
    ).expect([2, 4])
  }

  /// Windows of 3 in steps of 2 from one element of padding on. One more reaches beyond the end where
  /// numbers are rounded up; what lies there never counts.
  @Test(arguments: [
    (0, 0, [Float](arrayLiteral: 1.5, 3)), (1, 0, [1, 3]), (0, 1, [1.5, 3, 4.5]),
    (1, 1, [1, 3, 4.5]),
  ])
  func averagesWithPadding(_ counts: Int, _ ceils: Int, _ expected: [Float]) throws {
    try ONNXRunner(
      "AveragePool", line, [],
      [
        "kernel_shape": .ints([3]), "strides": .ints([2]), "pads": .ints([1, 0]),
        "count_include_pad": .int(counts), "ceil_mode": .int(ceils),
      ]
    ).expect(expected)
  }

  @Test func maximaWithGaps() throws {
    try ONNXRunner(
      "MaxPool", ONNXArray([1, 1, 6], [5, 1, 2, 8, 3, 4]), [],
      ["kernel_shape": .ints([2]), "dilations": .ints([2]), "pads": .ints([1, 1])]
    ).expect([1, 5, 8, 3, 8, 3])
  }

  @Test func transposedConvolutionAddsAtTheEnd() throws {
    let kernel = ONNXRunner.Constant.floats([1, 10, 100], [1, 1, 3])
    let x = ONNXArray([1, 1, 2], [1, 2])
    // The full result of stride 2 is 1, 10, 100 + 2, 20, 200.
    try ONNXRunner("ConvTranspose", x, [kernel], ["strides": .ints([2])])
      .expect([1, 10, 102, 20, 200])
    try ONNXRunner(
      "ConvTranspose", x, [kernel],
      ["strides": .ints([2]), "pads": .ints([1, 1]), "output_padding": .ints([1])]
    ).expect([10, 102, 20, 200])
    try ONNXRunner(
      "ConvTranspose", x, [kernel], ["strides": .ints([2]), "auto_pad": .string("SAME_UPPER")]
    ).expect([1, 10, 102, 20])
    try ONNXRunner(
      "ConvTranspose", x, [kernel], ["strides": .ints([2]), "output_shape": .ints([4])]
    ).expect([10, 102, 20, 200])
  }

  @Test func weightsOfANode() throws {
    let runner = ONNXRunner(square) { writer in
      writer.add(
        "Constant", [], ["w"],
        ["value": .tensor(ONNXWriter.tensor(floats: [2, -1], [2, 1, 1, 1]))])
      writer.add("Conv", ["x", "w"])
    }
    try runner.expect([2, 4, 6, 8, -1, -2, -3, -4], shape: [1, 2, 2, 2])
  }

  @Test func globalPooling() throws {
    try ONNXRunner("GlobalAveragePool", square).expect([2.5], shape: [1, 1, 1, 1])
    try ONNXRunner("GlobalMaxPool", square).expect([4], shape: [1, 1, 1, 1])
  }

  // MARK: Products

  @Test func sumsBehindProductsAreBiases() throws {
    let runner = ONNXRunner(ONNXArray([2, 2], [1, 2, 3, 4])) { writer in
      writer.floats("w", [1, 10, 100, 2, 20, 200], [2, 3])
      writer.floats("b", [0.5, 0.25, 0])
      writer.add("MatMul", ["x", "w"], ["p"])
      writer.add("Add", ["b", "p"])
    }
    try runner.expect([5.5, 50.25, 500, 11.5, 110.25, 1100], shape: [2, 3], within: 1e-3)
  }

  @Test func generalProductTurnsAndScales() throws {
    let w: [Float] = [1, 10, 100, 2, 20, 200]
    try ONNXRunner(
      "Gemm", ONNXArray([1, 2], [1, 2]), [.floats(w, [2, 3]), .floats([1, 2, 3])],
      ["alpha": .float(0.5), "beta": .float(2)]
    ).expect([4.5, 29, 256], within: 1e-3)
    try ONNXRunner(
      "Gemm", ONNXArray([3, 1], [1, 2, 3]), [.floats(w, [2, 3])],
      ["transA": .int(1), "transB": .int(1)]
    ).expect([321, 642], within: 1e-3)
  }

  /// Keys that differ from the query by a logarithm of 3 count three times as much.
  @Test func attentionOfHeads() throws {
    let runner = ONNXRunner(ONNXArray([1, 1, 4], [1, 0, 2, 0]), set: 23) { writer in
      // Two heads of two numbers; of each the second is not looked at.
      writer.floats("k", [0, 0, 0, 0, log(3), 9, log(3) / 2, 9], [1, 2, 4])
      writer.floats("v", [0, 1, 0, 10, 4, 1, 40, 10], [1, 2, 4])
      writer.add(
        "Attention", ["x", "k", "v"], ["y"],
        ["q_num_heads": .int(2), "kv_num_heads": .int(2), "scale": .float(1)])
    }
    try runner.expect([3, 1, 30, 10], shape: [1, 1, 4], within: 1e-4)
  }

  private func attention(
    mask: [Float] = [], _ attributes: KeyValuePairs<String, ONNXWriter.Attribute> = [:],
    isOfTruth: Bool = false, inputs: Int = 4
  ) -> ONNXRunner {
    ONNXRunner(ONNXArray([1, 1, 2, 1], [0, 0]), set: 23) { writer in
      writer.floats("k", [1, 1], [1, 1, 2, 1])
      writer.floats("v", [2, 4], [1, 1, 2, 1])
      if !mask.isEmpty { writer.floats("given", mask, [2, 2]) }
      if isOfTruth { writer.add("Cast", ["given"], ["m"], ["to": .int(9)]) }
      let names = ["x", "k", "v", mask.isEmpty ? "" : isOfTruth ? "m" : "given", "", "", "k"]
      writer.add("Attention", Array(names.prefix(inputs)), ["y"], attributes)
    }
  }

  @Test func attentionOfHiddenRows() throws {
    let hidden = -Float.infinity
    try attention(mask: [0, 0, hidden, 0]).expect([3, 4])
    try attention(mask: [0, 0, hidden, hidden]).expect([3, 0])
    try attention(mask: [0, 0, 1, 0], isOfTruth: true).expect([0, 2])
  }

  @Test func attentionWithMoreIsRefused() throws {
    try attention(["left_window_size": .int(-1), "right_window_size": .int(-1)]).expect([3, 3])
    for runner in [
      attention(["left_window_size": .int(0)]), attention(["right_window_size": .int(1)]),
      attention(inputs: 7),
    ] {
      #expect(try runner.refusal().contains("without causal masks, windows"))
    }
  }

  @Test func einsumOfTwoInputs() throws {
    let runner = ONNXRunner(
      "Einsum", ONNXArray(countingIn: [2, 1, 3]), [.floats([1, 2, 3, 4, 5, 6], [3, 2])],
      ["equation": .string("bij, jk -> kbi")])
    try runner.expect([13, 40, 16, 52], shape: [2, 2, 1])
  }
}
