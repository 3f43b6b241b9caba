// Fovea - element-wise operations before transpositions that move channels to the end.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
package import FoveaModelValues

// Converters from TensorFlow write a convolution between two transpositions, and what follows it with
// channels at the end:
//
//   convolution -> transpose -> add [C] -> multiply [C] -> rectify -> transpose -> convolution
//
// Element-wise operations give the same numbers before the first transposition, where they fold into
// the convolution (`fov_fold.h`). The second transposition then undoes the first:
//
//   convolution -> add [C, 1, 1] -> multiply [C, 1, 1] -> rectify -> convolution
//
// What is still read with channels at the end gets a transposition of its own. Those that nobody
// reads are removed with everything else that is dead.

/// A constant with one number, or one for each element of the last dimension.
package enum VectorConstant {
  case stored(WeightData)
  case floats([Float])
}

extension GraphBuilder {
  /// The axes that move channels to the end, and back.
  static let channelsToEnd = [0, 2, 3, 1]
  static let channelsBack = [0, 3, 1, 2]

  /// What a value was before its channels were moved to the end; `nil` for other values.
  func beforeChannelsMoved(_ value: GraphValue) -> GraphValue? {
    channelsMoved[value.value.index]
  }

  /// Notes a constant that may stand beside channels at the end.
  func note(_ constant: GraphValue, _ numbers: VectorConstant) {
    guard (1...4).contains(constant.rank), constant.shape.dropLast().allSatisfy({ $0 == 1 }),
      constant.count <= 1 << 16
    else { return }
    vectors[constant.value.index] = numbers
  }

  /// A function of two values of which one has its channels at the end, computed before they were
  /// moved; `nil` where the other value stands in the way.
  func binaryBeforeChannelsMoved(
    _ function: fov_binary_function, _ left: GraphValue, _ right: GraphValue
  ) throws(FoveaError) -> GraphValue? {
    let sources = (beforeChannelsMoved(left), beforeChannelsMoved(right))
    let operands: (GraphValue, GraphValue)
    switch sources {
    case (let first?, let second?): operands = (first, second)
    case (let first?, nil):
      guard let second = try channels(right, beside: left) else { return nil }
      operands = (first, second)
    case (nil, let second?):
      guard let first = try channels(left, beside: right) else { return nil }
      operands = (first, second)
    case (nil, nil): return nil
    }
    return try transpose(
      binary(function, operands.0, operands.1), axes: Self.channelsToEnd)
  }

  /// A noted constant with its numbers along the third dimension from the end.
  private func channels(
    _ value: GraphValue, beside other: GraphValue
  ) throws(FoveaError) -> GraphValue? {
    guard let numbers = vectors[value.value.index], let count = value.shape.last,
      count == 1 || count == other.shape.last
    else { return nil }
    switch numbers {
    case .stored(let weights): return try constant(weights, shape: [count, 1, 1])
    case .floats(let floats): return try constant(floats, shape: [count, 1, 1])
    }
  }
}
