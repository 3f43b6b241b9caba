// Fovea - sums of products along named dimensions in ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// An array whose dimensions have names.
  private struct Named {
    var value: TensorProgram.Argument
    var labels: [Character]
  }

  /// "bij,bjk->bik": dimensions of one name have one size; those that the result lacks are summed
  /// over.
  func einsum() throws(FoveaError) {
    let equation = try string("equation", default: "").filter { !$0.isWhitespace }
    let sides = equation.split(separator: "-", omittingEmptySubsequences: false)
    guard equation.utf8.count <= 1000, !equation.contains("."), sides.count <= 2,
      sides.count == 1 || sides[1].first == ">"
    else { throw unsupported("the equation \"\(ModelText.readable(equation))\" cannot be run") }
    let terms = sides[0].split(separator: ",", omittingEmptySubsequences: false).map { Array($0) }
    guard terms.count == inputCount, !terms.isEmpty else {
      throw mismatch("\(terms.count) terms for \(inputCount) inputs")
    }
    let all = terms.flatMap { $0 }
    // Without a right side, names that occur once, in alphabetical order.
    let wanted =
      sides.count == 2
      ? Array(sides[1].dropFirst())
      : Set(all).filter { label in all.filter { $0 == label }.count == 1 }.sorted()
    guard Set(wanted).count == wanted.count, wanted.allSatisfy(all.contains) else {
      throw mismatch("the equation \"\(ModelText.readable(equation))\"")
    }
    var operands: [Named] = []
    for (index, labels) in terms.enumerated() {
      guard try shape(index).count == labels.count, Set(labels).count == labels.count else {
        throw unsupported(
          "the equation \"\(ModelText.readable(equation))\" for an input of shape"
            + " \(try shape(index)) cannot be run")
      }
      operands.append(Named(value: try input(index), labels: labels))
    }
    var value = operands[0]
    for index in operands.indices.dropFirst() {
      let later = operands[(index + 1)...].flatMap(\.labels)
      value = try product(value, operands[index], keeping: Set(wanted + later))
    }
    value = try summed(value, keeping: Set(wanted))
    handOn(try arranged(value, wanted).value)
  }

  /// The sum over dimensions that nothing keeps.
  private func summed(_ operand: Named, keeping kept: Set<Character>) throws(FoveaError) -> Named {
    let axes = operand.labels.indices.filter { !kept.contains(operand.labels[$0]) }
    if axes.isEmpty { return operand }
    let value = try step(
      "reduce_sum",
      ["x": operand.value, "axes": .integers(axes), "keep_dims": .boolean(false)])
    return Named(value: value, labels: operand.labels.filter(kept.contains))
  }

  private func arranged(_ operand: Named, _ labels: [Character]) throws(FoveaError) -> Named {
    if operand.labels == labels { return operand }
    let order = labels.compactMap { operand.labels.firstIndex(of: $0) }
    let value = try step("transpose", ["x": operand.value, "perm": .integers(order)])
    return Named(value: value, labels: labels)
  }

  /// A product of matrices for each index of the dimensions that both have and that are kept.
  private func product(
    _ first: Named, _ second: Named, keeping kept: Set<Character>
  ) throws(FoveaError) -> Named {
    let first = try summed(first, keeping: kept.union(second.labels))
    let second = try summed(second, keeping: kept.union(first.labels))
    let shared = first.labels.filter(second.labels.contains)
    let batch = shared.filter(kept.contains)
    let inner = shared.filter { !kept.contains($0) }
    let rows = first.labels.filter { !shared.contains($0) }
    let columns = second.labels.filter { !shared.contains($0) }
    let (left, right) = (
      try arranged(first, batch + rows + inner), try arranged(second, batch + inner + columns)
    )
    var sizes: [Character: Int] = [:]
    for operand in [left, right] {
      for (label, size) in zip(operand.labels, try shape(of: operand.value)) {
        guard sizes[label, default: size] == size else {
          throw mismatch("sizes of \(sizes[label] ?? 0) and \(size) for one dimension")
        }
        sizes[label] = size
      }
    }
    let count = { (labels: [Character]) in labels.reduce(1) { $0 * (sizes[$1] ?? 1) } }
    let batchSizes = batch.map { sizes[$0] ?? 1 }
    let leftMatrix = try step(
      "reshape",
      ["x": left.value, "shape": .integers(batchSizes + [count(rows), count(inner)])])
    let rightMatrix = try step(
      "reshape",
      ["x": right.value, "shape": .integers(batchSizes + [count(inner), count(columns)])])
    let matrix = try step("matmul", ["x": leftMatrix, "y": rightMatrix])
    let labels = batch + rows + columns
    let value = try step(
      "reshape", ["x": matrix, "shape": .integers(labels.map { sizes[$0] ?? 1 })])
    return Named(value: value, labels: labels)
  }
}
