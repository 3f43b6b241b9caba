// Fovea - operations of programs, made and sifted.
// SPDX-License-Identifier: Apache-2.0

extension TensorProgram.Operation {
  /// A constant under a name.
  package static func constant(
    _ constant: TensorConstant, named name: String, at offset: Int? = nil
  ) -> TensorProgram.Operation {
    TensorProgram.Operation(
      kind: "const", arguments: ["val": [.constant(constant)]],
      results: [
        TensorProgram.Value(
          name: name,
          type: .tensor(TensorType(element: constant.element, shape: constant.shape)))
      ], byteOffset: offset)
  }
}

extension [TensorProgram.Operation] {
  /// The operations whose results somebody reads: later ones, or the caller by the names of outputs.
  package func read(by outputs: [String]) -> [TensorProgram.Operation] {
    var read = Set(outputs)
    var kept: [TensorProgram.Operation] = []
    for operation in reversed()
    where operation.results.contains(where: { read.contains($0.name) }) {
      for case .value(let name) in operation.arguments.values.joined() { read.insert(name) }
      kept.append(operation)
    }
    return kept.reversed()
  }
}
