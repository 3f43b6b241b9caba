// Fovea - from an operation of a program to operations of the core.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

/// One operation on its way into a graph. Every family of operations has a file of its own.
///
/// A method named after an operation returns the values that it writes, in order. Its errors say
/// what is wrong; `ProgramLowering` puts the operation's place before them.
struct OperationLowering {
  /// The graph that operations are added to.
  let graph: GraphBuilder
  /// The label of the operations in the graph: the name of the first result.
  let label: String
  /// What the operation is given.
  let arguments: [String: [ProgramValue]]
  /// The types that the program states for the results.
  let resultTypes: [ValueType]
  /// The number of the operation set, 5 to 9.
  let operationSet: Int

  // MARK: Arguments

  /// Whether an argument is given.
  func has(_ name: String) -> Bool { arguments[name] != nil }

  /// The one value of an argument.
  func argument(_ name: String) throws(FoveaError) -> ProgramValue {
    guard let values = arguments[name], let value = values.first else {
      throw FoveaError(
        .invalidModel, "it has no argument \"\(name)\"; \(FoveaError.damaged)")
    }
    guard values.count == 1 else {
      throw mismatch("its argument \"\(name)\" has \(values.count) values")
    }
    return value
  }

  /// The values of an argument that is a list.
  func list(_ name: String) throws(FoveaError) -> [ProgramValue] {
    guard let values = arguments[name], !values.isEmpty else {
      throw FoveaError(
        .invalidModel, "it has no argument \"\(name)\"; \(FoveaError.damaged)")
    }
    return values
  }

  /// An argument that has to be known when the model is loaded.
  func constant(_ name: String) throws(FoveaError) -> ConstantValue {
    try constant(argument(name), of: name)
  }

  private func constant(
    _ value: ProgramValue, of name: String
  ) throws(FoveaError) -> ConstantValue {
    guard let constant = value.constant else {
      throw FoveaError(
        .unsupported,
        "its argument \"\(name)\" depends on what the model is given; it has to be a constant")
    }
    return constant
  }

  /// An argument as a value of the graph.
  func tensor(_ name: String) throws(FoveaError) -> GraphValue {
    try value(try argument(name))
  }

  /// A value as a value of the graph.
  func value(_ value: ProgramValue) throws(FoveaError) -> GraphValue {
    switch value {
    case .computed(let value, _): return value
    case .image(let image):
      let planes = try image.planes(in: graph)
      try graph.setLabel(label)
      return planes
    case .constant(let constant):
      guard constant.count > 0 else {
        throw unsupported(
          "it is given an array without elements, which can be joined, reshaped and cut only")
      }
      return try graph.constant(constant)
    case .answer: throw mismatch("an answer of a classifier cannot be computed with")
    }
  }

  // MARK: Parameters

  /// An integer.
  func integer(_ name: String) throws(FoveaError) -> Int {
    let values = try integers(name)
    guard values.count == 1 else { throw wrongCount(name, values.count) }
    return values[0]
  }

  /// An integer with a default.
  func integer(_ name: String, default value: Int) throws(FoveaError) -> Int {
    try has(name) ? integer(name) : value
  }

  /// Integers.
  func integers(_ name: String) throws(FoveaError) -> [Int] {
    try listed(name, "integers") { ElementClass($0) == .integer }
  }

  /// Integers, as many as stated, or the default if there are none.
  func integers(_ name: String, count: Int, default value: Int) throws(FoveaError) -> [Int] {
    guard has(name) else { return Array(repeating: value, count: count) }
    let values = try integers(name)
    guard values.count == count else { throw wrongCount(name, values.count, wanted: count) }
    return values
  }

  /// A number.
  func float(_ name: String) throws(FoveaError) -> Float {
    let constant = try constant(name)
    guard constant.count == 1 else { throw wrongCount(name, constant.count) }
    return try constant.floats()[0]
  }

  /// A number with a default.
  func float(_ name: String, default value: Float) throws(FoveaError) -> Float {
    try has(name) ? float(name) : value
  }

  /// A truth value with a default.
  func boolean(_ name: String, default value: Bool = false) throws(FoveaError) -> Bool {
    guard has(name) else { return value }
    let values = try booleans(name)
    guard values.count == 1 else { throw wrongCount(name, values.count) }
    return values[0]
  }

  /// Truth values.
  func booleans(_ name: String) throws(FoveaError) -> [Bool] {
    try listed(name, "bool") { $0 == .bool }.map { $0 != 0 }
  }

