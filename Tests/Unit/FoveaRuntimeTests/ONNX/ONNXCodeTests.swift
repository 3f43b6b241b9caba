// Fovea - QDQ models of ONNX compute with the scales of the file.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct ONNXCodeTests {
  private let x = ONNXArray([1, 2, 2, 2], [0.5, -0.25, 0.75, 1, -1, 0.25, 0.5, -0.5])

  /// A convolution of one element between codes, with weights of int8 and biases of int32.
  private func network(perChannel: Bool) -> ONNXRunner {
    ONNXRunner(x) { writer in
      writer.floats("sx", [1 / 64], [])
      writer.codes("zx", type: 2, [128], [])
      writer.codes("wq", type: 3, [64, -32, 100, 8, 0, 127], [3, 2, 1, 1])
      writer.floats("sw", perChannel ? [1 / 32, 1 / 64, 1 / 128] : [1 / 64], perChannel ? [3] : [])
      writer.codes("zw", type: 3, perChannel ? [0, 0, 0] : [0], perChannel ? [3] : [])
      writer.codes("bq", type: 6, [1024, -512, 0])
      writer.floats(
        "sb", perChannel ? [1 / 2048, 1 / 4096, 1 / 8192] : [1 / 4096], perChannel ? [3] : [])
      writer.floats("sy", [1 / 16], [])
      writer.codes("zy", type: 2, [100], [])
      writer.add("QuantizeLinear", ["x", "sx", "zx"], ["xq"])
      writer.add("DequantizeLinear", ["xq", "sx", "zx"], ["xd"])
      writer.add(
        "DequantizeLinear", ["wq", "sw", "zw"], ["w"], perChannel ? ["axis": .int(0)] : [:])
      writer.add("DequantizeLinear", ["bq", "sb"], ["b"], perChannel ? ["axis": .int(0)] : [:])
      writer.add("Conv", ["xd", "w", "b"], ["c"])
      writer.add("QuantizeLinear", ["c", "sy", "zy"], ["cq"])
      writer.add("DequantizeLinear", ["cq", "sy", "zy"])
    }
  }

  private func expected(perChannel: Bool) -> [Float] {
    let scales: [Float] = perChannel ? [1 / 32, 1 / 64, 1 / 128] : [1 / 64, 1 / 64, 1 / 64]
    let weights: [[Float]] = [[64, -32], [100, 8], [0, 127]]
    let biases: [Float] = [1024, -512, 0]
    return (0..<3).flatMap { channel in
      (0..<4).map { place in
        let sum =
          weights[channel][0] * x.values[place] + weights[channel][1] * x.values[4 + place]
          + biases[channel] / 64
        let code = (sum * scales[channel] * 16).rounded(.toNearestOrEven) + 100
        return (min(max(code, 0), 255) - 100) / 16
      }
    }
  }

  @Test(arguments: [false, true])
  func layersComputeWithTheScalesOfTheFile(_ perChannel: Bool) throws {
    let runner = network(perChannel: perChannel)
    try runner.expect(expected(perChannel: perChannel), within: 0)
    #expect(try runner.run(.int8)["y"]?.values == expected(perChannel: perChannel))
  }

  @Test func layersAreIntegers() throws {
    let bytes = network(perChannel: true).writer.bytes
    let model = try Model(bytes: bytes, name: "m", options: .init(backend: .int8))
    let kinds = model.nodes.map(\.operation)
    #expect(kinds.filter { $0 == "quantize" }.count == 1, "\(kinds)")
  }

  /// Halves go to the even code, and codes stay within their type; without a zero point they are
  /// unsigned.
  @Test func roundingAndBounds() throws {
    let x = ONNXArray([6], [0.5, 1.5, 2.5, -1, 300, 255.5])
    try ONNXRunner("QuantizeLinear", x, [.floats([1], [])]).expect([0, 2, 2, 0, 255, 255])
    try ONNXRunner("QuantizeLinear", x, [.floats([1], []), .codes(3, [-3], [])])
      .expect([-3, -1, -1, -4, 127, 127])
    try ONNXRunner(
      "QuantizeLinear", x, [.floats([0.01], []), .codes(5, [0], [])], set: 21
    ).expect([50, 150, 250, -100, 30000, 25550])
  }

  @Test func scalesOfAnAxis() throws {
    try ONNXRunner(
      "QuantizeLinear", ONNXArray([2, 2], [1, 1, 3, 3]),
      [.floats([0.5, 0.25]), .codes(2, [1, 2])]
    ).expect([3, 6, 7, 14])
    try ONNXRunner(
      "QuantizeLinear", ONNXArray([2, 2], [1, 1, 3, 3]),
      [.floats([0.5, 0.25]), .codes(2, [1, 2])],
      ["axis": .int(0)]
    ).expect([3, 3, 14, 14])
  }

  /// Quantizers turn single numbers into codes, too.
  @Test func singleNumbersHaveNoAxis() throws {
    let runner = ONNXRunner(ONNXArray([2], [1, -2])) { writer in
      writer.codes("q", type: 2, [130], [])
      writer.floats("s", [0.5], [])
      writer.codes("z", type: 2, [128], [])
      writer.add("DequantizeLinear", ["q", "s", "z"], ["w"])
      writer.add("Mul", ["x", "w"], ["p"])
      writer.floats("t", [0.25], [1])
      writer.add("QuantizeLinear", ["p", "t"], ["c"])
      writer.add("DequantizeLinear", ["c", "t"])
    }
    try runner.expect([1, 0])
  }

  /// Weights of a dense layer are turned as codes.
  @Test func weightsOfDenseLayersStayCodes() throws {
    let runner = ONNXRunner(ONNXArray([1, 64], Array(repeating: 1, count: 64))) { writer in
      writer.codes("q", type: 3, (0..<64 * 64).map { $0 % 64 == $0 / 64 ? 2 : 0 }, [64, 64])
      writer.floats("s", (0..<64).map { Float($0) })
      writer.add("DequantizeLinear", ["q", "s"], ["w"], ["axis": .int(1)])
      writer.add("MatMul", ["x", "w"])
    }
    try runner.expect((0..<64).map { Float(2 * $0) })
    let options = Model.Options(backend: .blas)
    let model = try Model(bytes: runner.writer.bytes, name: "m", options: options)
    #expect(model.memory.weightBytes < 64 * 64 * 2, "\(model.memory.weightBytes)")
  }

  @Test func blocksOfFourBits() throws {
    let runner = ONNXRunner(ONNXArray([1, 4], [1, 1, 1, 1])) { writer in
      // Codes 1, -2, 3, -4 in half bytes, the first one lowest; blocks of two.
      writer.graph.data(
        5, ONNXWriter.tensor("q", type: 22, [1, 4]) { $0.data(9, [0xE1, 0xC3]) })
      writer.floats("s", [0.5, 2], [1, 2])
      writer.add(
        "DequantizeLinear", ["q", "s"], ["w"], ["axis": .int(1), "block_size": .int(2)])
      writer.add("Mul", ["x", "w"])
    }
    var writer = runner.writer
    writer.operationSet = 21
    var newer = runner
    newer.writer = writer
    try newer.expect([0.5, -1, 6, -8])
  }

  @Test func convolutionOfCodes() throws {
    let runner = ONNXRunner(x) { writer in
      writer.floats("sx", [1 / 64], [])
      writer.codes("zx", type: 2, [128], [])
      writer.codes("wq", type: 3, [64, -32, 100, 8, 0, 127], [3, 2, 1, 1])
      writer.floats("sw", [1 / 32, 1 / 64, 1 / 128])
      writer.codes("zw", type: 3, [0, 0, 0])
      writer.floats("sy", [1 / 16], [])
      writer.codes("zy", type: 2, [100], [])
      writer.codes("bq", type: 6, [1024, -512, 0])
      writer.add("QuantizeLinear", ["x", "sx", "zx"], ["xq"])
      writer.add("QLinearConv", ["xq", "sx", "zx", "wq", "sw", "zw", "sy", "zy", "bq"], ["cq"])
      writer.add("DequantizeLinear", ["cq", "sy", "zy"])
    }
    try runner.expect(expected(perChannel: true), within: 0)
    #expect(try runner.run(.int8)["y"]?.values == expected(perChannel: true))
  }
}
