// Fovea - programs that ask for too much, or whose numbers do not fit, are refused.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct HostileProgramTests {
  static var x: ProgramWriter.Argument { .value("x") }

  // MARK: Numbers that overflow

  @Test func sliceThatBeginsAtTheLeastIntegerIsRefused() throws {
    let program = ProgramBuilder(
      "slice_by_size",
      [
        "x": Self.x, "begin": .constant(.longs([0, 0, 0, .min], [4])),
        "size": .ints([1, 4, 6, -1]),
      ])
    #expect(try program.refusal().contains("axis 3"))
  }

  @Test(arguments: [Int.max, .min, 1 << 40, 1 << 31, -1, 0])
  func sizesOfAnyBitsAreRefused(_ size: Int) throws {
    let number = ProgramWriter.Argument.constant(.longs([size], []))
    let four = ProgramWriter.Argument.constant(.longs([1, 1, 1, size], [4]))
    let two = ProgramWriter.Argument.constant(.longs([1, size], [2]))
    let programs: [ProgramBuilder] = [
      ProgramBuilder("tile", ["x": Self.x, "reps": four]),
      ProgramBuilder("depth_to_space", ["x": Self.x, "block_size": number]),
      ProgramBuilder("space_to_depth", ["x": Self.x, "block_size": number]),
      ProgramBuilder("topk", ["x": Self.x, "k": .constant(.longs([size == -1 ? -2 : size], []))]),
      ProgramBuilder("split", ["x": Self.x, "num_splits": number, "axis": .int(-1)]),
      ProgramBuilder("resize_bilinear", ["x": Self.x, "target_size_height": number]),
      ProgramBuilder("max_pool", ["x": Self.x, "kernel_sizes": two]),
      ProgramBuilder(
        "max_pool", ["x": Self.x, "kernel_sizes": .ints([1, 1]), "strides": two]),
      ProgramBuilder(
        "conv",
        [
          "x": Self.x, "weight": .constant(.floats([1, 1, 1, 1], [1, 4, 1, 1])), "dilations": two,
          "groups": size == 0 ? .int(0) : .int(1),
        ]),
      ProgramBuilder(
        "local_response_norm", ["x": Self.x, "size": .constant(.longs([min(size, 0)], []))]),
      ProgramBuilder(
        "reshape", ["x": Self.x, "shape": .constant(.longs([size == -1 ? -2 : size, 1], [2]))]),
    ]
    for program in programs { _ = try program.refusal() }
  }

  @Test func emptyArrayWithHugeSizesIsRefused() throws {
    let sizes = [0, Int(Int32.max), Int(Int32.max), Int(Int32.max)]
    let program = ProgramBuilder { writer in
      let data = writer.constant(.floats([], sizes))
      writer.add(
        "constexpr_affine_dequantize", [:], results: ["w"],
        attributes: [
          "quantized_data": .floats([], sizes), "scale": .floats([], [0]),
          "zero_point": .floats([0], []), "axis": .ints([0], []),
        ])
      writer.add("flatten2d", ["x": .value(data), "axis": .int(1)])
    }
    #expect(try program.refusal().contains("elements"))
  }

  // MARK: Encodings of nothing

  @Test func codesWithoutElementsAreRefused() throws {
    let affine = ProgramBuilder { writer in
      writer.add(
        "constexpr_affine_dequantize", [:],
        attributes: [
          "quantized_data": .raw(type: 21, [], [0, 4]), "scale": .floats([], [0]),
          "zero_point": .raw(type: 21, [0], []), "axis": .ints([0], []),
        ])
    }
    #expect(try affine.refusal().contains("[0, 4]"))
    let table = ProgramBuilder { writer in
      writer.add(
        "constexpr_lut_to_dense",
        [
          "indices": .constant(.raw(type: 37, [], [2, 0])),
          "lut": .constant(.floats([1, 2, 3, 4], [1, 1, 2, 2])), "vector_axis": .int(0),
        ])
    }
    #expect(try table.refusal().contains("[2, 0]"))
  }

  @Test func negativeCodesOfTablesAreRefused() throws {
    let program = ProgramBuilder { writer in
      writer.add(
        "constexpr_lut_to_sparse",
        [
          "indices_mask": .constant(.raw(type: 37, [0xFF], [8])),
          "indices_nonzero_data": .constant(
            .raw(type: 21, [UInt8](repeating: 0x80, count: 8), [8])),
          "lut": .constant(.floats([Float](repeating: 1, count: 256), [1, 256, 1])),
        ], results: ["m", "y"], types: [37])
    }
    #expect(try program.refusal().contains("sign"))
  }

  // MARK: Growth

  @Test func vectorsThatMultiplyCodesAreRefused() throws {
    var program = ProgramBuilder { _ in }
    let codes = program.blobs.add(type: 9, [UInt8](repeating: 0, count: 1 << 18))
    let table = program.blobs.add(type: 1, [UInt8](repeating: 0, count: 1 << 18))
    program.writer.add(
      "constexpr_lut_to_dense",
      [
        "indices": .constant(.blob(type: 37, [1 << 21], offset: codes)),
        "lut": .constant(.blob(type: 10, [1, 2, 1 << 16], offset: table)), "vector_axis": .int(0),
      ])
    _ = try program.refusal()
  }

  @Test func constantsThatDoubleAreRefused() throws {
    let program = ProgramBuilder { writer in
      var name = writer.constant(.floats([1, 2], [2]))
      for step in 0..<40 {
        name = writer.add(
          "tile", ["x": .value(name), "reps": .ints([2])], results: ["t\(step)"])
      }
      writer.add("add", ["x": .value("x"), "y": .value(name)])
    }
    #expect(try program.refusal().contains("(tile)"))
  }

  @Test(arguments: ["fill", "range_1d"])
  func arraysWithoutEndAreRefused(_ kind: String) throws {
    let program = ProgramBuilder { writer in
      for step in 0..<1000 {
        writer.add(
          kind,
          kind == "fill"
            ? ["shape": .ints([1 << 20]), "value": .float(1)]
            : ["start": .float(0), "end": .float(1e6), "step": .float(1)],
          results: ["f\(step)"])
      }
      writer.add("relu", ["x": .value("x")])
    }
    #expect(try program.refusal().contains("constants of the model"))
  }

  /// Each of them is computed in a graph of its own.
  @Test func thousandsOfOperationsOnOneNumberAreRefused() throws {
    let program = ProgramBuilder { writer in
      writer.add("fill", ["shape": .ints([1]), "value": .float(1)], results: ["a"])
      for step in 0..<40_000 {
        writer.add("add", ["x": .value("a"), "y": .value("a")], results: ["s\(step)"])
      }
      writer.add("relu", ["x": .value("x")])
    }
    #expect(try program.refusal().contains("constants of the model"))
  }

  /// A large file is no reason for more memory than a session may have.
  @Test func constantsStayWithinTheBytesOfASession() throws {
    var program = ProgramBuilder("relu", ["x": Self.x])
    let place = program.blobs.add(type: 1, [UInt8](repeating: 0, count: 1 << 20))
    let stored = program.writer.constant(.blob(type: 10, [1 << 19], offset: place))
    program.writer.add("abs", ["x": .value(stored)], results: ["z"])
    #expect(try program.run().allSatisfy { $0 == 0 })
    let error = #expect(throws: FoveaError.self) {
      try program.model(maximumSessionBytes: 1 << 20)
    }
    #expect(error?.message.contains("more than 1048576 bytes") == true)
  }

  @Test func oneConstantForThousandsOfConvolutionsIsRefused() throws {
    var program = ProgramBuilder { _ in }
    let place = program.blobs.add(type: 9, [UInt8](repeating: 0x5A, count: 1 << 15))
    let weight = program.writer.constant(.blob(type: 37, [1 << 16, 4, 1, 1], offset: place))
    for index in 0..<1000 {
      program.writer.add(
        "conv", ["x": .value("x"), "weight": .value(weight)], results: ["v\(index)"])
    }
    program.outputs = ["v0"]
    #expect(try program.refusal().contains("constants of the model"))
  }

  @Test func productsOfConstantsAreNotComputedWhileLoading() throws {
    let program = ProgramBuilder { writer in
      writer.add("fill", ["shape": .ints([1024, 1024]), "value": .float(1)], results: ["a"])
      for index in 0..<3 {
        writer.add("matmul", ["x": .value("a"), "y": .value("a")], results: ["p\(index)"])
      }
      writer.add("relu", ["x": .value("x")])
    }
    let time = try threadSeconds { _ = try program.model() }
    #expect(time < ProgramBuilder.soon)
  }

  // MARK: Long lists

  @Test func thousandsOfAxesAreRefusedAtOnce() throws {
    let axes = ProgramWriter.Argument.ints(Array(0..<9000))
    let many = ProgramWriter.Argument.ints(Array(0..<200_000))
    #expect(
      try ProgramBuilder("expand_dims", ["x": Self.x, "axes": axes]).refusal().contains(
        "dimensions"))
    #expect(
      try ProgramBuilder("expand_dims", ["x": Self.x, "axes": many]).refusal().contains("200000"))
    let ones = ProgramWriter.Argument.ints([Int](repeating: 1, count: 9000))
    #expect(
      try ProgramBuilder("reshape", ["x": Self.x, "shape": ones]).refusal().contains("dimensions"))
  }

  @Test func partsThatNobodyNamesAreRefused() throws {
    let program = ProgramBuilder(
      "split", ["x": Self.x, "num_splits": .int(8), "axis": .int(-1)], results: ["y", "z"])
    #expect(try program.refusal().contains("results"))
  }

  @Test func manyInputsAreCompared() throws {
    let names = (0..<9000).map { "input\($0)" }
    var writer = ProgramWriter(inputs: names.map { ($0, [1]) })
    writer.add("relu", ["x": .value(names[8999])])
    var program = ProgramBuilder { _ in }
    program.writer = writer
    let time = try threadSeconds { _ = try program.model() }
    #expect(time < ProgramBuilder.soon)
  }

  @Test func manyOperationsLoadInTimeThatGrowsWithThem() throws {
    let isLinear = try growsLinearly(to: 8000) { count in
      let program = ProgramBuilder { writer in
        var name = "x"
        for index in 0..<count {
          name = writer.add("relu", ["x": .value(name)], results: ["r\(index)"])
        }
        writer.add("abs", ["x": .value(name)])
      }
      _ = try program.model()
    }
    #expect(isLinear)
  }

  @Test func arrayOfMoreDimensionsThanTheCoreHasIsRefused() throws {
    let shape = [Int](repeating: 1, count: 9)
    let program = ProgramBuilder("reshape", ["x": Self.x, "shape": .ints([192] + shape)])
    #expect(try program.refusal().contains("dimensions"))
  }
}
