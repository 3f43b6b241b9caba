// Fovea - from operations of ONNX to operations of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLibc
internal import FoveaModelValues

/// Writes one node of ONNX as operations of ML Programs.
typealias ONNXRule = @Sendable (ForeignOperation) throws(FoveaError) -> Void

/// Translates ONNX. The rules of a family of operations have a file of their own.
package struct ONNXTranslator: OperationTranslator {
  private static let rules: [String: ONNXRule] = {
    var all: [String: ONNXRule] = [:]
    for family in [
      ForeignOperation.onnxValueRules, ForeignOperation.onnxArithmeticRules,
      ForeignOperation.onnxActivationRules, ForeignOperation.onnxWindowRules,
      ForeignOperation.onnxProductRules, ForeignOperation.onnxNormalizationRules,
      ForeignOperation.onnxReductionRules, ForeignOperation.onnxShapeRules,
      ForeignOperation.onnxSliceRules, ForeignOperation.onnxGatheringRules,
      ForeignOperation.onnxScatteringRules, ForeignOperation.onnxResamplingRules,
      ForeignOperation.onnxCodeRules, ForeignOperation.onnxBranchRules,
    ] {
      all.merge(family) { first, _ in first }
    }
    return all
  }()

  /// The kinds of operations that can be run, without constants.
  package static var kinds: [String] { rules.keys.filter { $0 != "const" } }

  /// Dense layers, which ONNX writes as two nodes or with turned weights.
  private var layers = ONNXDenseLayers()
  /// Operations that are written in parts.
  private var patterns = ONNXPatterns()

  mutating func begin(
    _ function: TensorProgram.Function, _ program: ProgramTranslation
  ) throws(FoveaError) {
    layers = ONNXDenseLayers(function)
    patterns = ONNXPatterns(function)
  }

  mutating func translate(_ operation: ForeignOperation) throws(FoveaError) {
    guard try operation.isWanted() else { return }
    guard let rule = Self.rules[operation.kind] else { throw Self.refusal(of: operation) }
    try ONNXAttributes.check(operation)
    if try layers.translate(operation) { return }
    if try patterns.translate(operation) { return }
    try rule(operation)
  }

  mutating func end(
    _ function: TensorProgram.Function, _ program: ProgramTranslation
  ) throws(FoveaError) {
    for name in function.outputs {
      let shape = try program.value(.value(name)).shape
      guard shape.contains(0) else { continue }
      let writer = function.operations.first { $0.results.contains { $0.name == name } }
      throw FoveaError(
        .unsupported,
        "the output \"\(ModelText.readable(name))\" of \(writer?.kind ?? "the graph") has the shape"
          + " \(shape), and no elements; export the model without it")
    }
  }

  // MARK: What cannot be translated

  private static func refusal(of operation: ForeignOperation) -> FoveaError {
    if openEnded.contains(operation.kind) {
      return operation.unsupported(
        "the size of what it gives depends on what the model is given, and sizes are fixed here;"
          + " export the model without its suppression (nms=False), which Fovea does itself")
    }
    if operation.kind == "Trilu" || operation.kind.includes("NMS") {
      return operation.unsupported(
        "operations of this kind suppress boxes, and cannot be run; export the model without its"
          + " suppression (nms=False), which Fovea does itself")
    }
    if dynamicallyQuantized.contains(operation.kind)
      || operation.kind.hasPrefix("com.microsoft.QLinear")
    {
      return operation.unsupported(
        "operations on integers of this kind cannot be run; quantize the model with QuantizeLinear"
          + " and DequantizeLinear (QDQ, static), or give the float model")
    }
    return operation.unsupported(
      "operations of this kind cannot be run; export the model again without it, or cut it off")
  }

  /// Operations whose results have sizes that are known only when they run.
  private static let openEnded: Set<String> = [
    "NonMaxSuppression", "NonZero", "Unique", "Compress", "Loop", "Scan",
    "SequenceConstruct", "SequenceAt", "ConcatFromSequence", "SplitToSequence",
  ]

  private static let dynamicallyQuantized: Set<String> = [
    "DynamicQuantizeLinear", "ConvInteger", "MatMulInteger", "com.microsoft.DynamicQuantizeMatMul",
    "com.microsoft.MatMulIntegerToFloat", "com.microsoft.DynamicQuantizeLSTM",
  ]
}

