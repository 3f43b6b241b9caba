// Fovea - resizing in programs: where samples lie.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct ResizeProgramTests {
  /// The nearest of i * (4 - 4 / n) / (n - 1); in the middle the element before.
  @Test(arguments: [
    (4, [Float](arrayLiteral: 0, 1, 2, 3)), (8, [0, 0, 1, 1, 2, 2, 3, 3]), (2, [0, 2]),
    (6, [0, 1, 1, 2, 3, 3]), (5, [0, 1, 2, 2, 3]), (1, [0]),
  ])
  func nearestOfTheDefaultGrid(_ count: Int, _ expected: [Float]) throws {
    let program = ProgramBuilder { writer in
      let row = writer.constant(.floats([0, 1, 2, 3], [1, 1, 1, 4]))
      writer.add(
        "reduce_sum",
        ["x": .value("x"), "axes": .ints([0, 1, 2, 3]), "keep_dims": .bool(true)],
        results: ["sums"])
      writer.add("add", ["x": .value("sums"), "y": .value(row)], results: ["row"])
      writer.add(
        "resize",
        [
          "x": .value("row"), "shape": .ints([1, count]), "resized_dims": .int(2),
          "interpolation_mode": .text("NEAREST_NEIGHBOR"), "sampling_mode": .text("DEFAULT"),
        ], results: ["y"])
    }
    #expect(try program.run() == expected)
  }
}
