// Fovea - small ONNX files that hold every kind of node, as seeds for mutations.
// SPDX-License-Identifier: Apache-2.0

/// ONNX files in memory, written from formulas. They read "x" of [1, 4, 6, 8].
public enum ONNXExamples {
  /// A valid file.
  public struct File: Sendable {
    /// The kind of its node, or what it is.
    public var name: String
    /// What is in it.
    public var bytes: [UInt8]
  }

  /// The file of constants beside all examples.
  public static let dataPath = "weights.bin"
  /// Floats of a convolution.
  public static let data = ProtobufWriter { writer in
    for number in numbers(64) { writer.fixed(number.bitPattern) }
  }.bytes

  /// One file for each operation, and some of many nodes.
  public static var all: [File] {
    (pointwise + windows + shapes + indices).map(file) + [network, quantized, functions]
  }

  // MARK: Single nodes

  private struct Case {
    var kind: String
    var constants: [Constant?]
    var attributes: KeyValuePairs<String, ONNXWriter.Attribute>
    var set: Int
    var outputs: [String]

    init(
      _ kind: String, _ constants: [Constant?] = [],
      _ attributes: KeyValuePairs<String, ONNXWriter.Attribute> = [:], set: Int = 18,
      outputs: [String] = ["y"]
    ) {
      (self.kind, self.constants, self.attributes) = (kind, constants, attributes)
      (self.set, self.outputs) = (set, outputs)
    }
  }

  private enum Constant {
    case floats([Int])
    case integers([Int])
    case integer(Int)
    case float(Float)
  }

  private static func numbers(_ count: Int) -> [Float] {
    (0..<count).map { Float(($0 * 7919 + 13) % 31 - 15) / 8 }
  }

  private static func file(_ example: Case) -> File {
    var writer = ONNXWriter(operationSet: example.set)
    var names = ["x"]
    for (index, constant) in example.constants.enumerated() {
      let name = constant == nil ? "" : "c\(index)"
      names.append(name)
      switch constant {
      case .floats(let shape): writer.floats(name, numbers(shape.reduce(1, *)), shape)
      case .integers(let values): writer.integers(name, values)
      case .integer(let value): writer.integers(name, [value], [])
      case .float(let value): writer.floats(name, [value], [])
      case nil: break
      }
    }
    writer.add(example.kind, names, example.outputs, example.attributes, name: "n")
    writer.input("x", [1, 4, 6, 8])
    for output in example.outputs { writer.output(output) }
    return File(name: example.kind, bytes: writer.bytes)
  }

  private static var pointwise: [Case] {
    [
      "Relu", "Sigmoid", "Tanh", "Erf", "Exp", "Abs", "Sqrt", "Log", "Softplus", "Softsign", "Neg",
      "Reciprocal", "HardSwish", "Mish", "Elu", "Selu", "LeakyRelu", "HardSigmoid", "Floor",
      "Softmax", "LogSoftmax", "Identity", "Clip", "Shape", "Size", "IsNaN", "Round", "Celu",
    ].map { Case($0) }
      + ["Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Mod", "Equal", "Less", "PRelu"].map {
        Case($0, [.floats([4, 1, 1])])
      } + [
        Case("Softmax", [], ["axis": .int(1)], set: 11),
        Case("Clip", [.float(-1), .float(1)]),
        Case("Gelu", [], ["approximate": .string("tanh")], set: 20),
        Case("Cast", [], ["to": .int(7)]),
        Case("QuantizeLinear", [.float(0.5)]),
        Case("LpNormalization", [], ["axis": .int(1), "p": .int(2)]),
        Case("MeanVarianceNormalization"),
        Case("InstanceNormalization", [.floats([4]), .floats([4])]),
        Case("GroupNormalization", [.floats([2]), .floats([2])], ["num_groups": .int(2)]),
        Case("LayerNormalization", [.floats([8]), .floats([8])], ["axis": .int(-1)]),
        Case(
          "BatchNormalization", [.floats([4]), .floats([4]), .floats([4]), .floats([4])],
          ["epsilon": .float(3)]),
        Case("LRN", [], ["size": .int(3)]),
      ]
  }

