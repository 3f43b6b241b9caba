// Fovea - lowering of borders.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// A border around the last two dimensions.
  func spatialPadding(_ parameters: SpatialPaddingLayer) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: 2)
    let zeros = Array(repeating: 0, count: input.rank - 2)
    let amounts = parameters.amounts
    let before = zeros + [amounts.top, amounts.left]
    let after = zeros + [amounts.bottom, amounts.right]
    return switch parameters.mode {
    case .constant(let value):
      try graph.padding(input, mode: .constant, value: value, before: before, after: after)
    case .reflection: try graph.padding(input, mode: .reflect, before: before, after: after)
    case .replication: try graph.padding(input, mode: .replicate, before: before, after: after)
    }
  }

  /// A border around any dimensions: stated amounts, or what is missing to a stated size.
  func constantPad(_ parameters: ConstantPadLayer) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: 1)
    let amounts = parameters.amounts
    guard amounts.count == 2 * input.rank else {
      throw mismatch("\(amounts.count) amounts for an input of shape \(input.shape)")
    }
    var before: [Int] = []
    var after: [Int] = []
    for (axis, size) in input.shape.enumerated() {
      let (first, second) = (amounts[2 * axis], amounts[2 * axis + 1])
      if parameters.padsToGivenSize {
        before.append(try missing(first, of: size, axis: axis))
        after.append(try missing(second, of: size, axis: axis))
      } else {
        before.append(first)
        after.append(second)
      }
    }
    guard (before + after).allSatisfy({ $0 >= 0 }) else {
      throw mismatch("negative amounts among \(amounts)")
    }
    return try graph.padding(
      input, mode: .constant, value: parameters.value, before: before, after: after)
  }

  /// What a dimension lacks to a stated size; a size of 0 states nothing.
  private func missing(_ wanted: Int, of size: Int, axis: Int) throws(FoveaError) -> Int {
    if wanted == 0 { return 0 }
    guard wanted >= size else {
      throw mismatch("dimension \(axis) of \(size) elements cannot be padded to \(wanted)")
    }
    return wanted - size
  }
}
