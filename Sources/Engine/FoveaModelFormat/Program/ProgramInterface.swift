// Fovea - whether a program fits the interface that its file declares.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  /// Reads the program of a model.
  func readProgram(
    _ message: ProtobufMessage, interface: ModelInterface
  ) throws(ModelFormatError) -> TensorProgram {
    // The outline of a compiled file has lost the program.
    if readsOutlines { return TensorProgram(functions: [:]) }
    var reader = ProgramReader(limits: limits, folder: folder)
    let program = try reader.readProgram(message)
    try ProgramInterface(program: program, limits: limits).check(interface)
    return program
  }
}

/// Compares the functions of a program with the interface that its file declares.
struct ProgramInterface {
  let program: TensorProgram
  let limits: ReadingLimits

  /// Checks the default function, and all functions that have interfaces of their own.
  func check(_ interface: ModelInterface) throws(ModelFormatError) {
    if interface.functions.isEmpty {
      try check(interface.functionName, interface.inputs, interface.outputs)
    }
    for function in interface.functions {
      try check(function.name, function.inputs, function.outputs)
    }
    guard program.functions[interface.functionName] != nil else {
      throw missing(interface.functionName)
    }
  }

  private func missing(_ name: String) -> ModelFormatError {
    let names = program.functions.keys.sorted().map { "'\(ModelText.readable($0))'" }
    return ModelFormatError(
      .unknownBlob, fieldPath: "functions",
      found: "no function '\(ModelText.readable(name))' among \(names.joined(separator: ", "))",
      expected: "the function that the description names")
  }

  private func check(
    _ name: String, _ inputs: [FeatureDescription], _ outputs: [FeatureDescription]
  ) throws(ModelFormatError) {
    guard let function = program.functions[name] else { throw missing(name) }
    try within("functions[\(ModelText.readable(name))]") { () throws(ModelFormatError) in
      let described = Dictionary(
        inputs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      for input in function.inputs {
        guard let feature = described[input.name] else {
          // A state is described apart from the inputs.
          if case .state = input.type { continue }
          throw ModelFormatError(
            .unknownBlob, fieldPath: "inputs",
            found: "an input '\(ModelText.readable(input.name))', which the description lacks",
            expected: "the same inputs in both")
        }
        try check(feature, input)
      }
      let read = Set(function.inputs.map(\.name))
      for input in inputs where !read.contains(input.name) {
        throw ModelFormatError(
          .unknownBlob, fieldPath: "inputs",
          found: "a described input '\(ModelText.readable(input.name))', which the function lacks",
          expected: "the same inputs in both")
      }
      let written = Set(function.outputs)
      for output in outputs where !written.contains(output.name) {
        throw ModelFormatError(
          .unknownBlob, fieldPath: "outputs",
          found:
            "a described output '\(ModelText.readable(output.name))', which is no result of the"
            + " function",
          expected: "a result of the function")
      }
    }
  }

  /// An image has the size of the function's input, an array its shape.
  private func check(
    _ feature: FeatureDescription, _ input: TensorProgram.Value
  ) throws(ModelFormatError) {
    guard case .tensor(let type) = input.type, let shape = type.shape else { return }
    let declared: [Int?]
    switch feature.type {
    case .image(let image):
      declared = [1, image.colorSpace.channelCount, image.height, image.width]
    case .multiArray(let array) where !array.shape.isEmpty: declared = array.shape
    default: return
    }
    let fits =
      shape.count == declared.count
      && zip(shape, declared).allSatisfy { stated, wanted in stated == nil || stated == wanted }
    guard fits else {
      let text = shape.map { $0.map { String($0) } ?? "?" }.joined(separator: ", ")
      throw ModelFormatError(
        .invalidValue, fieldPath: "inputs",
        found: "an input '\(ModelText.readable(input.name))' of shape [\(text)]",
        expected: "\(declared.compactMap { $0 }), as the description says")
    }
  }
}