  /// Parameters are a few numbers for each dimension, or sizes of parts. A file has them in one array,
  /// or lists them one by one.
  private func listed(
    _ name: String, _ kind: String, _ isRight: (ElementType) -> Bool
  ) throws(FoveaError) -> [Int] {
    var numbers: [Int] = []
    for value in try list(name) {
      let constant = try constant(value, of: name)
      guard isRight(constant.element) else {
        throw mismatch("\"\(name)\" has type \(constant.element.rawValue), not \(kind)")
      }
      let count = numbers.count + constant.count
      guard count <= Self.greatestList else {
        throw mismatch(
          "\"\(name)\" has \(count) elements; at most \(Self.greatestList) are allowed")
      }
      numbers += try constant.integers()
    }
    return numbers
  }

  private static let greatestList = 10_000

  /// A word with a default.
  func string(_ name: String, default value: String? = nil) throws(FoveaError) -> String {
    if !has(name), let value { return value }
    let values = try constant(name).strings()
    guard values.count == 1 else { throw wrongCount(name, values.count) }
    return values[0]
  }

  /// One of several words.
  func choice<Choice>(
    _ name: String, default value: String? = nil, _ choices: KeyValuePairs<String, Choice>
  ) throws(FoveaError) -> Choice {
    let word = try string(name, default: value)
    guard let choice = choices.first(where: { $0.key == word }) else {
      let known = choices.map { "\"\($0.key)\"" }.joined(separator: ", ")
      throw mismatch("\"\(name)\" is \"\(ModelText.readable(word))\"; known are \(known)")
    }
    return choice.value
  }

  // MARK: Axes and sizes

  /// An axis counted from the front.
  func dimension(_ axis: Int, ofRank rank: Int, _ name: String = "axis") throws(FoveaError) -> Int {
    guard axis >= -rank, axis < rank else {
      throw mismatch("\"\(name)\" is \(axis), and there are \(rank) dimensions")
    }
    return axis < 0 ? axis + rank : axis
  }

  /// Axes counted from the front, each once; all of them where the argument is absent.
  func axes(_ name: String, ofRank rank: Int) throws(FoveaError) -> [Int] {
    guard has(name) else { return Array(0..<rank) }
    try checkRank(rank)
    var found: [Int] = []
    for axis in try integers(name) {
      let axis = try dimension(axis, ofRank: rank, name)
      guard !found.contains(axis) else { throw mismatch("\"\(name)\" has axis \(axis) twice") }
      found.append(axis)
    }
    return found
  }

  /// Refuses a number of dimensions that no array has.
  func checkRank(_ rank: Int) throws(FoveaError) {
    guard rank <= Self.greatestRank else {
      throw mismatch("an array of \(rank) dimensions; at most \(Self.greatestRank) are allowed")
    }
  }

  private static let greatestRank = ReadingLimits().rank

  /// Sizes of an array, none negative.
  func sizes(_ name: String) throws(FoveaError) -> [Int] {
    let sizes = try integers(name)
    guard sizes.allSatisfy({ $0 >= 0 }) else { throw mismatch("\"\(name)\" is \(sizes)") }
    return sizes
  }

  /// The number of elements of a shape. Sizes beside a 0 are limited, too, so that every product of
  /// some of them fits.
  func elementCount(_ shape: [Int]) throws(FoveaError) -> Int {
    var count = 1
    for size in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: max(size, 1))
      guard !overflow, next <= Int(Int32.max) else {
        throw FoveaError(
          .overflow, "an array of shape \(shape) is too large; \(FoveaError.damaged)")
      }
      count = next
    }
    return shape.contains(0) ? 0 : count
  }

  // MARK: Errors

  /// An error about numbers that do not fit each other.
  func mismatch(_ message: String) -> FoveaError {
    FoveaError(.shapeMismatch, "\(message); \(FoveaError.damaged)")
  }

  private func wrongCount(_ name: String, _ count: Int, wanted: Int = 1) -> FoveaError {
    mismatch("\"\(name)\" has \(count) elements, not \(wanted)")
  }

  /// An error about what Fovea cannot do.
  func unsupported(_ message: String) -> FoveaError {
    FoveaError(.unsupported, message)
  }

  /// One computed value as the operation's results.
  func result(_ value: GraphValue, _ elementClass: ElementClass = .float) -> [ProgramValue] {
    [.computed(value, elementClass)]
  }
}