  private static var windows: [Case] {
    [
      Case(
        "Conv", [.floats([6, 2, 3, 3]), .floats([6])],
        ["pads": .ints([1, 1, 1, 1]), "strides": .ints([2, 2]), "group": .int(2)]),
      Case("Conv", [.floats([2, 4, 1, 2])], ["auto_pad": .string("SAME_LOWER")]),
      Case(
        "ConvTranspose", [.floats([4, 2, 2, 2])],
        ["strides": .ints([2, 2]), "output_padding": .ints([1, 0])]),
      Case(
        "MaxPool", [],
        ["kernel_shape": .ints([3, 3]), "strides": .ints([2, 2]), "ceil_mode": .int(1)]),
      Case("MaxPool", [], ["kernel_shape": .ints([2, 2]), "dilations": .ints([2, 3])]),
      Case(
        "AveragePool", [],
        [
          "kernel_shape": .ints([2, 2]), "pads": .ints([0, 1, 1, 0]),
          "count_include_pad": .int(1),
        ]),
      Case("GlobalAveragePool"), Case("GlobalMaxPool"),
      Case("MatMul", [.floats([8, 3])]),
      Case("Einsum", [.floats([8, 3])], ["equation": .string("bcij,jk->bkci")]),
      Case(
        "Resize", [nil, .floats([0]), .integers([1, 4, 9, 12])],
        [
          "mode": .string("cubic"), "coordinate_transformation_mode": .string("half_pixel"),
          "antialias": .int(1),
        ]),
      Case(
        "Resize", [nil, nil, .integers([5, 5])],
        ["axes": .ints([2, 3]), "keep_aspect_ratio_policy": .string("not_larger")]),
      Case("DepthToSpace", [], ["blocksize": .int(2), "mode": .string("CRD")]),
      Case("SpaceToDepth", [], ["blocksize": .int(2)]),
      Case("GridSample", [.floats([1, 3, 3, 2])], ["align_corners": .int(1)]),
    ]
  }

  private static var shapes: [Case] {
    [
      Case("Reshape", [.integers([0, -1, 8])]), Case("Flatten", [], ["axis": .int(2)]),
      Case("Transpose", [], ["perm": .ints([0, 2, 3, 1])]),
      Case("Concat", [.floats([1, 4, 6, 8])], ["axis": .int(1)]),
      Case("Expand", [.integers([2, 1, 1, 1, 1])]), Case("Tile", [.integers([1, 2, 1, 1])]),
      Case("Squeeze", [.integers([0])]), Case("Unsqueeze", [.integers([1, -1])]),
      Case(
        "Slice",
        [.integers([1, -1]), .integers([9, -7]), .integers([1, 3]), .integers([2, -2])]),
      Case("Split", [], ["axis": .int(1), "num_outputs": .int(3)], outputs: ["y", "z", "w"]),
      Case(
        "Pad", [.integers([0, 0, 1, -1, 0, 0, 2, 0]), .float(3)], ["mode": .string("constant")]),
      Case("Pad", [.integers([1, 2]), nil, .integers([3])], ["mode": .string("reflect")]),
      Case("ReduceMean", [.integers([2, 3])], ["keepdims": .int(0)]),
      Case("ReduceSum", [.integers([-1])]), Case("ReduceL2", [], ["axes": .ints([1])], set: 13),
      Case("CumSum", [.integer(1)], ["reverse": .int(1)]),
    ]
  }

  private static var indices: [Case] {
    [
      Case("Gather", [.integers([-1, 0])], ["axis": .int(3)]),
      Case("Gather", [.integer(1)], ["axis": .int(1)]),
      Case("TopK", [.integers([3])], ["largest": .int(0)], outputs: ["y", "z"]),
      Case("ArgMax", [], ["axis": .int(1), "select_last_index": .int(1)]),
      Case("GatherND", [.integers([0])], ["batch_dims": .int(0)]),
    ]
  }