extension ForeignOperation {
  /// Writes an operation that gives the first result of this one. Whoever reads the others is told
  /// that nothing computes them.
  func give(
    _ kind: String, _ arguments: [String: TensorProgram.Argument]
  ) throws(FoveaError) {
    try program.write(kind, arguments.mapValues { [$0] }, to: [result])
  }

  /// Hands a value on as the first result of this operation.
  func handOn(_ argument: TensorProgram.Argument) {
    program.substitute(argument, for: result)
  }

  /// The sizes of a value that was written on the way.
  func shape(of argument: TensorProgram.Argument) throws(FoveaError) -> [Int] {
    try program.value(argument).shape
  }

  /// The constant that an input is; `nil` for what is computed in every run.
  func knownConstant(_ index: Int) throws(FoveaError) -> ConstantValue? {
    try has(index) ? program.value(input(index)).constant : nil
  }

  /// Integers that newer operation sets give as an input, and older ones as an attribute; `nil`
  /// where both are absent.
  func integers(_ name: String, orInput index: Int) throws(FoveaError) -> [Int]? {
    try has(index) ? integers(ofInput: index) : integers(name)
  }

  /// Integers of an input that is a parameter: a few for each dimension, or sizes of parts.
  func integers(ofInput index: Int) throws(FoveaError) -> [Int] {
    try parameter(index).integers()
  }

  /// Numbers of an input that is a parameter.
  func floats(ofInput index: Int) throws(FoveaError) -> [Float] {
    try parameter(index).floats()
  }

  /// An input that is a parameter. A large one, read by many nodes, would take time to decode.
  private func parameter(_ index: Int) throws(FoveaError) -> ConstantValue {
    let constant = try constant(index)
    guard constant.count <= 10_000 else {
      throw mismatch("its input \(index) has \(constant.count) elements; 10000 are allowed")
    }
    return constant
  }

  /// Takes the memory, or the work, of elements from what the file may ask for.
  func spend(_ elements: Int) throws(FoveaError) {
    try program.lowering.graph.budget?.spend(elements)
  }

  /// Axes counted from the front, each once.
  func axes(_ axes: [Int], ofRank rank: Int) throws(FoveaError) -> [Int] {
    var found: [Int] = []
    for axis in axes {
      let axis = try self.axis(axis, ofRank: rank)
      guard !found.contains(axis) else { throw mismatch("axis \(axis) is stated twice") }
      found.append(axis)
    }
    return found
  }

  /// One of several words of an attribute.
  func choice<Choice>(
    _ name: String, default value: String, _ choices: KeyValuePairs<String, Choice>
  ) throws(FoveaError) -> Choice {
    let word = try string(name, default: value)
    guard let choice = choices.first(where: { $0.key == word }) else {
      let known = choices.map { "\"\($0.key)\"" }.joined(separator: ", ")
      throw unsupported(
        "\"\(name)\" is \"\(ModelText.readable(word))\"; what can be run is \(known)")
    }
    return choice.value
  }

  /// The shape that two arrays have side by side, as numpy's; `nil` where they do not fit.
  static func commonShape(_ first: [Int], _ second: [Int]) -> [Int]? {
    let rank = max(first.count, second.count)
    let ones = { (shape: [Int]) in Array(repeating: 1, count: rank - shape.count) + shape }
    var common: [Int] = []
    for (a, b) in zip(ones(first), ones(second)) {
      guard a == b || a == 1 || b == 1 else { return nil }
      common.append(a == 1 ? b : a)
    }
    return common
  }
}
