// Fovea - lowering of layers that rename dimensions.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// Another shape by the rank-5 rules: [C, H, W], or [sequence, C, H, W].
  func reshape(_ parameters: ReshapeLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let target = parameters.targetShape
    guard target.count == 3 || target.count == 4 else {
      throw mismatch("a target shape of \(target.count) dimensions; 3 or 4 were expected")
    }
    let shape = try shapeByRank5Rules(target, of: input)
    guard parameters.order == .channelLast else { return try graph.reshape(input, to: shape) }
    // Rows, columns, channels is the order of the elements on both sides.
    let lead = Array(0..<shape.count - 3)
    let rank = input.rank
    let channelsLast = try graph.transpose(
      input, axes: Array(0..<rank - 3) + [rank - 2, rank - 1, rank - 3])
    let planes = Array(shape.suffix(3))
    let turned = try graph.reshape(
      channelsLast, to: shape.dropLast(3) + [planes[1], planes[2], planes[0]])
    let first = lead.count
    return try graph.transpose(turned, axes: lead + [first + 2, first, first + 1])
  }

  /// The target with the input's sequence and batch before it; where the elements do not
  /// fill these, with ones.
  private func shapeByRank5Rules(
    _ target: [Int], of input: GraphValue
  ) throws(FoveaError) -> [Int] {
    let lead = input.shape.dropLast(3)
    var candidates: [[Int]] = []
    if target.count == 3 {
      candidates = [lead + target, lead.map { _ in 1 } + target]
    } else {
      candidates = [[target[0]] + lead.dropFirst() + target.dropFirst()]
      if lead.isEmpty { candidates = [target] }
    }
    for candidate in candidates where try product(candidate) == input.count { return candidate }
    throw mismatch(
      "an input of shape \(input.shape) has \(input.count) elements, the target shape \(target)"
        + " has \(try product(target))")
  }

  /// [..., C * H * W, 1, 1].
  func flatten(_ order: ChannelOrder) throws(FoveaError) -> GraphValue {
    var input = try planes()
    let rank = input.rank
    let flat = input.shape.dropLast(3) + [try product(input.shape.suffix(3)), 1, 1]
    if order == .channelLast {
      input = try graph.transpose(
        input, axes: Array(0..<rank - 3) + [rank - 2, rank - 1, rank - 3])
    }
    return try graph.reshape(input, to: Array(flat))
  }

  /// Another shape; one -1 is found from the number of elements.
  func reshapeStatic(_ shape: [Int]) throws(FoveaError) -> GraphValue {
    let input = try onlyInput()
    return try graph.reshape(input, to: resolved(shape, of: input))
  }

  /// Another shape of the same rank; 0 keeps a dimension, one -1 is found from the number.
  func rankPreservingReshape(_ shape: [Int]) throws(FoveaError) -> GraphValue {
    let input = try onlyInput()
    guard shape.count == input.rank else {
      throw mismatch(
        "a target shape of \(shape.count) dimensions, and the input has \(input.rank)")
    }
    let kept = zip(shape, input.shape).map { $0 == 0 ? $1 : $0 }
    return try graph.reshape(input, to: resolved(kept, of: input))
  }

  private func resolved(_ shape: [Int], of input: GraphValue) throws(FoveaError) -> [Int] {
    let known = try product(shape.filter { $0 != -1 })
    let open = shape.filter { $0 == -1 }.count
    let isFilled = open == 0 ? known == input.count : known >= 1 && input.count % known == 0
    guard open <= 1, isFilled, shape.allSatisfy({ $0 == -1 || $0 >= 1 }) else {
      throw mismatch(
        "an input of shape \(input.shape) has \(input.count) elements and cannot become \(shape)")
    }
    return shape.map { $0 == -1 ? input.count / known : $0 }
  }

  /// Dimensions of size 1 removed. Core ML has no values of rank 0: the last one stays.
  func squeeze(_ parameters: SqueezeLayer) throws(FoveaError) -> GraphValue {
    let input = try onlyInput()
    let axes =
      parameters.squeezesAll
      ? input.shape.indices.filter { input.shape[$0] == 1 }
      : try dimensions(parameters.axes, ofRank: input.rank)
    if let axis = axes.first(where: { input.shape[$0] != 1 }) {
      throw mismatch("dimension \(axis) of shape \(input.shape) is not 1 and cannot be removed")
    }
    let shape = input.shape.indices.filter { !axes.contains($0) }.map { input.shape[$0] }
    return try squeezed(input, to: shape)
  }

  /// A value with fewer dimensions; one stays where `shape` has none.
  func squeezed(_ value: GraphValue, to shape: [Int]) throws(FoveaError) -> GraphValue {
    var squeezed = try graph.reshape(value, to: shape.isEmpty ? [1] : shape)
    squeezed.standsForNumber = shape.isEmpty
    return squeezed
  }

  /// Dimensions of size 1 inserted; axes are places in the output.
  func expandDimensions(_ axes: [Int]) throws(FoveaError) -> GraphValue {
    let input = try onlyInput()
    var rest = input.standsForNumber ? [] : input.shape[...]
    let rank = rest.count + axes.count
    let places = try dimensions(axes, ofRank: rank)
    let shape = (0..<rank).map { places.contains($0) ? 1 : rest.removeFirst() }
    return try graph.reshape(input, to: shape)
  }

  /// Two dimensions: those before the axis, and those from it on.
  func flattenTo2D(axis: Int) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: 1)
    let place = axis == input.rank ? axis : try dimension(axis, ofRank: input.rank)
    return try graph.reshape(
      input, to: [product(input.shape.prefix(place)), product(input.shape.dropFirst(place))])
  }
}
