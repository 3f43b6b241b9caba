// Fovea - an operation of a TensorFlow Lite file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// One operation, with the values of what it reads.
struct TensorFlowLiteNode {
  let operation: ForeignOperation
  let values: TensorFlowLiteValues

  init(_ operation: ForeignOperation, _ values: TensorFlowLiteValues) {
    self.operation = operation
    self.values = values
  }

  var program: ProgramTranslation { values.program }

  // MARK: What it reads

  /// The name of an input.
  func name(_ index: Int) throws(FoveaError) -> String {
    guard case .value(let name) = try operation.input(index) else {
      throw operation.mismatch("its input \(index) is no tensor")
    }
    return name
  }

  /// What stands for an input.
  func value(_ index: Int) throws(FoveaError) -> TensorFlowLiteValue {
    try values[name(index)]
  }

  /// The sizes of an input in the order of the file.
  func shape(_ index: Int) throws(FoveaError) -> [Int] { try value(index).shape }

  /// An input in an order.
  func argument(
    _ index: Int, as form: TensorFlowLiteForm
  ) throws(FoveaError) -> TensorProgram.Argument {
    try values.argument(name(index), as: form)
  }

  /// The order in which an input is at hand.
  func form(_ index: Int) throws(FoveaError) -> TensorFlowLiteForm {
    try value(index).isPlanes ? .planes : .file
  }

  /// What kind of numbers an input has.
  func elementClass(_ index: Int) throws(FoveaError) -> ElementClass {
    let value = try value(index)
    if let constant = value.constant {
      return constant.scales.isEmpty ? ElementClass(constant.elements.element) ?? .float : .float
    }
    guard let argument = value.forms.values.first else { return .float }
    return try program.value(argument).elementClass ?? .float
  }

  /// Integers that have to be known when the model is loaded.
  func integers(_ index: Int) throws(FoveaError) -> [Int] {
    let constant = try values.constant(name(index))
    guard constant.shape.reduce(1, *) <= Self.greatestList else {
      throw operation.mismatch("a list of shape \(constant.shape)")
    }
    return try constant.numbers().integers()
  }

  private static let greatestList = 10_000

  /// An integer that has to be known when the model is loaded.
  func integer(_ index: Int) throws(FoveaError) -> Int {
    let numbers = try integers(index)
    guard numbers.count == 1 else {
      throw operation.mismatch("its input \(index) has \(numbers.count) elements, not 1")
    }
    return numbers[0]
  }

  /// A truth value among the options.
  func flag(_ name: String) throws(FoveaError) -> Bool {
    try operation.integer(name, default: 0) != 0
  }

  // MARK: Orders

  /// The axis in an order of what is axis `axis` in the file.
  static func axis(_ axis: Int, in form: TensorFlowLiteForm) -> Int {
    form == .planes ? [0, 2, 3, 1][axis] : axis
  }

  /// A list with an entry for each axis of the file, in an order.
  static func ordered<Element>(_ list: [Element], in form: TensorFlowLiteForm) -> [Element] {
    form == .planes ? [list[0], list[3], list[1], list[2]] : list
  }

  /// Inputs that are computed with element by element, all in one order. Arrays with fewer dimensions
  /// meet the last dimensions of others.
  func elements(
    _ indices: [Int]
  ) throws(FoveaError) -> (form: TensorFlowLiteForm, arguments: [TensorProgram.Argument]) {
    var rank = 0
    var isPlanes = false
    for index in indices {
      let value = try value(index)
      rank = max(rank, value.shape.count)
      isPlanes = isPlanes || value.isPlanes
    }
    let form = isPlanes && rank == 4 ? TensorFlowLiteForm.planes : .file
    var arguments: [TensorProgram.Argument] = []
    for index in indices { arguments.append(try element(index, as: form)) }
    return (form, arguments)
  }

  private func element(
    _ index: Int, as form: TensorFlowLiteForm
  ) throws(FoveaError) -> TensorProgram.Argument {
    let value = try value(index)
    if form == .file || value.shape.isEmpty { return try argument(index, as: .file) }
    if value.constant != nil || value.shape.count == 4 { return try argument(index, as: form) }
    let sizes = Array(repeating: 1, count: 4 - value.shape.count) + value.shape
    let images = try step(
      "reshape", ["x": [argument(index, as: .file)], "shape": [.integers(sizes)]])
    return try step(
      "transpose", ["x": [images], "perm": [.integers([0, 3, 1, 2])]])
  }

  // MARK: What it writes

  /// An operation of ML Programs on the way to a result.
  struct Step {
    var kind: String
    var arguments: [String: [TensorProgram.Argument]]
    /// The argument that gets what the step before gives.
    var input = "x"

    init(_ kind: String, _ arguments: [String: [TensorProgram.Argument]] = [:], input: String = "x")
    {
      (self.kind, self.arguments, self.input) = (kind, arguments, input)
    }
  }

