// Fovea - operations of ML Programs, written one after another.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The operations of a program that were written so far. All shapes are known.
struct OperationWriter {
  private(set) var operations: [TensorProgram.Operation] = []
  private var names: Set<String> = []
  /// Small constants by their names, which many operations share.
  private var shared: [(value: TensorConstant, name: String)] = []

  /// A program without operations.
  init() {}

  /// Operations behind others, whose names are taken.
  init(behind others: [TensorProgram.Operation]) {
    names = Set(others.flatMap { $0.results.map(\.name) })
  }

  /// A value and its shape.
  struct Value {
    var argument: TensorProgram.Argument
    var shape: [Int]
  }

  /// Writes an operation of one result.
  mutating func write(
    _ kind: String, _ arguments: [String: [TensorProgram.Argument]], to name: String,
    _ shape: [Int]
  ) -> Value {
    let name = unique(name)
    var arguments = arguments
    // Operations that give constants have their parameters in themselves.
    if !kind.hasPrefix("constexpr") {
      for key in arguments.keys.sorted() { arguments[key] = arguments[key]?.map { share($0) } }
    }
    operations.append(
      TensorProgram.Operation(
        kind: kind, arguments: arguments,
        results: [
          TensorProgram.Value(
            name: name, type: .tensor(TensorType(element: .float32, shape: shape)))
        ]))
    return Value(argument: .value(name), shape: shape)
  }

  /// Writes an operation whose arguments are single values.
  mutating func write(
    _ kind: String, _ arguments: [String: TensorProgram.Argument], to name: String, _ shape: [Int]
  ) -> Value {
    write(kind, arguments.mapValues { [$0] }, to: name, shape)
  }

  /// Writes a function of one value.
  mutating func unary(_ kind: String, _ x: Value, to name: String) -> Value {
    write(kind, ["x": x.argument], to: name, x.shape)
  }

  /// Writes a function of two values, the first of which has the shape of the result.
  mutating func binary(
    _ kind: String, _ x: Value, _ y: TensorProgram.Argument, to name: String
  ) -> Value {
    write(kind, ["x": x.argument, "y": y], to: name, x.shape)
  }

  /// Writes a constant of numbers.
  mutating func constant(
    _ values: [Float], shape: [Int], named name: String
  ) -> TensorProgram.Argument {
    let name = unique(name)
    operations.append(.constant(.floats(values, shape: shape), named: name))
    return .value(name)
  }

  /// Writes an order of the same elements.
  mutating func reshape(_ x: Value, _ shape: [Int], to name: String) -> Value {
    write("reshape", ["x": x.argument, "shape": .integers(shape)], to: name, shape)
  }

  /// Writes an exchange of dimensions.
  mutating func transpose(_ x: Value, _ axes: [Int], to name: String) -> Value {
    write(
      "transpose", ["x": x.argument, "perm": .integers(axes)], to: name, axes.map { x.shape[$0] })
  }

  /// Writes a part along one dimension.
  mutating func slice(_ x: Value, axis: Int, _ range: Range<Int>, to name: String) -> Value {
    var (begin, size) = ([Int](repeating: 0, count: x.shape.count), x.shape)
    (begin[axis], size[axis]) = (range.lowerBound, range.count)
    return write(
      "slice_by_size",
      ["x": x.argument, "begin": .integers(begin), "size": .integers(size)], to: name, size)
  }

  /// Writes values one after another along one dimension; a single one stays.
  mutating func concat(_ parts: [Value], axis: Int, to name: String) -> Value {
    guard var shape = parts.first?.shape else { return Value(argument: .float(0), shape: []) }
    shape[axis] = parts.reduce(0) { $0 + $1.shape[axis] }
    if parts.count == 1 { return write("identity", ["x": parts[0].argument], to: name, shape) }
    return write(
      "concat",
      ["values": parts.map(\.argument), "axis": [.integer(axis)], "interleave": [.boolean(false)]],
      to: name, shape)
  }

  /// The most elements of a constant that is shared.
  private static let mostShared = 8

  private mutating func share(_ argument: TensorProgram.Argument) -> TensorProgram.Argument {
    guard case .constant(let value) = argument, value.count <= Self.mostShared else {
      return argument
    }
    if let known = shared.first(where: { $0.value == value }) { return .value(known.name) }
    let name = unique("c\(shared.count)")
    operations.append(.constant(value, named: name))
    shared.append((value, name))
    return .value(name)
  }

  private mutating func unique(_ name: String) -> String {
    var result = name
    while !names.insert(result).inserted { result += "_" }
    return result
  }
}
