// Fovea - tests: a small program with its constants, written field by field.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport

/// Builds a program with all kinds of layers whose weights can become codes.
struct ProgramFile {
  /// The set of operations, 5 to 9.
  var operationSet: Int
  /// Whether weights are halves.
  var isHalf = false
  /// The number of the element type of weights.
  private var element: Int { isHalf ? 10 : 11 }

  private var blobs: [UInt8] = []
  private var blobCount = 0

  init(operationSet: Int, isHalf: Bool = false) {
    self.operationSet = operationSet
    self.isHalf = isHalf
  }

  /// The weights of a layer, [32 output channels or less, ...].
  static func weights(_ count: Int, seed: UInt64) -> [Float] {
    QuantizedFiles.weights(count, channels: 8, seed: seed).map { $0 / 8 }
  }

  // MARK: Messages

  private static func type(_ element: Int, _ shape: [Int]) -> [UInt8] {
    ProtobufWriter { type in
      type.message(1) { tensor in
        tensor.integer(1, element)
        tensor.integer(2, shape.count)
        for size in shape { tensor.message(3) { $0.message(1) { $0.integer(1, size) } } }
      }
    }.bytes
  }

  private static func named(_ name: String, _ element: Int, _ shape: [Int]) -> [UInt8] {
    ProtobufWriter { named in
      named.string(1, name)
      named.data(2, type(element, shape))
    }.bytes
  }

  private static func value(
    _ element: Int, _ shape: [Int], _ fill: (inout ProtobufWriter) -> Void
  ) -> [UInt8] {
    ProtobufWriter { value in
      value.data(2, type(element, shape))
      value.message(3) { $0.message(1, fill) }
    }.bytes
  }

  private static func integers(_ numbers: [Int]) -> [UInt8] {
    value(23, [numbers.count]) { $0.message(2) { $0.integers(1, numbers) } }
  }

  private static func integer(_ number: Int) -> [UInt8] {
    value(23, []) { $0.message(2) { $0.integers(1, [number]) } }
  }

  private static func text(_ text: String) -> [UInt8] {
    value(2, []) { $0.message(4) { $0.string(1, text) } }
  }

  /// Floats in the file of constants, or in the model where they are few.
  private mutating func floats(_ values: [Float], _ shape: [Int]) -> [UInt8] {
    var bytes = ProtobufWriter()
    for value in values {
      if isHalf {
        bytes.fixed(PlainHalf.pattern(value))
      } else {
        bytes.fixed(value.bitPattern)
      }
    }
    if values.count < 10 {
      return Self.value(element, shape) { tensor in
        if isHalf {
          tensor.message(7) { $0.data(1, bytes.bytes) }
        } else {
          tensor.message(1) { $0.floats(1, values) }
        }
      }
    }
    let offset = store(bytes.bytes, type: isHalf ? 1 : 2)
    return ProtobufWriter { value in
      value.data(2, Self.type(element, shape))
      value.message(5) { blob in
        blob.string(1, "@model_path/weights/weight.bin")
        blob.integer(2, offset)
      }
    }.bytes
  }

  private mutating func store(_ content: [UInt8], type: UInt32) -> Int {
    while blobs.count % 64 != 0 { blobs.append(0) }
    let offset = 64 + blobs.count
    var record = ProtobufWriter()
    record.fixed(UInt32(0xDEAD_BEEF))
    record.fixed(type)
    record.fixed(UInt64(content.count))
    record.fixed(UInt64(offset + 64))
    record.raw([UInt8](repeating: 0, count: 40))
    blobs += record.bytes + content
    blobCount += 1
    return offset
  }

  private func constant(_ name: String, _ type: (Int, [Int]), _ value: [UInt8]) -> [UInt8] {
    ProtobufWriter { operation in
      operation.string(1, "const")
      operation.data(3, Self.named(name, type.0, type.1))
      operation.message(5) { entry in
        entry.string(1, "name")
        entry.data(2, Self.text("the name of \(name)"))
      }
      operation.message(5) { entry in
        entry.string(1, "val")
        entry.data(2, value)
      }
    }.bytes
  }

  private func operation(
    _ kind: String, _ inputs: [String: String], _ constants: [String: [UInt8]] = [:],
    _ result: String, _ shape: [Int], element: Int? = nil
  ) -> [UInt8] {
    ProtobufWriter { operation in
      operation.string(1, kind)
      for (name, value) in inputs.sorted(by: { $0.key < $1.key }) {
        operation.message(2) { entry in
          entry.string(1, name)
          entry.message(2) { $0.message(1) { $0.string(1, value) } }
        }
      }
      for (name, value) in constants.sorted(by: { $0.key < $1.key }) {
        operation.message(2) { entry in
          entry.string(1, name)
          entry.message(2) { $0.message(1) { $0.data(2, value) } }
        }
      }
      operation.data(3, Self.named(result, element ?? self.element, shape))
      operation.string(77, "a field of \(result)")
    }.bytes
  }

