// Fovea - what operation a column of an output comes from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// What made the numbers of a column.
enum ColumnOrigin: Hashable {
  /// A sigmoid or a softmax: numbers of 0...1.
  case probability
  /// A product with constants, the greatest of which has this size.
  case scaled(Float)
  /// An index or a count: whole numbers.
  case whole
  /// Anything else.
  case unknown
}

/// Follows columns of outputs back through the graph of a program.
///
/// Operations that only move numbers are followed: slices, concatenations, transpositions and the
/// like. What stands in front of these says what the numbers are.
///
///     scores <- concat <- sigmoid         column 5 of "output0" is a probability
///     boxes  <------------ mul by 8 ... 32    column 0 is scaled by at most 32
struct ColumnTrace {
  private let sources: [String: TensorProgram.Operation]
  private let values: [String: ProgramValue]
  /// How many operations are followed at most.
  private static let mostSteps = 200

  init(_ lowering: ProgramLowering) {
    sources = lowering.sources
    values = lowering.values
  }

  /// What made the elements that have one index along an axis of a value.
  ///
  /// - Complexity: O(operations that only move numbers), at most 200.
  func origin(of name: String, axis: Int, index: Int) -> ColumnOrigin {
    var steps = Self.mostSteps
    return origin(of: name, axis: axis, index: index, &steps)
  }

  private func origin(
    of name: String, axis: Int, index: Int, _ steps: inout Int
  ) -> ColumnOrigin {
    guard steps > 0, let operation = sources[name] else { return .unknown }
    steps -= 1
    switch operation.kind {
    case "sigmoid", "softmax": return .probability
    case "reduce_argmax", "reduce_argmin",
      "topk" where operation.results.first?.name != name:
      return .whole
    case "mul", "real_div": return product(operation, axis, index, &steps)
    case "concat": return part(operation, axis, index, &steps)
    default:
      guard let (axis, index) = moved(operation, to: name, axis, index),
        let before = input(operation)
      else { return .unknown }
      return origin(of: before, axis: axis, index: index, &steps)
    }
  }

  /// The values that the elements with one index along an axis come from, behind operations that
  /// move numbers or turn logits into probabilities.
  func ends(of name: String, axis: Int, index: Int) -> Set<String> {
    var steps = Self.mostSteps
    return ends(of: name, axis: axis, index: index, &steps)
  }

  private func ends(of name: String, axis: Int, index: Int, _ steps: inout Int) -> Set<String> {
    guard steps > 0, let operation = sources[name] else { return [name] }
    steps -= 1
    if operation.kind == "sigmoid", let before = input(operation) {
      return ends(of: before, axis: axis, index: index, &steps)
    }
    guard operation.kind == "concat" else {
      guard let (axis, index) = moved(operation, to: name, axis, index),
        let before = input(operation)
      else { return [name] }
      return ends(of: before, axis: axis, index: index, &steps)
    }
    guard let parts = operation.arguments["values"], let joined = integer(operation, "axis")
    else { return [name] }
    var index = index
    var found: Set<String> = []
    for case .value(let part) in parts {
      guard let shape = values[part]?.shape, shape.indices.contains(axis) else { return [name] }
      if (joined < 0 ? joined + shape.count : joined) == axis {
        if index < shape[axis] { return ends(of: part, axis: axis, index: index, &steps) }
        index -= shape[axis]
      } else {
        found.formUnion(ends(of: part, axis: axis, index: index, &steps))
      }
    }
    return found
  }

  // MARK: Operations

  /// A product: of probabilities, of something with constants, or of anything else.
  private func product(
    _ operation: TensorProgram.Operation, _ axis: Int, _ index: Int, _ steps: inout Int
  ) -> ColumnOrigin {
    guard let left = operation.arguments["x"]?.first, let right = operation.arguments["y"]?.first
    else { return .unknown }
    if let factors = constant(right) ?? (operation.kind == "mul" ? constant(left) : nil) {
      let greatest = factors.reduce(0) { max($0, abs($1)) }
      guard operation.kind == "real_div" else { return .scaled(greatest) }
      let least = factors.reduce(Float.infinity) { min($0, abs($1)) }
      return least > 0 ? .scaled(1 / least) : .unknown
    }
    guard operation.kind == "mul", case .value(let first) = left, case .value(let second) = right,
      let shape = operation.results.first.flatMap({ values[$0.name]?.shape })
    else { return .unknown }
    let origins = [first, second].map { factor in
      let size = values[factor]?.shape ?? []
      let place = axis - (shape.count - size.count)
      guard size.indices.contains(place) else { return ColumnOrigin.unknown }
      return origin(of: factor, axis: place, index: size[place] == 1 ? 0 : index, &steps)
    }
    return origins.allSatisfy { $0 == .probability } ? .probability : .unknown
  }

