// Fovea - an operation of another format on its way to ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// One operation of another format, with what it reads.
///
/// Readers number what an operation reads: its arguments are "0", "1" and so on, where an optional
/// one may be missing. Attributes are constants by their names.
struct ForeignOperation {
  /// The operation as its reader describes it.
  let operation: TensorProgram.Operation
  /// The version of the operation set, such as ONNX's 18.
  let version: Int
  /// What is written.
  let program: ProgramTranslation

  /// Takes an operation up.
  init(_ operation: TensorProgram.Operation, version: Int, program: ProgramTranslation) {
    self.operation = operation
    self.version = version
    self.program = program
  }

  /// The kind.
  var kind: String { operation.kind }
  /// The names of the results.
  var results: [String] { operation.results.map(\.name) }
  /// The name of the first result.
  var result: String { operation.firstResult }

  // MARK: What it reads

  /// The number of the last input that is given, plus one.
  var inputCount: Int { operation.arguments.keys.compactMap { Int($0) }.max().map { $0 + 1 } ?? 0 }

  /// Whether an input is given.
  func has(_ index: Int) -> Bool { operation.arguments["\(index)"] != nil }

  /// An input.
  func input(_ index: Int) throws(FoveaError) -> TensorProgram.Argument {
    guard let argument = operation.arguments["\(index)"]?.first else {
      throw FoveaError(.invalidModel, "it lacks its input \(index); \(FoveaError.damaged)")
    }
    return argument
  }

  /// All inputs, where none may be missing.
  func inputs() throws(FoveaError) -> [TensorProgram.Argument] {
    var found: [TensorProgram.Argument] = []
    for index in 0..<inputCount { found.append(try input(index)) }
    return found
  }

  /// The sizes of an input, outermost first.
  func shape(_ index: Int) throws(FoveaError) -> [Int] {
    try program.value(input(index)).shape
  }

  /// What kind of numbers an input has.
  func elementClass(_ index: Int) throws(FoveaError) -> ElementClass {
    try program.value(input(index)).elementClass ?? .float
  }

  /// An input that has to be known when the model is loaded.
  func constant(_ index: Int) throws(FoveaError) -> ConstantValue {
    guard let constant = try program.value(input(index)).constant else {
      throw FoveaError(
        .unsupported,
        "its input \(index) depends on what the model is given; it has to be a constant")
    }
    return constant
  }

  // MARK: Attributes

  /// Whether an attribute is given.
  func has(_ name: String) -> Bool { operation.arguments[name] != nil }

  /// An attribute; `nil` without it.
  func attribute(_ name: String) -> ConstantValue? {
    guard case .constant(let constant)? = operation.arguments[name]?.first else { return nil }
    return ConstantValue(constant)
  }

  /// An integer of an attribute.
  func integer(_ name: String, default value: Int) throws(FoveaError) -> Int {
    guard let constant = attribute(name) else { return value }
    guard constant.count == 1, let number = try constant.integers().first else {
      throw mismatch("\"\(name)\" has \(constant.count) elements, not 1")
    }
    return number
  }

  /// Integers of an attribute; `nil` without it.
  func integers(_ name: String) throws(FoveaError) -> [Int]? {
    try attribute(name)?.integers()
  }

  /// A number of an attribute.
  func float(_ name: String, default value: Float) throws(FoveaError) -> Float {
    guard let constant = attribute(name) else { return value }
    guard constant.count == 1, let number = try constant.floats().first else {
      throw mismatch("\"\(name)\" has \(constant.count) elements, not 1")
    }
    return number
  }

  /// A text of an attribute.
  func string(_ name: String, default value: String) throws(FoveaError) -> String {
    guard let constant = attribute(name) else { return value }
    guard let text = try constant.strings().first else { throw mismatch("\"\(name)\" is empty") }
    return text
  }

  /// An axis counted from the front.
  func axis(_ axis: Int, ofRank rank: Int) throws(FoveaError) -> Int {
    guard axis >= -rank, axis < rank else {
      throw mismatch("an axis is \(axis), and there are \(rank) dimensions")
    }
    return axis < 0 ? axis + rank : axis
  }

  // MARK: What it writes

  /// Writes an operation that gives the results of this one.
  func write(
    _ kind: String, _ arguments: [String: TensorProgram.Argument]
  ) throws(FoveaError) {
    try program.write(kind, arguments.mapValues { [$0] }, to: results)
  }

  /// Writes an operation on the way to the results, and returns what it gives.
  func step(
    _ kind: String, _ arguments: [String: TensorProgram.Argument]
  ) throws(FoveaError) -> TensorProgram.Argument {
    let name = program.name(result, kind)
    try program.write(kind, arguments.mapValues { [$0] }, to: [name])
    return .value(name)
  }

  // MARK: Errors

  /// An error about numbers that do not fit each other.
  func mismatch(_ message: String) -> FoveaError {
    FoveaError(.shapeMismatch, "\(message); \(FoveaError.damaged)")
  }

  /// An error about what Fovea cannot do.
  func unsupported(_ message: String) -> FoveaError { FoveaError(.unsupported, message) }
}