  // MARK: Operations

  private mutating func weights(_ name: String, _ shape: [Int], seed: UInt64) -> [UInt8] {
    let values = Self.weights(shape.reduce(1, *), seed: seed)
    return constant(name, (element, shape), floats(values, shape))
  }

  private mutating func block(side: Int) -> [UInt8] {
    let image = [1, 16, side, side]
    let same = ["pad_type": Self.text("same")]
    var operations = [
      operation(
        "cast", ["x": "image"], ["dtype": Self.text(isHalf ? "fp16" : "fp32")], "x0",
        [1, 3, side, side])
    ]
    func convolution(
      _ input: String, _ name: String, _ constants: [String: [UInt8]] = [:]
    ) -> [String: String] {
      ["x": input, "weight": "w_\(name)", "bias": "b_\(name)"]
    }
    for (name, shape, seed) in [
      ("first", [16, 3, 3, 3], 1), ("depthwise", [16, 1, 3, 3], 2), ("shared", [16, 16, 1, 1], 3),
      ("up", [16, 12, 2, 2], 4), ("dense", [24, 2 * side], 5),
    ] as [(String, [Int], UInt64)] {
      operations.append(weights("w_\(name)", shape, seed: seed))
      let outputs = name == "up" ? shape[1] : shape[0]
      operations.append(weights("b_\(name)", [outputs], seed: seed + 10))
    }
    operations += [
      operation("conv", convolution("x0", "first"), same, "first", image),
      operation(
        "conv", convolution("first", "depthwise"),
        same.merging(["groups": Self.integer(16)]) { $1 }, "depthwise", image),
      operation("relu", ["x": "depthwise"], "positive", image),
      operation("conv", convolution("positive", "shared"), same, "shared", image),
      operation("conv", convolution("shared", "shared"), same, "again", image),
      operation(
        "conv_transpose", convolution("again", "up"), ["strides": Self.integers([2, 2])], "up",
        [1, 12, 2 * side, 2 * side]),
      operation("linear", convolution("up", "dense"), "z", [1, 12, 2 * side, 24]),
    ]
    return ProtobufWriter { block in
      block.string(2, "z")
      for operation in operations { block.data(3, operation) }
    }.bytes
  }

  private mutating func function(side: Int) -> [UInt8] {
    let block = block(side: side)
    return ProtobufWriter { function in
      function.data(1, Self.named("image", 11, [1, 3, side, side]))
      function.string(2, "CoreML\(operationSet)")
      function.message(3) { entry in
        entry.string(1, "CoreML\(operationSet)")
        entry.data(2, block)
      }
    }.bytes
  }

  private func operation(
    _ kind: String, _ inputs: [String: String], _ result: String, _ shape: [Int]
  ) -> [UInt8] {
    operation(kind, inputs, [:], result, shape)
  }

  private var file: [UInt8] {
    var header = ProtobufWriter()
    header.fixed(UInt32(blobCount))
    header.fixed(UInt32(2))
    header.raw([UInt8](repeating: 0, count: 56))
    return header.bytes + blobs
  }

  private static func interface(_ writer: inout ProtobufWriter, _ fields: (Int, Int), side: Int) {
    writer.data(fields.0, ModelBuilder.image("image", width: side, height: side))
    writer.data(fields.1, ModelBuilder.array("z", [1, 12, 2 * side, 24]))
  }

  /// The model file of one function and its file of constants.
  mutating func single() -> (model: [UInt8], constants: [UInt8]) {
    let main = function(side: 16)
    let model = ProtobufWriter { model in
      model.integer(1, operationSet + 1)
      model.message(2) { description in
        Self.interface(&description, (1, 10), side: 16)
        description.message(100) { $0.string(1, "what it is for") }
      }
      model.message(502) { program in
        program.integer(1, 1)
        program.message(2) { entry in
          entry.string(1, "main")
          entry.data(2, main)
        }
        program.string(3, "a field of the program")
      }
    }.bytes
    return (model, file)
  }

  /// The model file of two functions, each with constants of its own, of which most are equal.
  mutating func double() -> (model: [UInt8], constants: [UInt8]) {
    let functions = [("small", 8), ("large", 16)].map { ($0.0, $0.1, function(side: $0.1)) }
    let model = ProtobufWriter { model in
      model.integer(1, operationSet + 1)
      model.message(2) { description in
        for (name, side, _) in functions {
          description.message(20) { function in
            function.string(1, name)
            Self.interface(&function, (2, 3), side: side)
          }
        }
        description.string(21, "large")
      }
      model.message(502) { program in
        program.integer(1, 1)
        for (name, _, function) in functions {
          program.message(2) { entry in
            entry.string(1, name)
            entry.data(2, function)
          }
        }
      }
    }.bytes
    return (model, file)
  }
}
