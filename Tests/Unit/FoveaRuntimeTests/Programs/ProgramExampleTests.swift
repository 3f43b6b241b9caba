// Fovea - the examples that fuzzing begins with hold every operation, and run.
// SPDX-License-Identifier: Apache-2.0
import FoveaLowering
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct ProgramExampleTests {
  @Test func everyKindOfOperationHasAnExample() {
    #expect(Set(OperationTable.kinds).subtracting(ProgramExamples.all.flatMap(\.kinds)).isEmpty)
  }

  /// coremltools lists the parameters of reshape_like one by one.
  @Test func parametersMayBeListedOneByOne() throws {
    func shape(
      _ begins: ProgramWriter.Argument, _ ends: ProgramWriter.Argument,
      _ masks: ProgramWriter.Argument
    ) throws -> [Int] {
      let arguments: KeyValuePairs = [
        "x": .value("x"), "ref_tensors": .values(["x", "x"]), "begins": begins, "ends": ends,
        "end_masks": masks,
      ]
      return try ProgramBuilder("reshape_like", arguments).model().outputs[0].shape
    }
    func integers(_ values: Int...) -> ProgramWriter.Argument {
      .constants(values.map { .ints([$0], []) })
    }
    let masks = ProgramWriter.Argument.constants([.bools([false], []), .bools([true], [])])
    let expected = try shape(.ints([0, 2]), .ints([2, 4]), .bools([false, true]))
    #expect(try shape(integers(0, 2), integers(2, 0), masks) == expected)
    let error = #expect(throws: FoveaError.self) { try shape(integers(0), integers(2, 0), masks) }
    #expect(error?.message.contains("\"begins\"") == true)
  }

  @Test func productsOfIntegersAreIntegers() throws {
    let int32 = 23
    let program = ProgramBuilder { writer in
      writer.add(
        "cast", ["x": .value("x"), "dtype": .text("int32")], results: ["a"], types: [int32])
      writer.add(
        "reshape", ["x": .value("a"), "shape": .ints([-1])], results: ["b"], types: [int32])
      writer.add("add", ["x": .value("b"), "y": .int(3)], results: ["c"], types: [int32])
      writer.add("matmul", ["x": .value("c"), "y": .value("c")], results: ["d"], types: [int32])
      writer.add("cast", ["x": .value("d"), "dtype": .text("fp32")], results: ["y"])
    }
    let count = try program.model().inputs[0].shape.reduce(1, *)
    #expect(try program.run() == [Float(9 * count)])
  }
}