  /// Writes an operation on the way to the results, and returns what it gives.
  func step(
    _ kind: String, _ arguments: [String: [TensorProgram.Argument]]
  ) throws(FoveaError) -> TensorProgram.Argument {
    let name = program.name(operation.result, kind)
    try program.write(kind, arguments, to: [name])
    return .value(name)
  }

  /// Writes steps, of which each reads what the one before gives, then the activation and the codes of
  /// a result.
  ///
  /// - Parameter isMoved: Whether elements of the input 0 stay what they are. Codes with the same
  ///   meaning need not be quantized again.
  func give(
    _ steps: [Step], in form: TensorFlowLiteForm, result index: Int = 0, isMoved: Bool = false
  ) throws(FoveaError) {
    let codes = try codes(ofResult: index)
    var steps = steps + (try activation())
    var keepsCodes = isMoved && steps.count == 1
    if keepsCodes { keepsCodes = try allInputs { $0.codes == codes } }
    if let codes, !keepsCodes { steps += Self.rounding(codes) }
    let result = operation.results[index]
    var last: TensorProgram.Argument?
    for (number, step) in steps.enumerated() {
      var arguments = step.arguments
      if let last { arguments[step.input] = [last] }
      let name =
        number == steps.count - 1
        ? values.newName(for: result, in: form) : program.name(result, step.kind)
      try program.write(step.kind, arguments, to: [name])
      last = .value(name)
    }
    if let last { try note(last, in: form, result: index, codes) }
  }

  /// Lets a value that exists stand for a result whose elements are those of the input 0.
  func hand(
    _ argument: TensorProgram.Argument, in form: TensorFlowLiteForm, result index: Int = 0
  ) throws(FoveaError) {
    let codes = try codes(ofResult: index)
    if let codes, try !allInputs({ $0.codes == codes }) {
      return try give([Step("identity", ["x": [argument]])], in: form, result: index)
    }
    try note(argument, in: form, result: index, codes)
  }

  private func note(
    _ argument: TensorProgram.Argument, in form: TensorFlowLiteForm, result index: Int,
    _ codes: TensorFlowLiteCodes?
  ) throws(FoveaError) {
    let shape = try program.value(argument).shape
    guard form == .file || shape.count == 4 else {
      throw operation.mismatch("a result of shape \(shape), where images were expected")
    }
    values.set(
      TensorFlowLiteValue(
        shape: form == .planes ? TensorFlowLiteValues.fileOrder(shape) : shape,
        forms: [form: argument], codes: codes), for: operation.results[index])
  }

  /// Whether all inputs that are computed have a property.
  private func allInputs(_ condition: (TensorFlowLiteValue) -> Bool) throws(FoveaError) -> Bool {
    for index in 0..<operation.inputCount where operation.has(index) {
      let value = try value(index)
      if value.constant == nil, !condition(value) { return false }
    }
    return true
  }

  /// Whether the first result is what was written, without an activation, and with the codes that all
  /// inputs have.
  func isPlain() throws(FoveaError) -> Bool {
    let codes = try codes(ofResult: 0)
    guard try activation().isEmpty else { return false }
    return try allInputs { $0.codes == codes }
  }

  /// What the codes of a result mean.
  func codes(ofResult index: Int) throws(FoveaError) -> TensorFlowLiteCodes? {
    let arguments = operation.operation.arguments
    guard case .constant(let scale)? = arguments[TensorFlowLiteNames.scale(ofResult: index)]?.first,
      case .constant(let zero)? = arguments[TensorFlowLiteNames.zeroPoint(ofResult: index)]?.first
    else { return nil }
    return TensorFlowLiteCodes(scale: scale, zeroPoint: zero)
  }

  /// Rounds numbers to those that codes stand for.
  static func rounding(_ codes: TensorFlowLiteCodes) -> [Step] {
    let meaning = [
      "scale": [TensorProgram.Argument.constant(codes.scale)],
      "zero_point": [.constant(codes.zeroPoint)],
    ]
    let type = ["output_dtype": [TensorProgram.Argument.string(codes.zeroPoint.element.rawValue)]]
    return [
      Step("quantize", meaning.merging(type) { first, _ in first }, input: "input"),
      Step("dequantize", meaning, input: "input"),
    ]
  }

  /// The activation that an operation contains.
  private func activation() throws(FoveaError) -> [Step] {
    switch try operation.integer("fused_activation_function", default: 0) {
    case 0: []
    case 1: [Step("relu")]
    case 2: [Step("clip", ["alpha": [.float(-1)], "beta": [.float(1)]])]
    case 3: [Step("relu6")]
    case 4: [Step("tanh")]
    case let number: throw operation.unsupported("its activation has the number \(number)")
    }
  }
}
