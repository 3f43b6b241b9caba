// Fovea - operations of programs that pick elements by indices.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Elements picked by indices, and the indices of the largest.
  static let gatheringRules: [String: OperationRule] = [
    "gather": { op throws(FoveaError) in try op.gather() },
    "gather_along_axis": { op throws(FoveaError) in
      try op.gathered(.along_axis, axis: op.gatherAxis())
    },
    "gather_nd": { op throws(FoveaError) in try op.gathered(.nd, axis: 0) },
    "topk": { op throws(FoveaError) in try op.topK() },
    "argsort": { op throws(FoveaError) in
      let x = try op.tensor("x")
      let axis = try op.dimension(op.integer("axis", default: -1), ofRank: x.rank)
      let indices = try op.graph.topKIndices(
        x, axis: axis, count: x.shape[axis], isAscending: op.boolean("ascending"))
      return op.result(indices, .integer)
    },
  ]

  private func gatherAxis() throws(FoveaError) -> Int {
    try dimension(integer("axis", default: 0), ofRank: argument("x").shape.count)
  }

  /// Parts of "x" along an axis. The sizes of an array are known also where it is computed.
  private func gather() throws(FoveaError) -> [ProgramValue] {
    let axis = try gatherAxis()
    try checkConstantIndices(size: argument("x").shape[axis])
    return try gathered(.take, axis: axis)
  }

  private func gathered(
    _ kind: fov_gather_kind, axis: Int
  ) throws(FoveaError) -> [ProgramValue] {
    let batch = try integer("batch_dims", default: 0)
    let x = try tensor("x")
    guard batch >= 0, batch <= x.rank else { throw mismatch("\"batch_dims\" is \(batch)") }
    let value = try graph.gather(
      x, tensor("indices"), kind: kind, axis: axis, batchDimensions: batch)
    return result(value, try classOf("x"))
  }

  /// Indices that are known have to exist; others are clamped when the model runs.
  private func checkConstantIndices(size: Int) throws(FoveaError) {
    guard let constant = try argument("indices").constant else { return }
    try graph.budget?.spend(constant.count)
    guard let stranger = try constant.integers().first(where: { $0 < -size || $0 >= size })
    else { return }
    throw mismatch("index \(stranger) of \(size) elements")
  }

  /// The largest or smallest elements along an axis, sorted, and their indices.
  private func topK() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let axis = try dimension(integer("axis", default: -1), ofRank: x.rank)
    let wanted = try integer("k", default: 1)
    let count = wanted == -1 ? x.shape[axis] : wanted
    guard count >= 1, count <= x.shape[axis] else {
      throw mismatch("\"k\" is \(wanted) of \(x.shape[axis]) elements")
    }
    let indices = try graph.topKIndices(
      x, axis: axis, count: count, isAscending: boolean("ascending"))
    let values = try graph.gather(
      x, indices, kind: .along_axis, axis: axis, batchDimensions: 0)
    return [.computed(values, try classOf("x")), .computed(indices, .integer)]
  }
}
