// Fovea - operations of ONNX and of ML Programs that lead to suppression.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The operations of a function, by what they do to boxes on the way to a suppression.
struct SuppressionGraph {
  /// What an operation does.
  enum Role {
    /// Gives the numbers on in another shape or type.
    case move
    /// Picks elements: the numbers, then which.
    case pick
    case places, compare, either, greatest, argmax, part, join, scale, add, subtract, suppress
    /// Suppresses, picks and writes rows, in one.
    case plugin
    /// Keeps one triangle of a matrix, such as the overlaps of all pairs.
    case triangle
    case other
  }

  /// An operation with what it reads in order.
  struct Node {
    var role: Role
    var inputs: [TensorProgram.Argument]
    var operation: TensorProgram.Operation

    /// The names of what it gives.
    var results: [String] { operation.results.map(\.name) }

    /// Whether the first of what it reads is one of some values.
    func reads(_ names: Set<String>) -> Bool {
      if case .value(let name)? = inputs.first { names.contains(name) } else { false }
    }
  }

  private static let roles: [String: Role] = {
    var roles: [String: Role] = [:]
    let names: KeyValuePairs<Role, String> = [
      .move: "Identity Cast Reshape Squeeze Unsqueeze Flatten Transpose",
      .move: "identity cast reshape squeeze expand_dims transpose",
      .pick: "Gather GatherND gather gather_nd", .places: "NonZero non_zero",
      .compare: "Greater GreaterOrEqual greater greater_equal",
      .either: "Or logical_or", .subtract: "Sub sub",
      .greatest: "ReduceMax reduce_max", .argmax: "ArgMax reduce_argmax",
      .part: "Slice Split slice_by_index slice_by_size split", .join: "Concat concat",
      .scale: "Mul Div mul real_div", .add: "Add add",
      .suppress: "NonMaxSuppression non_maximum_suppression",
      .plugin: "EfficientNMS_TRT EfficientNMSX_TRT BatchedNMS_TRT BatchedNMSDynamic_TRT",
      .plugin: "TRTBatchedNMS", .triangle: "Trilu",
    ]
    for (role, kinds) in names {
      for kind in kinds.split(separator: " ") { roles[String(kind)] = role }
    }
    return roles
  }()

  /// What an operation does.
  static func role(_ operation: TensorProgram.Operation) -> Role {
    // Kinds of other domains have their domain in front.
    let kind = operation.kind.split(separator: ".").last.map { String($0) } ?? ""
    return roles[kind] ?? .other
  }

  /// The same, but slices of ML Programs that take one picture of one only move it.
  private func role(of operation: TensorProgram.Operation) -> Role {
    let role = Self.role(operation)
    return role == .part && numbers(operation.arguments["squeeze_mask"]?.first)?.first == 1
      ? .move : role
  }

  private let operations: [TensorProgram.Operation]
  private let sources: [String: TensorProgram.Operation]
  /// Values whose size depends on what the model is given.
  private var open: Set<String> = []
  /// Numbers of classes, and their multiples.
  private var classes: Set<String> = []
  /// Truth values of comparisons.
  private var flags: Set<String> = []
  /// Whether any operation gives the place of a greatest number.
  private(set) var hasArgmax = false

  /// The numbers of a constant.
  private let decoded: (TensorConstant) -> [Float]?

  init(_ function: TensorProgram.Function, _ numbers: @escaping (TensorConstant) -> [Float]?) {
    decoded = numbers
    var sources: [String: TensorProgram.Operation] = [:]
    for operation in function.operations {
      for result in operation.results { sources[result.name] = operation }
    }
    self.sources = sources
    operations = function.operations
    for operation in function.operations where !operation.isConstant { follow(operation) }
  }

