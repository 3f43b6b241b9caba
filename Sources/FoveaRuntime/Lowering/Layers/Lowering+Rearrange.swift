// Fovea - lowering of layers that change the order of elements.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

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
  ///
  /// Core ML's example: 8 channels 1x2 become 2 channels 2x4. `depthToSpace` takes the four
  /// values of a block from channels c, c + 2, c + 4, c + 6; `pixelShuffle` from 4c ... 4c + 3.
  func reorganizeData(_ parameters: ReorganizeDataLayer) throws(FoveaError) -> GraphValue {
    let input = try planes()
    let block = parameters.blockSize
    let (height, width) = input.plane
    let channels = input.size(fromEnd: 3)
    let area = try product([block, block])
    let lead = Array(input.shape.dropLast(3))
    let batch = try product(lead)
    guard block >= 1 else { throw mismatch("blocks of \(block)x\(block)") }
    if parameters.mode == .spaceToDepth {
      guard height % block == 0, width % block == 0 else {
        throw mismatch("blocks of \(block)x\(block) do not fill a plane of \(height)x\(width)")
      }
      let blocks = try graph.reshape(
        input, to: [batch, channels, height / block, block, width / block, block])
      let moved = try graph.transpose(blocks, axes: [0, 3, 5, 1, 2, 4])
      return try graph.reshape(moved, to: lead + [channels * area, height / block, width / block])
    }
    guard channels % area == 0 else {
      throw mismatch("\(channels) channels cannot fill blocks of \(block)x\(block)")
    }
    let kept = channels / area
    let isBlockFirst = parameters.mode == .depthToSpace
    let parts = isBlockFirst ? [block, block, kept] : [kept, block, block]
    let blocks = try graph.reshape(input, to: [batch] + parts + [height, width])
    let moved = try graph.transpose(
      blocks, axes: isBlockFirst ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3])
    return try graph.reshape(
      moved, to: lead + [kept, product([height, block]), product([width, block])])
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
    var layers: [GraphValue] = []
    for input in inputs {
      guard input.shape == inputs[0].shape else {
        throw mismatch("its inputs have shapes \(inputs[0].shape) and \(input.shape)")
      }
      var shape = input.shape
      shape.insert(1, at: place)
      layers.append(try graph.reshape(input, to: shape))
    }
    return try graph.concat(layers, axis: place)
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
    for (axis, times) in repetitions.enumerated() where times > 1 {
      var shape = value.shape
      let before = try product(shape.prefix(axis))
      let after = try product(shape.dropFirst(axis))
      shape[axis] = try product([shape[axis], times])
      let single = try graph.reshape(value, to: [before, 1, after])
      value = try graph.reshape(graph.broadcast(single, to: [before, times, after]), to: shape)
    }
    return value
  }
}
