// Fovea - which formats of programs can be translated.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// The translators by the first words of operation sets; that of ONNX is called "ONNX 18".
enum TranslatorTable {
  /// The translator of a function; `nil` for one that is an ML Program already.
  static func translator(for function: TensorProgram.Function) -> (any OperationTranslator)? {
    switch function.operationSet.prefix(while: { !$0.isNumber }) {
    case "ONNX ": ONNXTranslator()
    case TensorFlowLiteNames.operationSet + " ": TensorFlowLiteTranslator()
    default: nil
    }
  }
}

extension ProgramLowering {
  /// Adds all operations of a function, whose format may be another one than that of ML Programs.
  ///
  /// - Parameters:
  ///   - picture: How a picture among the inputs takes the place of an array.
  ///   - keepsTranslation: Whether the operations of ML Programs are wanted.
  /// - Returns: The operations of ML Programs that another format was translated to, if wanted.
  /// - Throws: At the first operation that cannot be run, an error that names it.
  @discardableResult
  mutating func lowerInAnyFormat(
    _ function: TensorProgram.Function, picture: PictureForm? = nil,
    keepsTranslation: Bool = false
  ) throws(FoveaError) -> [TensorProgram.Operation] {
    guard let translator = TranslatorTable.translator(for: function) else {
      let function = picture?.function(function) ?? function
      try lower(function)
      return function.operations
    }
    let program = ProgramTranslation(of: function, by: self, keepsOperations: keepsTranslation)
    if let picture {
      try program.begin(with: picture, readsPlanes: translator.readsImagesAsPlanes)
    }
    try translate(function, translator, program)
    self = program.lowering
    return program.operations
  }

  private func translate(
    _ function: TensorProgram.Function, _ translator: some OperationTranslator,
    _ program: ProgramTranslation
  ) throws(FoveaError) {
    var translator = translator
    try program.translate(function, by: &translator)
  }
}
