// Fovea - tests: programs of other formats get the types of ML Programs.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import Testing

@Suite struct ProgramTypingTests {
  private typealias Operation = TensorProgram.Operation
  private typealias Argument = TensorProgram.Argument

  private func value(_ name: String, _ element: ElementType, _ shape: [Int] = [2, 3])
    -> TensorProgram.Value
  {
    TensorProgram.Value(name: name, type: .tensor(TensorType(element: element, shape: shape)))
  }

  /// An operation that gives "y" unless a test says otherwise.
  private func operation(
    _ kind: String, _ arguments: [String: Argument], _ element: ElementType = .float32,
    result: String = "y", shape: [Int] = [2, 3]
  ) -> TensorProgram.Operation {
    Operation(
      kind: kind, arguments: arguments.mapValues { [$0] },
      results: [value(result, element, shape)])
  }

  private func constant(_ element: ElementType, _ bytes: [UInt8], _ shape: [Int]) -> Argument {
    .constant(TensorConstant(element: element, shape: shape, content: .bytes(StoredBytes(bytes))))
  }

  /// A function that reads "x" and the integers "n", and writes "y".
  private func typed(_ operations: [TensorProgram.Operation]) -> TensorProgram.Function {
    TensorProgram.Function(
      inputs: [value("x", .float32), value("n", .int32)], operationSet: "ONNX 18",
      operations: operations, outputs: ["y"]
    ).inOperationsOfCoreML()
  }

  private func element(_ function: TensorProgram.Function, _ name: String) -> ElementType? {
    let result = function.operations.flatMap(\.results).first { $0.name == name }
    guard case .tensor(let type)? = result?.type else { return nil }
    return type.element
  }

  @Test func integersBesideFloatsAreCast() {
    let function = typed([
      operation("add", ["x": .value("x"), "y": .value("n")], result: "sum"),
      operation("mul", ["x": .value("sum"), "y": .integer(2)]),
    ])
    #expect(function.operations.map(\.kind) == ["cast", "add", "mul"])
    #expect(function.operations[0].arguments["x"] == [.value("n")])
    #expect(function.operations[0].arguments["dtype"] == [.string("fp32")])
    #expect(function.operations[1].arguments["y"] == [.value("n_fp32")])
    // A constant needs no operation.
    #expect(function.operations[2].arguments["y"] == [.float(2)])
    #expect(function.operationSet == "CoreML5")
  }

  @Test func whatTakesFloatsOnlyIsSurroundedByCasts() {
    let function = typed([
      operation(
        "clip", ["x": .value("n"), "alpha": .integer(0), "beta": .integer(6)], .int32)
    ])
    #expect(function.operations.map(\.kind) == ["cast", "clip", "cast"])
    #expect(function.operations[1].arguments["alpha"] == [.float(0)])
    #expect(element(function, "y_fp32") == .float32 && element(function, "y") == .int32)
  }

  @Test func truthValuesBecomeIntegersAtTheEnd() {
    let function = typed([
      operation("greater", ["x": .value("x"), "y": .float(0)], .bool)
    ])
    #expect(function.operations.map(\.kind) == ["greater", "cast"])
    #expect(element(function, "y_bool") == .bool && element(function, "y") == .int32)
  }

  @Test func constantsGetTypesOfPrograms() {
    let long = operation(
      "const", ["val": constant(.int64, [1, 0, 0, 0, 0, 0, 0, 0], [1])], .int64, result: "a",
      shape: [1])
    let halves = [UInt8]((0..<12).flatMap { _ in [0x00, 0x3C] as [UInt8] })
    let half = operation(
      "const", ["val": constant(.float16, halves, [12])], result: "b", shape: [12])
    let small = operation(
      "const", ["val": constant(.float16, [0x00, 0x3E], [1])], result: "c", shape: [1])
    let double = operation(
      "const", ["val": constant(.float64, [0, 0, 0, 0, 0, 0, 0xF8, 0x3F], [1])], result: "d",
      shape: [1])
    let function = typed([
      long, half, small, double,
      Operation(
        kind: "concat",
        arguments: [
          "values": ["a", "b", "c", "d"].map { .value($0) }, "axis": [.integer(0)],
          "interleave": [.boolean(false)],
        ], results: [value("y", .float32, [15])]),
    ])
    // Twelve halves stay halves in the file; others become floats at once.
    #expect(
      function.operations.map(\.kind) == ["const", "constexpr_cast", "const", "const", "concat"])
    #expect(function.operations[0].arguments["val"] == [.constant(.integers([1], shape: [1]))])
    #expect(function.operations[2].arguments["val"] == [.floats([1.5], shape: [1])])
    #expect(function.operations[3].arguments["val"] == [.floats([1.5], shape: [1])])
    #expect(
      function.operations[4].arguments["values"]
        == [.floats([1], shape: [1]), .value("b"), .value("c"), .value("d")])
    #expect(function.operationSet == "CoreML6")
  }

  @Test func codesKeepTheirType() {
    let function = typed([
      operation(
        "quantize",
        [
          "input": .value("x"), "scale": .float(0.5), "zero_point": .integer(3),
          "output_dtype": .string("uint8"),
        ], .int32, result: "codes"),
      operation(
        "reshape", ["x": .value("codes"), "shape": .integers([-1])], .int32, result: "row",
        shape: [6]),
      operation(
        "dequantize",
        ["input": .value("row"), "scale": .float(0.5), "zero_point": .integer(3)], shape: [6]),
    ])
    #expect(element(function, "codes") == .uint8 && element(function, "row") == .uint8)
    let zero = constant(.uint8, [3], [])
    #expect(function.operations[0].arguments["zero_point"] == [zero])
    #expect(function.operations[1].arguments["shape"] == [.integers([6])])
    #expect(function.operations[2].arguments["zero_point"] == [zero])
    #expect(function.operationSet == "CoreML7")
  }

  @Test(
    arguments: [
      ("relu", [:], 5), ("conv", ["weight": .value("x"), "pad_type": .string("valid")], 7),
      ("max_pool", ["pad_type": .string("same_lower")], 6), ("resize", [:], 7),
      ("gather", ["batch_dims": .integer(1)], 6),
      ("gather", ["validate_indices": .boolean(false)], 7),
      ("topk", ["sort": .boolean(true)], 6), ("pixel_unshuffle", [:], 6),
      ("constexpr_lut_to_dense", ["shape": .integers([6])], 6), ("constexpr_lut_to_dense", [:], 8),
      ("scaled_dot_product_attention", [:], 8), ("non_maximum_suppression", [:], 7),
      ("crop_resize", ["boxes": .value("x")], 7),
    ] as [(String, [String: TensorProgram.Argument], Int)])
  func theOldestSetIsChosen(
    _ kind: String, _ arguments: [String: TensorProgram.Argument], _ set: Int
  ) {
    let all = arguments.merging(["x": .value("x")]) { first, _ in first }
    #expect(typed([operation(kind, all)]).operationSet == "CoreML\(set)")
  }
}