  private mutating func follow(_ operation: TensorProgram.Operation) {
    let role = role(of: operation)
    let results = operation.results.map(\.name)
    let names = operation.arguments.values.joined().compactMap { argument -> String? in
      if case .value(let name) = argument { name } else { nil }
    }
    let isOpen = [.places, .suppress, .plugin].contains(role) || operation.kind == "Compress"
    if isOpen || names.contains(where: open.contains) { open.formUnion(results) }
    hasArgmax = hasArgmax || role == .argmax
    let keepsFlags = role == .either || (role == .move && names.contains(where: flags.contains))
    if role == .compare || keepsFlags { flags.formUnion(results) }
    let isSpread = operation.kind == "Expand" || operation.kind == "tile"
    let carries = [.move, .pick, .part, .scale].contains(role) || isSpread
    if role == .argmax || (carries && names.contains(where: classes.contains)) {
      classes.formUnion(results)
    }
  }

  /// Whether the size of a value depends on what the model is given.
  func isOpen(_ name: String) -> Bool { open.contains(name) }

  /// Whether a value has numbers of classes, or multiples of such.
  func isOfClasses(_ argument: TensorProgram.Argument) -> Bool {
    if case .value(let name) = argument { classes.contains(name) } else { false }
  }

  /// Whether a value has truth values of comparisons.
  func isFlag(_ argument: TensorProgram.Argument) -> Bool {
    if case .value(let name) = argument { flags.contains(name) } else { false }
  }

  /// All operations that are no constants, in their order.
  var nodes: some Sequence<Node> { operations.lazy.compactMap(node) }

  /// Values, and the same numbers in another shape or picked from them.
  func moved(from names: [String]) -> Set<String> {
    var names = Set(names)
    for node in nodes where node.role == .move || node.role == .pick {
      if node.reads(names) { names.formUnion(node.results) }
    }
    return names
  }

  /// The operation that gives a value.
  func node(_ name: String) -> Node? { sources[name].flatMap(node) }

  /// An operation with what it reads in order; `nil` for a constant.
  func node(_ operation: TensorProgram.Operation) -> Node? {
    guard !operation.isConstant else { return nil }
    let given = operation.arguments
    var inputs = (0..<given.count).compactMap { given["\($0)"]?.first }
    if inputs.isEmpty {
      inputs =
        given["values"] ?? ["boxes", "x", "scores", "y", "indices"].compactMap { given[$0]?.first }
    }
    return Node(role: role(of: operation), inputs: inputs, operation: operation)
  }

  /// How many of the boxes that a suppression keeps are taken; `nil` for all.
  func end(behind suppression: Node) -> Double? {
    let kept = moved(from: suppression.results)
    for node in nodes where node.reads(kept) {
      let operation = node.operation
      // Slice of ONNX: begins, ends, axes.
      if operation.kind == "Slice", node.inputs.count >= 4, number(node.inputs[1]) == 0,
        number(node.inputs[3]) == 0
      {
        return number(node.inputs[2])
      }
      if operation.kind == "slice_by_index", number(operation.arguments["begin"]?.first) == 0,
        number(operation.arguments["end_mask"]?.first) != 1,
        let end = number(operation.arguments["end"]?.first)
      {
        return end
      }
    }
    return nil
  }

  /// The number that an argument is, whatever its shape of ones.
  func number(_ argument: TensorProgram.Argument?) -> Double? {
    guard let numbers = numbers(argument), numbers.count == 1 else { return nil }
    return Double(numbers[0])
  }

  /// The few numbers of a constant, which may have been moved.
  func numbers(_ argument: TensorProgram.Argument?) -> [Float]? {
    var argument = argument
    for _ in 0..<8 {
      switch argument {
      case nil: return nil
      case .constant(let constant):
        let count = constant.shape.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
        return (0...8).contains(count) ? decoded(constant) : nil
      case .value(let name):
        guard let source = sources[name] else { return nil }
        if source.isConstant || source.kind == "Constant" {
          argument = source.arguments.values.joined().first
        } else {
          argument =
            Self.role(source) == .move
            ? source.arguments["0"]?.first ?? source.arguments["x"]?.first : nil
        }
      }
    }
    return nil
  }
}
