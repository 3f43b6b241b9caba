// Fovea - operations of ONNX that pick elements by indices.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Elements picked by indices, and the indices of the largest.
  static let onnxGatheringRules: [String: ONNXRule] = [
    "Gather": { node throws(FoveaError) in try node.gather() },
    "GatherElements": { node throws(FoveaError) in try node.gatherElements() },
    "GatherND": { node throws(FoveaError) in
      try node.give(
        "gather_nd",
        [
          "x": node.input(0), "indices": node.input(1),
          "batch_dims": .integer(node.integer("batch_dims", default: 0)),
        ])
    },
    "TopK": { node throws(FoveaError) in try node.topK() },
  ]

  /// Parts along an axis. Indices that are known and follow each other are a slice.
  private func gather() throws(FoveaError) {
    let shape = try shape(0)
    let axis = try axis(integer("axis", default: 0), ofRank: shape.count)
    let x = try input(0)
    if let indices = try knownConstant(1), try program.value(x).constant == nil,
      indices.shape.count <= 1, indices.count >= 1, indices.count <= shape[axis]
    {
      try spend(indices.count)
      let places = try indices.integers().map { $0 < 0 ? $0 + shape[axis] : $0 }
      let first = places[0]
      let isRun = places.enumerated().allSatisfy { $1 == first + $0 }
      if isRun, first >= 0, first + places.count <= shape[axis] {
        var ranges = shape.map { PartRange(begin: 0, count: $0, step: 1) }
        ranges[axis] = PartRange(begin: first, count: places.count, step: 1)
        let part = try part(of: x, ranges)
        guard indices.shape.isEmpty else { return handOn(part) }
        return try give("squeeze", ["x": part, "axes": .integers([axis])])
      }
    }
    try give("gather", ["x": x, "indices": input(1), "axis": .integer(axis)])
  }

  /// Other dimensions than the axis may be shorter in the indices: the rest is not read.
  private func gatherElements() throws(FoveaError) {
    let (shape, indices) = (try shape(0), try shape(1))
    let axis = try axis(integer("axis", default: 0), ofRank: shape.count)
    guard indices.count == shape.count,
      shape.indices.allSatisfy({ $0 == axis || indices[$0] <= shape[$0] })
    else { throw mismatch("indices of shape \(indices) for an input of shape \(shape)") }
    let ranges = shape.indices.map {
      PartRange(begin: 0, count: $0 == axis ? shape[$0] : indices[$0], step: 1)
    }
    try give(
      "gather_along_axis",
      ["x": part(of: input(0), ranges), "indices": input(1), "axis": .integer(axis)])
  }

  /// The number is an attribute in set 9, an input from 10 on.
  private func topK() throws(FoveaError) {
    let count = try has(1) ? integers(ofInput: 1).first : integer("k", default: 0)
    let rank = try shape(0).count
    guard let count, count >= 1 else { throw mismatch("the \(count ?? 0) largest elements") }
    let axis = try axis(integer("axis", default: -1), ofRank: rank)
    try program.write(
      "topk",
      [
        "x": [input(0)], "k": [.integer(count)], "axis": [.integer(axis)],
        "ascending": [.boolean(integer("largest", default: 1) == 0)],
      ], to: results)
  }
}
