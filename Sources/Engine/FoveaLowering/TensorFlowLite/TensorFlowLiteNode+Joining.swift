// Fovea - operations of TensorFlow Lite that join arrays and take them apart.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Several arrays in, or several out.
  static let joiningRules: [String: TensorFlowLiteRule] = [
    "CONCATENATION": { node throws(FoveaError) in try node.concatenate() },
    "PACK": { node throws(FoveaError) in
      var list: [TensorProgram.Argument] = []
      for index in 0..<node.operation.inputCount {
        list.append(try node.argument(index, as: .file))
      }
      let axis = try node.operation.integer("axis", default: 0)
      try node.give(
        [Step("stack", ["values": list, "axis": [.integer(axis)]])], in: .file, isMoved: true)
    },
    "UNPACK": { node throws(FoveaError) in try node.unpack() },
    "SPLIT": { node throws(FoveaError) in
      let count = node.operation.results.count
      try node.split(input: 1, axis: node.integer(0)) { size throws(FoveaError) in
        guard size % count == 0 else {
          throw node.operation.mismatch("\(size) elements in \(count) equal parts")
        }
        return Array(repeating: size / count, count: count)
      }
    },
    "SPLIT_V": { node throws(FoveaError) in
      let sizes = try node.integers(1)
      try node.split(input: 0, axis: node.integer(2)) { size throws(FoveaError) in
        // One size may be -1, for what is left.
        let known = sizes.filter { $0 >= 0 }.reduce(0, { $0 &+ $1 })
        return sizes.map { $0 == -1 ? size - known : $0 }
      }
    },
    "TOPK_V2": { node throws(FoveaError) in
      let arguments: [String: [TensorProgram.Argument]] = [
        "x": [try node.argument(0, as: .file)], "k": [.integer(try node.integer(1))],
        "axis": [.integer(-1)],
      ]
      try node.giveParts("topk", arguments, in: .file)
    },
  ]

  private func concatenate() throws(FoveaError) {
    let rank = try shape(0).count
    var form = TensorFlowLiteForm.file
    for index in 0..<operation.inputCount where rank == 4 {
      if try value(index).isPlanes { form = .planes }
    }
    let axis = try operation.axis(operation.integer("axis", default: 0), ofRank: rank)
    var list: [TensorProgram.Argument] = []
    for index in 0..<operation.inputCount {
      guard try shape(index).count == rank else {
        throw operation.mismatch("shapes \(try shape(0)) and \(try shape(index)) one after another")
      }
      list.append(try argument(index, as: form))
    }
    let step = Step(
      "concat",
      [
        "values": list, "axis": [.integer(Self.axis(axis, in: form))],
        "interleave": [.boolean(false)],
      ])
    try give([step], in: form, isMoved: true)
    if form == .planes, axis == 3, try isPlain() { try noteJoined(list) }
  }

  // MARK: Parts

  /// Writes an operation with several results whose elements are those of its input.
  private func giveParts(
    _ kind: String, _ arguments: [String: [TensorProgram.Argument]], in form: TensorFlowLiteForm
  ) throws(FoveaError) {
    // Results whose codes mean something else are written once more.
    let results = operation.results
    let names = results.map { program.name($0, kind) }
    try program.write(kind, arguments, to: names)
    for (index, name) in names.enumerated() {
      try hand(.value(name), in: form, result: index)
    }
  }

  private func split(
    input: Int, axis: Int, sizes: (Int) throws(FoveaError) -> [Int]
  ) throws(FoveaError) {
    let shape = try shape(input)
    let axis = try operation.axis(axis, ofRank: shape.count)
    let parts = try sizes(shape[axis])
    guard parts.count == operation.results.count else {
      throw operation.mismatch("\(parts.count) parts for \(operation.results.count) results")
    }
    let form = try form(input)
    let x = try argument(input, as: form)
    if parts.count == 1 { return try hand(x, in: form) }
    try giveParts(
      "split",
      [
        "x": [x], "axis": [.integer(Self.axis(axis, in: form))],
        "split_sizes": [.integers(parts)],
      ], in: form)
  }

  private func unpack() throws(FoveaError) {
    let shape = try shape(0)
    let axis = try operation.axis(operation.integer("axis", default: 0), ofRank: shape.count)
    guard shape[axis] == operation.results.count else {
      throw operation.mismatch(
        "\(operation.results.count) results of \(shape[axis]) elements of axis \(axis)")
    }
    let x = try argument(0, as: .file)
    let squeezed = shape.indices.map { $0 == axis }
    for index in operation.results.indices {
      let begin = shape.indices.map { $0 == axis ? index : 0 }
      let end = shape.indices.map { $0 == axis ? index + 1 : shape[$0] }
      let part = Step(
        "slice_by_index",
        [
          "x": [x], "begin": [.integers(begin)], "end": [.integers(end)],
          "squeeze_mask": [.booleans(squeezed)],
        ])
      try give([part], in: .file, result: index, isMoved: true)
    }
  }
}
