// Fovea - programs of other formats, told in the operations of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Translates a function of another format, such as ONNX, into operations of ML Programs, and lowers
/// each of them at once.
///
///     node of a file -> OperationTranslator -> operations of ML Programs -> OperationTable -> graph
///
/// Because every operation is lowered before the next node is translated, a translator knows the
/// shape of every value, and the numbers of those that are constant. Shapes that a file computes,
/// reshapes by computed sizes and the like become plain constants. The operations that were written
/// are a program of their own: it can be stored as a Core ML model that gives the same bits.
final class ProgramTranslation {
  /// Lowers what is written.
  private(set) var lowering: ProgramLowering
  /// What was written, for whoever stores it; empty unless asked for.
  private(set) var operations: [TensorProgram.Operation] = []
  private let keepsOperations: Bool
  /// Names that the file uses, and names that were given here.
  private var names: Set<String>
  /// What stands for a value of the file, where it is not the value of its name.
  private var substitutes: [String: TensorProgram.Argument] = [:]
  /// The input that has planes of a picture in the place of the file's array with channels last.
  private(set) var inputOfPlanes: String?

  /// Begins with a function whose inputs exist.
  init(
    of function: TensorProgram.Function, by lowering: ProgramLowering, keepsOperations: Bool
  ) {
    self.lowering = lowering
    self.keepsOperations = keepsOperations
    names = Set(function.inputs.map(\.name))
    for operation in function.operations { names.formUnion(operation.results.map(\.name)) }
  }

  /// The number of the newest operation set; its operations are the ones that are written.
  static let operationSet = 9

  // MARK: Values

  /// A value that exists, or a constant.
  func value(_ argument: TensorProgram.Argument) throws(FoveaError) -> ProgramValue {
    try lowering.value(of: resolved(argument))
  }

  /// Makes later operations of the file read another value under a name: the name gets no operation
  /// of its own.
  func substitute(_ argument: TensorProgram.Argument, for name: String) {
    substitutes[name] = resolved(argument)
  }

  private func resolved(_ argument: TensorProgram.Argument) -> TensorProgram.Argument {
    guard case .value(let name) = argument else { return argument }
    return substitutes[name] ?? argument
  }

  /// A name that nothing else has, made of another one.
  func name(_ parts: String...) -> String {
    let wanted = parts.joined(separator: ".")
    var name = wanted
    var count = 1
    while !names.insert(name).inserted {
      count += 1
      name = "\(wanted).\(count)"
    }
    return name
  }

  // MARK: Writing

  /// Writes one operation whose results have these names.
  func write(
    _ kind: String, _ arguments: [String: [TensorProgram.Argument]], to results: [String]
  ) throws(FoveaError) {
    let stated = results.map { name in
      TensorProgram.Value(
        name: name, type: .tensor(TensorType(element: .float32, shape: nil)))
    }
    var operation = TensorProgram.Operation(
      kind: kind, arguments: arguments.mapValues { $0.map(resolved) }, results: stated)
    let values = try lowering.add(operation, operationSet: Self.operationSet)
    guard keepsOperations else { return }
    let constants = values.prefix(results.count).compactMap { $0.constant?.stored }
    if constants.count == results.count {
      operations += zip(results, constants).map { .constant($1, named: $0) }
      return
    }
    for (index, value) in values.prefix(results.count).enumerated() {
      guard let elementClass = value.elementClass else { continue }
      operation.results[index].type = .tensor(
        TensorType(element: elementClass.element, shape: value.shape))
    }
    operations.append(operation)
  }

  /// Writes what makes an array of a picture, which the operations of the file read in its place.
  ///
  /// - Parameter readsPlanes: Whether planes are wanted where the file's array is an image with
  ///   channels last. One with channels first stays what it is: the file turns it itself.
  func begin(with picture: PictureForm, readsPlanes: Bool) throws(FoveaError) {
    let givesPlanes = readsPlanes && picture.layout.isChannelsLast && picture.layout.rank == 4
    if givesPlanes { inputOfPlanes = picture.input }
    var last = TensorProgram.Argument.value(picture.input)
    for (kind, arguments) in picture.steps(turns: !givesPlanes, narrows: false) {
      let name = name(picture.input, kind)
      try write(kind, arguments.merging(["x": last]) { $1 }.mapValues { [$0] }, to: [name])
      last = .value(name)
    }
    if last != .value(picture.input) { substitute(last, for: picture.input) }
  }

  // MARK: Translating

  /// Translates a function.
  ///
  /// - Throws: At the first operation that cannot be translated, an error that names it.
  func translate(
    _ function: TensorProgram.Function, by translator: inout some OperationTranslator
  ) throws(FoveaError) {
    try translator.begin(function, self)
    for (index, operation) in function.operations.enumerated() {
      do throws(FoveaError) {
        try translator.translate(
          ForeignOperation(operation, version: function.operationSetNumber, program: self))
      } catch {
        let name = operation.name.isEmpty ? "" : " \"\(ModelText.readable(operation.name))\""
        throw error.prefixed(
          by: "\(lowering.place)\(function.operationSet), operation \(index)\(name)"
            + " (\(ModelText.readable(operation.kind)), which gives"
            + " \"\(ModelText.readable(operation.firstResult))\")")
      }
    }
    try translator.end(function, self)
    // Callers read outputs by the names that the file gives them.
    for output in function.outputs {
      guard let substitute = substitutes.removeValue(forKey: output) else { continue }
      try write("identity", ["x": [substitute]], to: [output])
    }
    // Nothing reads the parts of what was recognized as one.
    operations = operations.read(by: function.outputs)
  }
}

/// Knows the operations of one other format.
protocol OperationTranslator {
  /// Whether images with channels last are read as planes [1, channels, rows, columns].
  var readsImagesAsPlanes: Bool { get }

  /// Is called before the first operation.
  mutating func begin(
    _ function: TensorProgram.Function, _ program: ProgramTranslation) throws(FoveaError)

  /// Writes operations of ML Programs whose last ones give the results of an operation.
  mutating func translate(_ operation: ForeignOperation) throws(FoveaError)

  /// Is called after the last operation. Values with the names of the function's outputs exist then.
  mutating func end(
    _ function: TensorProgram.Function, _ program: ProgramTranslation) throws(FoveaError)
}

extension OperationTranslator {
  var readsImagesAsPlanes: Bool { false }

  mutating func begin(
    _ function: TensorProgram.Function, _ program: ProgramTranslation
  ) throws(FoveaError) {}

  mutating func end(
    _ function: TensorProgram.Function, _ program: ProgramTranslation
  ) throws(FoveaError) {}
}

extension ConstantValue {
  /// The constant as files store it; `nil` for codes, which operations decode.
  fileprivate var stored: TensorConstant? {
    switch content {
    case .stored(let bytes):
      return TensorConstant(element: element, shape: shape, content: .bytes(bytes))
    case .strings(let strings):
      return TensorConstant(element: element, shape: shape, content: .strings(strings))
    case .coded: return nil
    case .floats(let floats):
      switch ElementClass(element) {
      case .integer:
        return .integers(
          floats.map { Int(exactly: $0.rounded(.towardZero)) ?? ($0 < 0 ? .min : .max) },
          shape: shape)
      case .boolean: return .booleans(floats.map { $0 != 0 }, shape: shape)
      default: return .floats(floats, shape: shape)
      }
    }
  }
}
