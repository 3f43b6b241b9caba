// Fovea - the decoding of heads as operations of programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
package import FoveaModelValues

/// A value of a network, or of the decoding of its head.
struct HeadValue {
  /// What operations read it by.
  let argument: TensorProgram.Argument
  /// The sizes, outermost first.
  let shape: [Int]

  /// The number of dimensions.
  var rank: Int { shape.count }
}

/// Writes the decoding of a head as operations of ML Programs, each of which is lowered at once: a
/// graph and a file then decode by the same operations.
struct HeadProgram {
  private let program: ProgramTranslation

  /// Begins with what a network writes.
  ///
  /// - Parameters:
  ///   - outputs: The network's outputs by name.
  ///   - taken: Operations whose results have names that are taken.
  ///   - keepsOperations: Whether the operations are to be stored.
  init(
    _ graph: GraphBuilder, outputs: [String: GraphValue], taken: [TensorProgram.Operation],
    keepsOperations: Bool
  ) {
    let lowering = ProgramLowering(
      graph: graph, place: "", inputs: outputs.mapValues { .computed($0, .float) },
      maximumConstantBytes: 0)
    let inputs = outputs.map { name, value in
      TensorProgram.Value(
        name: name, type: .tensor(TensorType(element: .float32, shape: value.shape)))
    }
    program = ProgramTranslation(
      of: TensorProgram.Function(
        inputs: inputs, operationSet: "", operations: taken, outputs: []),
      by: lowering, keepsOperations: keepsOperations)
  }

  /// What was written, if it is to be stored.
  var operations: [TensorProgram.Operation] { program.operations }

  /// A value of the graph.
  func graphValue(_ value: HeadValue) throws(FoveaError) -> GraphValue? {
    guard case .value(let name) = value.argument else { return nil }
    return try program.lowering.graphValue(of: name)
  }

  // MARK: Operations

  func write(
    _ kind: String, _ arguments: [String: [TensorProgram.Argument]], as name: String? = nil
  ) throws(FoveaError) -> HeadValue {
    let name = name ?? program.name("head", kind)
    try program.write(kind, arguments, to: [name])
    let argument = TensorProgram.Argument.value(name)
    return HeadValue(argument: argument, shape: try program.value(argument).shape)
  }

  /// A constant.
  func constant(_ values: [Float], shape: [Int]) -> HeadValue {
    HeadValue(argument: .floats(values, shape: shape), shape: shape)
  }

  /// A value under a name like the one that is wished for.
  func named(_ value: HeadValue, _ name: String) throws(FoveaError) -> String {
    let name = program.name(name)
    _ = try write("identity", ["x": [value.argument]], as: name)
    return name
  }

  /// A function of each element, such as "sigmoid".
  func unary(_ kind: String, _ value: HeadValue) throws(FoveaError) -> HeadValue {
    try write(kind, ["x": [value.argument]])
  }

  /// A function of two elements, such as "mul".
  func binary(
    _ kind: String, _ left: HeadValue, _ right: HeadValue
  ) throws(FoveaError) -> HeadValue {
    try write(kind, ["x": [left.argument], "y": [right.argument]])
  }

  /// 1 where elements are equal, else 0.
  func equal(_ left: HeadValue, _ right: HeadValue) throws(FoveaError) -> HeadValue {
    let flags = try binary("equal", left, right)
    return try write("cast", ["x": [flags.argument], "dtype": [.string("fp32")]])
  }

  /// The same elements as an array of another shape.
  func reshaped(_ value: HeadValue, _ shape: [Int]) throws(FoveaError) -> HeadValue {
    try write("reshape", ["x": [value.argument], "shape": [.integers(shape)]])
  }

  /// Values side by side along an axis.
  func concat(_ values: [HeadValue], axis: Int) throws(FoveaError) -> HeadValue {
    try write(
      "concat",
      [
        "values": values.map(\.argument), "axis": [.integer(axis)], "interleave": [.boolean(false)],
      ])
  }

  /// The probabilities of each row.
  func softmax(_ value: HeadValue, axis: Int) throws(FoveaError) -> HeadValue {
    try write("softmax", ["x": [value.argument], "axis": [.integer(axis)]])
  }

  /// Rows times a matrix.
  func product(_ rows: HeadValue, _ matrix: HeadValue) throws(FoveaError) -> HeadValue {
    try write(
      "matmul",
      [
        "x": [rows.argument], "y": [matrix.argument], "transpose_x": [.boolean(false)],
        "transpose_y": [.boolean(false)],
      ])
  }

  // MARK: Parts of decoding

  /// Rows [N, columns] of an output that is [..., N, columns], or turned, [..., columns, N].
  func rows(_ value: HeadValue, isTurned: Bool) throws(FoveaError) -> HeadValue {
    let plane = try reshaped(value, value.shape.suffix(2))
    return isTurned ? try transposed(plane, [1, 0]) : plane
  }

  /// The same elements with dimensions in another order.
  func transposed(_ value: HeadValue, _ order: [Int]) throws(FoveaError) -> HeadValue {
    try write("transpose", ["x": [value.argument], "perm": [.integers(order)]])
  }

  /// Columns of rows.
  func columns(_ rows: HeadValue, _ range: Range<Int>) throws(FoveaError) -> HeadValue {
    try write(
      "slice_by_index",
      [
        "x": [rows.argument], "begin": [.integers([0, range.lowerBound])],
        "end": [.integers([rows.shape[0], range.upperBound])],
      ])
  }

  /// Boxes in pixels as fractions of the image.
  func fractions(_ boxes: HeadValue, _ evidence: HeadEvidence) throws(FoveaError) -> HeadValue {
    let (x, y) = (1 / Float(evidence.width), 1 / Float(evidence.height))
    return try binary("mul", boxes, constant([x, y, x, y], shape: [4]))
  }

  /// Boxes as centers and sizes in fractions of the image.
  func boxes(
    _ boxes: HeadValue, _ reading: BoxReading, _ evidence: HeadEvidence
  ) throws(FoveaError) -> HeadValue {
    if reading == BoxReading(corners: false) { return try fractions(boxes, evidence) }
    if reading == BoxReading(corners: false, units: .fractions) { return boxes }
    let matrix = reading.matrix(width: evidence.width, height: evidence.height)
    return try product(boxes, constant(matrix, shape: [4, 4]))
  }

  /// The upright boxes around turned ones, whose angles are radians.
  func upright(_ boxes: HeadValue, angles: HeadValue) throws(FoveaError) -> HeadValue {
    let (width, height) = (try columns(boxes, 2..<3), try columns(boxes, 3..<4))
    let cosine = try unary("abs", unary("cos", angles))
    let sine = try unary("abs", unary("sin", angles))
    let across = try binary("add", binary("mul", width, cosine), binary("mul", height, sine))
    let down = try binary("add", binary("mul", width, sine), binary("mul", height, cosine))
    return try concat([columns(boxes, 0..<2), across, down], axis: 1)
  }
}

/// The decoding of a head as operations that can be stored.
package struct HeadDecoding {
  /// The operations, which read the outputs of the network.
  package let operations: [TensorProgram.Operation]
  /// The names of the scores [N, C] and of the boxes [N, 4].
  package let outputs: [String]
  /// Whether overlapping boxes stand for one object.
  let needsSuppression: Bool

  init(_ decoded: DecodedHead, _ program: HeadProgram) throws(FoveaError) {
    outputs = [
      try program.named(decoded.confidence, "raw_confidence"),
      try program.named(decoded.coordinates, "raw_coordinates"),
    ]
    operations = program.operations
    needsSuppression = decoded.recognized.head.needsSuppression
  }
}
