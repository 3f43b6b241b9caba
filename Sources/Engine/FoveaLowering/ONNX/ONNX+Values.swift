// Fovea - operations of ONNX that hand values on or make them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Constants, what stays what it is, and what follows from shapes.
  static let onnxValueRules: [String: ONNXRule] = [
    "const": { node throws(FoveaError) in
      guard case .constant(let constant)? = node.operation.arguments["val"]?.first else {
        throw node.mismatch("it has no value")
      }
      try node.giveConstant(constant)
    },
    "Constant": { node throws(FoveaError) in try node.constantNode() },
    "Identity": { node throws(FoveaError) in node.handOn(try node.input(0)) },
    "Dropout": { node throws(FoveaError) in try node.dropout() },
    "Cast": { node throws(FoveaError) in
      try node.cast(to: Int32(clamping: node.integer("to", default: 0)))
    },
    "CastLike": { node throws(FoveaError) in
      try node.cast(to: node.elementClass(1))
    },
    "Shape": { node throws(FoveaError) in try node.shapeOfInput() },
    "Size": { node throws(FoveaError) in
      node.handOn(.integer(try node.shape(0).reduce(1, *)))
    },
    "ConstantOfShape": { node throws(FoveaError) in
      var arguments: [String: TensorProgram.Argument] = [
        "shape": .integers(try node.integers(ofInput: 0)), "value": .float(0),
      ]
      if let value = node.attribute("value") {
        guard value.count == 1 else { throw node.mismatch("\"value\" has \(value.count) elements") }
        arguments["value"] = try node.scalar(value)
      }
      try node.give("fill", arguments)
    },
    "Range": { node throws(FoveaError) in
      let numbers = [try node.constant(0), try node.constant(1), try node.constant(2)]
      guard numbers.allSatisfy({ $0.count == 1 }) else { throw node.mismatch("several bounds") }
      try node.give(
        "range_1d",
        [
          "start": node.scalar(numbers[0]), "end": node.scalar(numbers[1]),
          "step": node.scalar(numbers[2]),
        ])
    },
    "OneHot": { node throws(FoveaError) in try node.oneHot() },
    "NonZero": { node throws(FoveaError) in try node.nonZero() },
  ]

  /// Writes a constant. Types that ML Programs lack become wider or narrower ones.
  func giveConstant(_ constant: TensorConstant) throws(FoveaError) {
    var constant = constant
    switch constant.element {
    case .int64, .uint64, .uint32:
      constant = .integers(try ConstantValue(constant).integers(), shape: constant.shape)
    case .float64, .bfloat16:
      constant = .floats(try ConstantValue(constant).floats(), shape: constant.shape)
    default: break
    }
    try program.write("const", ["val": [.constant(constant)]], to: [result])
  }

  /// The one element of a constant as a scalar of the same kind.
  func scalar(_ constant: ConstantValue) throws(FoveaError) -> TensorProgram.Argument {
    let number = try constant.floats()[0]
    return switch ElementClass(constant.element) {
    case .integer: .integer(try constant.integers()[0])
    case .boolean: .boolean(number != 0)
    default: .float(number)
    }
  }

  private func constantNode() throws(FoveaError) {
    for name in [
      "value", "value_float", "value_floats", "value_int", "value_ints", "value_string",
      "value_strings",
    ] {
      guard case .constant(let constant)? = operation.arguments[name]?.first else { continue }
      return try giveConstant(constant)
    }
    throw mismatch("it has no value")
  }

  /// Hands its input on, as long as nothing is dropped: in training that is left to chance.
  private func dropout() throws(FoveaError) {
    let ratio = try has(1) ? constant(1).floats().first ?? 0 : 0.5
    if has(2), ratio != 0, try constant(2).floats().contains(where: { $0 != 0 }) {
      throw unsupported("it is in training mode; export the model in evaluation mode")
    }
    handOn(try input(0))
  }

  // MARK: Types

  /// The class of a type of elements by its number.
  private func elementClass(number: Int32) throws(FoveaError) -> ElementClass {
    switch number {
    case 1, 10, 11, 16: return .float
    case 2...7, 12, 13: return .integer
    case 9: return .boolean
    default: throw unsupported("numbers become elements of type \(number), which nothing has here")
    }
  }

  private func cast(to number: Int32) throws(FoveaError) {
    try cast(to: elementClass(number: number))
  }

  private func cast(to wanted: ElementClass) throws(FoveaError) {
    let x = try input(0)
    guard try elementClass(0) != wanted else { return handOn(x) }
    try give("cast", ["x": x, "dtype": .string(wanted.element.rawValue)])
  }

  // MARK: Shapes

  /// The sizes of the input, or of a part of its dimensions.
  private func shapeOfInput() throws(FoveaError) {
    let shape = try shape(0)
    let bound = { (value: Int) in min(max(value < 0 ? value + shape.count : value, 0), shape.count)
    }
    let start = bound(try integer("start", default: 0))
    let end = bound(try integer("end", default: shape.count))
    handOn(.integers(start < end ? Array(shape[start..<end]) : []))
  }

  // MARK: Indices

  /// Ones where indices point to, along a new axis.
  private func oneHot() throws(FoveaError) {
    let depth = try constant(1)
    guard depth.count == 1, let size = try depth.integers().first, (1...1 << 20).contains(size)
    else { throw mismatch("a depth that is no size") }
    let values = try constant(2)
    guard values.count == 2 else { throw mismatch("\(values.count) values, not off and on") }
    let numbers = try values.floats()
    try spend(size)
    let rank = try shape(0).count + 1
    let axis = try axis(integer("axis", default: -1), ofRank: rank)
    // Negative indices count from the end.
    let indices = try input(0)
    let isNegative = try step("less", ["x": indices, "y": .integer(0)])
    let counted = try step("add", ["x": indices, "y": .integer(size)])
    let chosen = try step("select", ["cond": isNegative, "a": counted, "b": indices])
    let columns = try step("expand_dims", ["x": chosen, "axes": .integers([axis])])
    let shape = (0..<rank).map { $0 == axis ? size : 1 }
    let places = try step(
      "reshape", ["x": .integers(Array(0..<size)), "shape": .integers(shape)])
    let isHere = try step("equal", ["x": columns, "y": places])
    let wanted = ElementClass(values.element) ?? .float
    let on = wanted == .float ? TensorProgram.Argument.float(numbers[1]) : try scalarOf(values, 1)
    let off = wanted == .float ? TensorProgram.Argument.float(numbers[0]) : try scalarOf(values, 0)
    try give("select", ["cond": isHere, "a": on, "b": off])
  }

  private func scalarOf(
    _ constant: ConstantValue, _ index: Int
  ) throws(FoveaError) -> TensorProgram.Argument {
    let number = try constant.integers()[index]
    return ElementClass(constant.element) == .boolean ? .boolean(number != 0) : .integer(number)
  }

  /// The places of the elements of a constant that are not 0, one column each.
  private func nonZero() throws(FoveaError) {
    guard let constant = try knownConstant(0) else {
      throw unsupported(
        "how many elements are not 0 depends on what the model is given, and sizes are fixed here;"
          + " export the model without its suppression (nms=False), which Fovea does itself")
    }
    let shape = constant.shape
    try spend(constant.count * (1 + shape.count))
    let numbers = try constant.floats()
    let places = numbers.indices.filter { numbers[$0] != 0 }
    var rows: [Int] = []
    for axis in shape.indices {
      let inner = shape[(axis + 1)...].reduce(1, *)
      rows += places.map { $0 / inner % shape[axis] }
    }
    handOn(.constant(.integers(rows, shape: [shape.count, places.count])))
  }
}
