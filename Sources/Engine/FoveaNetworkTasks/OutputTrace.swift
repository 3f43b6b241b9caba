// Fovea - what the last operations of a network say about an output.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// What the last operations of a network say about an output: which values it can have, and whether
/// its rows have length 1.
package struct OutputTrace {
  private let operations: [String: TensorProgram.Operation]
  let layers: [String: LayerKind]
  let layerInputs: [String: String]

  /// The most operations that are followed.
  static let mostSteps = 24

  /// The last operations of the only network of a file; none of a pipeline's.
  package init(_ file: ModelDescription) {
    var (operations, layers) = ([String: TensorProgram.Operation](), [String: LayerKind]())
    var inputs: [String: String] = [:]
    switch file.body {
    case .program(let program):
      for operation in program.functions[file.functionName]?.operations ?? [] {
        for result in operation.results { operations[result.name] = operation }
      }
    case .neuralNetwork(let network):
      for layer in network.layers {
        for output in layer.outputs {
          layers[output] = layer.kind
          inputs[output] = layer.inputs.first
        }
      }
    case .pipeline, .nonMaximumSuppression, .unsupported: break
    }
    (self.operations, self.layers, layerInputs) = (operations, layers, inputs)
  }

  /// The last operations of a function.
  package init(_ function: TensorProgram.Function) {
    var operations: [String: TensorProgram.Operation] = [:]
    for operation in function.operations {
      for result in operation.results { operations[result.name] = operation }
    }
    (self.operations, layers, layerInputs) = (operations, [:], [:])
  }

  // MARK: Questions

  /// The kind of the last operation that does more than to shape or convert numbers, in lower case;
  /// empty where none is found.
  package func lastKind(of output: String) -> String {
    var name = output
    for _ in 0..<Self.mostSteps {
      guard let operation = operations[name] else { return lastLayerKind(of: name) }
      let kind = Self.kind(operation)
      guard Self.shapingKinds.contains(kind), let source = source(operation) else { return kind }
      name = source
    }
    return ""
  }

  /// Whether every row of an output is divided by its length.
  package func hasRowsOfLengthOne(_ output: String) -> Bool {
    var name = output
    for _ in 0..<Self.mostSteps {
      guard let operation = operations[name] else {
        if case .l2Normalization = layers[name] { return true }
        return false
      }
      let kind = Self.kind(operation)
      if Self.normalizingKinds.contains(kind) { return true }
      if ["div", "real_div"].contains(kind) {
        return argument(operation, 1).map { isLength($0) } ?? false
      }
      if kind == "mul" {
        // x * rsqrt(sum of squares), as TensorFlow writes it.
        return (0...1).contains { argument(operation, $0).map { isLength($0) } ?? false }
      }
      guard Self.shapingKinds.contains(kind), let source = source(operation) else { return false }
      name = source
    }
    return false
  }

  /// The range that values cannot leave; `nil` where the last operations do not tell.
  package func range(of output: String) -> ClosedRange<Double>? {
    var name = output
    // What was done to the values since, last first: value * scale + shift.
    var (scale, shift) = (1.0, 0.0)
    for _ in 0..<Self.mostSteps {
      guard let operation = operations[name] else {
        return layerRange(of: name).flatMap { Self.moved($0, scale, shift) }
      }
      let kind = Self.kind(operation)
      if let own = ownRange(operation, kind) { return Self.moved(own, scale, shift) }
      if let (factor, addend, source) = affine(operation, kind) {
        shift += addend * scale
        scale *= factor
        name = source
      } else if Self.placingKinds.contains(kind) || Self.shapingKinds.contains(kind),
        let source = source(operation)
      {
        name = source
      } else {
        return nil
      }
    }
    return nil
  }

  // MARK: Operations

  private static func kind(_ operation: TensorProgram.Operation) -> String {
    operation.kind.split(separator: ".").last.map { $0.lowercased() } ?? ""
  }

  /// The value that an operation reads first, where it is one.
  private func source(_ operation: TensorProgram.Operation) -> String? {
    argument(operation, 0)
  }

  /// The value that an operation reads in a place.
  private func argument(_ operation: TensorProgram.Operation, _ index: Int) -> String? {
    let arguments = operation.arguments
    let found = arguments["\(index)"]?.first ?? arguments[index == 0 ? "x" : "y"]?.first
    guard case .value(let name)? = found else { return nil }
    return name
  }

  /// Whether a value is the length of a row, or one over it.
  private func isLength(_ value: String) -> Bool {
    var name = value
    var hasRoot = false
    for _ in 0..<Self.mostSteps {
      guard let operation = operations[name] else { return false }
      let kind = Self.kind(operation)
      if ["reducel2", "reduce_l2_norm"].contains(kind) { return true }
      if ["reducesum", "reduce_sum", "reducesumsquare", "reduce_sum_square", "sum"].contains(kind) {
        return hasRoot
      }
      hasRoot = hasRoot || ["sqrt", "rsqrt", "pow"].contains(kind)
      guard Self.lengthKinds.contains(kind) || Self.shapingKinds.contains(kind),
        let source = source(operation)
      else { return false }
      name = source
    }
    return false
  }

  /// The range that an operation itself keeps values in.
  private func ownRange(
    _ operation: TensorProgram.Operation, _ kind: String
  ) -> ClosedRange<Double>? {
    switch kind {
    case "sigmoid", "logistic", "softmax", "hardsigmoid", "sigmoid_hard": return 0...1
    case "tanh": return -1...1
    case "relu_0_to_1": return 0...1
    case "clip":
      let arguments = operation.arguments
      let low = arguments["alpha"] ?? arguments["min"] ?? arguments["1"]
      let high = arguments["beta"] ?? arguments["max"] ?? arguments["2"]
      guard let low = number(low?.first), let high = number(high?.first), low < high else {
        return nil
      }
      return low...high
    default: return nil
    }
  }

  /// value * factor + addend, for an operation with one number.
  private func affine(
    _ operation: TensorProgram.Operation, _ kind: String
  ) -> (Double, Double, String)? {
    guard ["mul", "div", "real_div", "add", "sub"].contains(kind) else { return nil }
    let arguments = operation.arguments
    let first = (arguments["0"] ?? arguments["x"])?.first
    let second = (arguments["1"] ?? arguments["y"])?.first
    if case .value(let source)? = first, let number = number(second) {
      switch kind {
      case "mul": return (number, 0, source)
      case "add": return (1, number, source)
      case "sub": return (1, -number, source)
      default: return number == 0 ? nil : (1 / number, 0, source)
      }
    }
    guard case .value(let source)? = second, let number = number(first) else { return nil }
    switch kind {
    case "mul": return (number, 0, source)
    case "add": return (1, number, source)
    case "sub": return (-1, number, source)
    default: return nil
    }
  }

  /// A range scaled and shifted; `nil` where a file's own numbers lead out of all numbers.
  static func moved(
    _ range: ClosedRange<Double>, _ scale: Double, _ shift: Double
  ) -> ClosedRange<Double>? {
    let (one, other) = (range.lowerBound * scale + shift, range.upperBound * scale + shift)
    guard one.isFinite, other.isFinite else { return nil }
    return min(one, other)...max(one, other)
  }

  /// The only number of a constant.
  private func number(_ argument: TensorProgram.Argument?) -> Double? {
    var argument = argument
    for _ in 0..<4 {
      switch argument {
      case nil: return nil
      case .constant(let constant): return constant.onlyNumber
      case .value(let name):
        guard let source = operations[name] else { return nil }
        let isMoved = Self.shapingKinds.contains(Self.kind(source))
        guard source.isConstant || source.kind == "Constant" || isMoved else { return nil }
        argument =
          isMoved
          ? (source.arguments["0"] ?? source.arguments["x"])?.first
          : source.arguments.values.joined().first
      }
    }
    return nil
  }

  private static let shapingKinds: Set<String> = [
    "reshape", "squeeze", "unsqueeze", "flatten", "identity", "cast", "quantize", "dequantize",
    "quantizelinear", "dequantizelinear", "expand_dims", "transpose",
  ]

  /// Operations that only put values elsewhere, or mix neighbors.
  private static let placingKinds: Set<String> = [
    "depthtospace", "depth_to_space", "pixel_shuffle", "slice", "strided_slice", "slice_by_index",
    "slice_by_size", "crop", "gather", "resize_nearest_neighbor", "upsample_nearest_neighbor",
    "resize_bilinear", "upsample_bilinear", "reverse",
  ]

  private static let normalizingKinds: Set<String> = [
    "lpnormalization", "l2_norm", "l2_normalization",
  ]

  /// Operations between a sum and the division by its root.
  private static let lengthKinds: Set<String> = [
    "clip", "max", "maximum", "expand", "tile", "add", "sqrt", "rsqrt", "pow",
  ]
}