  /// Values side by side: the one that holds the column, or all, where these lie along another axis.
  private func part(
    _ operation: TensorProgram.Operation, _ axis: Int, _ index: Int, _ steps: inout Int
  ) -> ColumnOrigin {
    guard let parts = operation.arguments["values"], let joined = integer(operation, "axis")
    else { return .unknown }
    var index = index
    var found: Set<ColumnOrigin> = []
    for argument in parts {
      guard case .value(let name) = argument, let shape = values[name]?.shape else {
        return .unknown
      }
      if (joined < 0 ? joined + shape.count : joined) == axis {
        if index < shape[axis] { return origin(of: name, axis: axis, index: index, &steps) }
        index -= shape[axis]
      } else {
        found.insert(origin(of: name, axis: axis, index: index, &steps))
      }
    }
    let scales = found.compactMap { origin -> Float? in
      if case .scaled(let scale) = origin { scale } else { nil }
    }
    if !scales.isEmpty, scales.count == found.count { return .scaled(scales.max() ?? 0) }
    return found.count == 1 ? found.first ?? .unknown : .unknown
  }

  /// The axis and the index that a column had before an operation that only moves numbers.
  private func moved(
    _ operation: TensorProgram.Operation, to name: String, _ axis: Int, _ index: Int
  ) -> (axis: Int, index: Int)? {
    guard let before = input(operation).flatMap({ values[$0]?.shape }),
      let after = values[name]?.shape
    else { return nil }
    switch operation.kind {
    case "identity", "cast": return (axis, index)
    case "transpose":
      guard let order = integers(operation, "perm"), order.count == after.count else { return nil }
      let place = order[axis] < 0 ? order[axis] + after.count : order[axis]
      return (place, index)
    case "reshape", "squeeze", "expand_dims":
      // The axis stays one where as much lies before and behind it.
      let outer = after[..<axis].reduce(1, *)
      let same = before.indices.first { place in
        before[place] == after[axis] && before[..<place].reduce(1, *) == outer
      }
      return same.map { ($0, index) }
    case "slice_by_index", "slice_by_size":
      guard before.count == after.count else { return nil }
      if before[axis] == after[axis] { return (axis, index) }
      guard let begin = integers(operation, "begin"), begin.indices.contains(axis),
        integers(operation, "stride").map({ $0[axis] == 1 }) ?? true
      else { return nil }
      return (axis, index + (begin[axis] < 0 ? begin[axis] + before[axis] : begin[axis]))
    case "split":
      guard let along = integer(operation, "axis") else { return nil }
      guard (along < 0 ? along + before.count : along) == axis else { return (axis, index) }
      var start = 0
      for result in operation.results {
        guard result.name != name else { return (axis, index + start) }
        start += values[result.name]?.shape[axis] ?? 0
      }
      return nil
    case "gather", "gather_along_axis", "topk":
      let along = integer(operation, "axis") ?? (operation.kind == "topk" ? -1 : 0)
      let chosen = along < 0 ? along + before.count : along
      return before.count == after.count && chosen != axis ? (axis, index) : nil
    default: return nil
    }
  }

  // MARK: Arguments

  private func input(_ operation: TensorProgram.Operation) -> String? {
    guard case .value(let name)? = operation.arguments["x"]?.first else { return nil }
    return name
  }

  private func constant(_ argument: TensorProgram.Argument) -> [Float]? {
    switch argument {
    case .constant(let constant): return try? ConstantValue(constant).floats()
    case .value(let name): return try? values[name]?.constant?.floats()
    }
  }

  private func integers(_ operation: TensorProgram.Operation, _ name: String) -> [Int]? {
    operation.arguments[name]?.first.flatMap(constant)?.compactMap { Int(exactly: $0) }
  }

  private func integer(_ operation: TensorProgram.Operation, _ name: String) -> Int? {
    integers(operation, name)?.first
  }
}
