// Fovea - lowering of layers that change the order of elements.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// Dimensions [sequence, C, H, W] in another order; the batch of a rank-5 value stays second.
  func permute(_ axes: [Int]) throws(FoveaError) -> GraphValue {
    let input = try onlyInput(minimumRank: 4)
    let order = axes.isEmpty ? [0, 1, 2, 3] : axes
    guard order.sorted() == [0, 1, 2, 3] else {
      throw mismatch("axes \(axes) do not name each of 0, 1, 2 and 3 once")
    }
    switch input.rank {
    case 4: return try graph.transpose(input, axes: order)
    case 5:
      let places = [0, 2, 3, 4]
      return try graph.transpose(
        input,
        axes: [places[order[0]], 1, places[order[1]], places[order[2]], places[order[3]]])
    default: throw mismatch("its input has shape \(input.shape); 5 dimensions were expected")
    }
  }

  /// Blocks of the plane moved into channels, or back.
  func reorganizeData(_ parameters: ReorganizeDataLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let block = parameters.blockSize
    let (height, width) = input.plane
    let channels = input.size(fromEnd: 3)
    let area = try product([block, block])
    guard block >= 1 else { throw mismatch("blocks of \(block)x\(block)") }
    if parameters.mode == .spaceToDepth {
      guard height % block == 0, width % block == 0 else {
        throw mismatch("blocks of \(block)x\(block) do not fill a plane of \(height)x\(width)")
      }
      return try graph.planeToBlocks(input, block: block, isBlockFirst: true)
    }
    guard channels % area == 0 else {
      throw mismatch("\(channels) channels cannot fill blocks of \(block)x\(block)")
    }
    return try graph.blocksToPlane(
      input, block: block, isBlockFirst: parameters.mode == .depthToSpace)
  }

  /// Inputs joined along channels, or along the sequence.
  func concat(alongSequence: Bool) throws(FoveaError) -> GraphValue {
    try joined(fromEnd: alongSequence ? 5 : 3)
  }

  private func joined(fromEnd distance: Int) throws(FoveaError) -> GraphValue {
    guard let first = inputs.first, first.rank >= distance else {
      throw mismatch("its inputs do not have \(distance) dimensions")
    }
    return try graph.concat(inputs, axis: first.rank - distance)
  }

  /// Inputs joined along any dimension, one after another or element by element in turn.
  func concatND(_ parameters: ConcatNDLayer) throws(FoveaError) -> GraphValue {
    guard let first = inputs.first else { throw mismatch("it has no input") }
    let axis = try dimension(parameters.axis, ofRank: first.rank)
    guard parameters.interleaves else { return try graph.concat(inputs, axis: axis) }
    let layered = try stacked(at: axis + 1)
    var shape = first.shape
    shape[axis] = try product([shape[axis], inputs.count])
    return try graph.reshape(layered, to: shape)
  }

  /// Inputs joined along a new dimension; a place in the output.
  func stack(axis: Int) throws(FoveaError) -> GraphValue {
    guard let first = inputs.first else { throw mismatch("it has no input") }
    return try stacked(at: dimension(axis, ofRank: first.rank + 1))
  }

  private func stacked(at place: Int) throws(FoveaError) -> GraphValue {
    for input in inputs where input.shape != inputs[0].shape {
      throw mismatch("its inputs have shapes \(inputs[0].shape) and \(input.shape)")
    }
    return try graph.stacked(inputs, at: place)
  }

  /// The input repeated to a shape; 0 and -1 keep a dimension.
  func broadcastToStatic(_ shape: [Int]) throws(FoveaError) -> GraphValue {
    let input = try onlyInput()
    let extra = shape.count - input.rank
    guard extra >= 0 else {
      throw mismatch("an input of shape \(input.shape) cannot be repeated to \(shape)")
    }
    let target = shape.indices.map { index in
      shape[index] <= 0 && index >= extra ? input.shape[index - extra] : shape[index]
    }
    return try graph.broadcast(input, to: target)
  }

  /// The input repeated along every dimension.
  func tile(_ repetitions: [Int]) throws(FoveaError) -> GraphValue {
    var value = try onlyInput()
    guard repetitions.count == value.rank, repetitions.allSatisfy({ $0 >= 1 }) else {
      throw mismatch("repetitions \(repetitions) for an input of shape \(value.shape)")
    }
    for (axis, times) in repetitions.enumerated() {
      _ = try product([value.shape[axis], times])
      value = try graph.repeated(value, axis: axis, times: times)
    }
    return value
  }
}
