// Fovea - lowering of reductions.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// A reduction of channels, rows or columns; reduced dimensions stay with size 1.
  func reduce(_ parameters: ReduceLayer) throws(FoveaError) -> GraphValue {
    let distances: [Int] =
      switch parameters.axis {
      case .channelHeightWidth: [3, 2, 1]
      case .heightWidth: [2, 1]
      case .channel: [3]
      case .height: [2]
      case .width: [1]
      }
    let input = try onlyInput(minimumRank: distances[0])
    let axes = distances.map { input.rank - $0 }
    return try graph.reduce(
      input, parameters.operation.core, axes: axes, epsilon: parameters.epsilon)
  }

  /// A reduction over listed dimensions, or over all.
  ///
  /// Core ML has no values of rank 0: a result without dimensions has shape [1].
  func reduceAxes(_ parameters: ReduceAxesLayer) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: 1)
    let axes =
      parameters.reducesAll || parameters.axes.isEmpty
      ? Array(0..<input.rank) : try dimensions(parameters.axes, ofRank: input.rank)
    let reduced = try graph.reduce(
      input, parameters.operation.core, axes: axes, keepsDimensions: parameters.keepsDimensions)
    return reduced.rank == 0 ? try graph.reshape(reduced, to: [1]) : reduced
  }
}

extension ReduceOperation {
  /// The core's word for the operation.
  var core: fov_reduce_function {
    switch self {
    case .sum: .sum
    case .mean: .mean
    case .product: .product
    case .logSum: .log_sum
    case .sumOfSquares: .sum_square
    case .l1: .l1
    case .l2: .l2
    case .maximum: .maximum
    case .minimum: .minimum
    case .argMaximum: .argmax
    case .logSumExp: .log_sum_exp
    }
  }
}