  // MARK: Several nodes

  /// Open sizes, shapes that are computed, constants in a file, and a head.
  private static var network: File {
    var writer = ONNXWriter()
    writer.graph.data(
      5,
      ONNXWriter.external(
        "w", type: 1, [8, 3, 1, 1], ["location": dataPath, "offset": "16", "length": "96"]))
    writer.add("Conv", ["x", "w"], ["a"])
    writer.add("Sigmoid", ["a"], ["s"])
    writer.add("Mul", ["a", "s"], ["b"])
    writer.add("Shape", ["b"], ["shape"])
    writer.integers("one", [1], [])
    writer.add("Gather", ["shape", "one"], ["channels"])
    writer.integers("axis", [0])
    writer.add("Unsqueeze", ["channels", "axis"], ["row"])
    writer.integers("rest", [-1])
    writer.add("Concat", ["rest", "row"], ["sizes"], ["axis": .int(0)])
    writer.add("Reshape", ["b", "sizes"], ["c"])
    writer.floats("m", numbers(24), [8, 3])
    writer.floats("n", numbers(3))
    writer.add("MatMul", ["c", "m"], ["d"])
    writer.add("Add", ["d", "n"], ["e"])
    writer.add("Constant", [], ["k"], ["value_ints": .ints([2])])
    writer.add("TopK", ["e", "k"], ["v", "i"], ["axis": .int(0)])
    writer.add("GatherElements", ["e", "i"], ["y"], ["axis": .int(0)])
    writer.input("x", [nil, 3, nil, nil])
    writer.output("y", [nil, 3])
    writer.metadata("imgsz", "[6, 8]")
    writer.metadata("names", "{0: 'a', 1: 'b'}")
    return File(name: "network", bytes: writer.bytes)
  }

  /// Codes of weights and activations.
  private static var quantized: File {
    var writer = ONNXWriter(operationSet: 13)
    writer.floats("s", [0.0625], [])
    writer.codes("z", type: 2, [128], [])
    writer.codes("q", type: 3, (0..<24).map { $0 * 9 - 100 }, [6, 4, 1, 1])
    writer.floats("t", (1...6).map { Float($0) / 64 })
    writer.codes("b", type: 6, [100, 0, -100, 1, 2, 3])
    writer.add("QuantizeLinear", ["x", "s", "z"], ["xq"])
    writer.add("DequantizeLinear", ["xq", "s", "z"], ["xd"])
    writer.add("DequantizeLinear", ["q", "t"], ["w"], ["axis": .int(0)])
    writer.add("DequantizeLinear", ["b", "t"], ["bias"], ["axis": .int(0)])
    writer.add("Conv", ["xd", "w", "bias"], ["c"])
    writer.add("QuantizeLinear", ["c", "s", "z"], ["cq"])
    writer.add("DequantizeLinear", ["cq", "s", "z"], ["y"])
    writer.input("x", [1, 4, 6, 8])
    writer.output("y")
    return File(name: "quantized", bytes: writer.bytes)
  }

  /// A function that calls another one.
  private static var functions: File {
    var writer = ONNXWriter()
    writer.add("Outer", ["x"], ["y"], ["slope": .float(0.5)], domain: "own")
    writer.input("x", [1, 4, 6, 8])
    writer.output("y")
    writer.rest.data(
      25,
      ONNXWriter.function(
        "Inner", domain: "own", ["a"], ["b"],
        nodes: [
          ONNXWriter.node("LeakyRelu", ["a"], ["b"], ["alpha": .reference("slope", type: 1)])
        ]))
    writer.rest.data(
      25,
      ONNXWriter.function(
        "Outer", domain: "own", ["a"], ["b"],
        nodes: [
          ONNXWriter.node(
            "Inner", ["a"], ["t"], ["slope": .reference("slope", type: 1)], domain: "own"),
          ONNXWriter.node("Add", ["t", "a"], ["b"]),
        ], defaults: ["slope": .float(2)]))
    return File(name: "functions", bytes: writer.bytes)
  }
}
