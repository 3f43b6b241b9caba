// Fovea - channels that TensorFlow Lite files mix.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// How far a tensor is on the way from images side by side to their channels in turn.
///
///     concatenate, reshape to [.., images, channels, ..], transpose, reshape
///
/// ML Programs have one operation for that, and kernels that read the images where they are.
struct TensorFlowLiteShuffle {
  enum Stage {
    case joined
    case split
    case swapped
  }

  /// The images, as planes.
  var images: [TensorProgram.Argument]
  var stage = Stage.joined
  /// Whether the file has turned channels first.
  var hasChannelsFirst = false
}

extension TensorFlowLiteNode {
  /// Notes that the first result consists of images side by side.
  func noteJoined(_ images: [TensorProgram.Argument]) throws(FoveaError) {
    guard images.count >= 2 else { return }
    let shape = try program.value(images[0]).shape
    for image in images where try program.value(image).shape != shape { return }
    try note(TensorFlowLiteShuffle(images: images))
  }

  /// Notes that channels are first or last now; nothing else has changed.
  func noteTurned(channelsFirst: Bool) throws(FoveaError) {
    guard var shuffle = try value(0).shuffle, shuffle.stage == .joined else { return }
    shuffle.hasChannelsFirst = channelsFirst
    try note(shuffle)
  }

  /// Notes that two dimensions have changed places.
  func noteSwapped(_ axes: [Int]) throws(FoveaError) {
    guard var shuffle = try value(0).shuffle, shuffle.stage == .split,
      axes == (shuffle.hasChannelsFirst ? [0, 2, 1, 3, 4] : [0, 1, 2, 4, 3])
    else { return }
    shuffle.stage = .swapped
    try note(shuffle)
  }

  /// Notes that channels have become two dimensions.
  func noteSplit(_ shape: [Int]) throws(FoveaError) {
    guard var shuffle = try value(0).shuffle, shuffle.stage == .joined, shape.count == 5 else {
      return
    }
    let given = try self.shape(0)
    let axis = shuffle.hasChannelsFirst ? 1 : 3
    let count = shuffle.images.count
    var wanted = given
    wanted.replaceSubrange(axis...axis, with: [count, given[axis] / count])
    guard shape == wanted else { return }
    shuffle.stage = .split
    try note(shuffle)
  }

  /// Writes the channels of images in turn, where a shape ends a shuffle.
  ///
  /// - Returns: Whether it does.
  func endsShuffle(_ shape: [Int]) throws(FoveaError) -> Bool {
    guard let shuffle = try value(0).shuffle, shuffle.stage == .swapped else { return false }
    let image = try program.value(shuffle.images[0]).shape
    let planes = [image[0], image[1] * shuffle.images.count, image[2], image[3]]
    let wanted = shuffle.hasChannelsFirst ? planes : TensorFlowLiteValues.fileOrder(planes)
    guard shape == wanted else { return false }
    let step = Step(
      "concat",
      ["values": shuffle.images, "axis": [.integer(1)], "interleave": [.boolean(true)]])
    try give([step], in: shuffle.hasChannelsFirst ? .file : .planes, isMoved: true)
    return true
  }

  private func note(_ shuffle: TensorFlowLiteShuffle) throws(FoveaError) {
    var value = try values[operation.result]
    value.shuffle = shuffle
    values.set(value, for: operation.result)
  }
}
