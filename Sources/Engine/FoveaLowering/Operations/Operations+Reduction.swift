// Fovea - reductions of programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Sums, extremes and norms along axes.
  static let reductionRules: [String: OperationRule] = [
    "reduce_argmax": { op throws(FoveaError) in try op.argument(ofLargest: true) },
    "reduce_argmin": { op throws(FoveaError) in try op.argument(ofLargest: false) },
    "reduce_l1_norm": { op throws(FoveaError) in try op.reduction(.l1) },
    "reduce_l2_norm": { op throws(FoveaError) in try op.reduction(.l2) },
    "reduce_log_sum": { op throws(FoveaError) in try op.reduction(.log_sum) },
    "reduce_log_sum_exp": { op throws(FoveaError) in try op.reduction(.log_sum_exp) },
    "reduce_max": { op throws(FoveaError) in try op.reduction(.maximum) },
    "reduce_mean": { op throws(FoveaError) in try op.mean() },
    "reduce_min": { op throws(FoveaError) in try op.reduction(.minimum) },
    "reduce_prod": { op throws(FoveaError) in try op.reduction(.product) },
    "reduce_sum": { op throws(FoveaError) in try op.reduction(.sum) },
    "reduce_sum_square": { op throws(FoveaError) in try op.reduction(.sum_square) },
    "cumsum": { op throws(FoveaError) in try op.cumulativeSum() },
  ]

  private func reduction(_ function: fov_reduce_function) throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let axes = try axes("axes", ofRank: x.rank)
    let value =
      axes.isEmpty
      ? x
      : try graph.reduce(
        x, function, axes: axes, keepsDimensions: boolean("keep_dims"))
    return result(value, try classOf("x"))
  }

  /// The mean of whole images is a pooling, which has kernels for images.
  private func mean() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let axes = try axes("axes", ofRank: x.rank)
    guard x.rank >= 3, Set(axes) == [x.rank - 2, x.rank - 1], try boolean("keep_dims") else {
      return try reduction(.mean)
    }
    var parameters = fov_pooling()
    parameters.function = .average
    return result(try graph.globalPooling(x, parameters), try classOf("x"))
  }

  /// The index of the first extreme along an axis.
  private func argument(ofLargest isLargest: Bool) throws(FoveaError) -> [ProgramValue] {
    var x = try tensor("x")
    let axis = try dimension(integer("axis", default: -1), ofRank: x.rank)
    if !isLargest { x = try graph.unary(x, .linear, alpha: -1) }
    return result(
      try graph.reduce(x, .argmax, axes: [axis], keepsDimensions: boolean("keep_dims")),
      .integer)
  }

  private func cumulativeSum() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let axis = try dimension(integer("axis", default: 0), ofRank: x.rank)
    let value = try graph.cumulativeSum(
      x, axis: axis, isExclusive: boolean("exclusive"), isReversed: boolean("reverse"))
    return result(value, try classOf("x"))
  }
}
