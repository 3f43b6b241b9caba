// Fovea - parameters of layers that move data without changing values.
// SPDX-License-Identifier: Apache-2.0

/// The same values under another shape, by the rank-5 rules.
public struct ReshapeLayer: Sendable, Hashable {
  /// [C, H, W] or [sequence, C, H, W]; all positive.
  public var targetShape: [Int]
  /// Whether values run channels first.
  public var order: ChannelOrder

  /// Creates the parameters.
  public init(targetShape: [Int], order: ChannelOrder) {
    self.targetShape = targetShape
    self.order = order
  }
}

/// The order in which values run.
public enum ChannelOrder: Sendable, Hashable {
  /// Channel, row, column.
  case channelFirst
  /// Row, column, channel.
  case channelLast
}

/// Pieces along one dimension.
public struct SplitNDLayer: Sendable, Hashable {
  /// The dimension; negative counts from the end.
  public var axis: Int
  /// The number of equal pieces; 0 where `splitSizes` counts.
  public var splitCount: Int
  /// The size of every piece.
  public var splitSizes: [Int]

  /// Creates the parameters.
  public init(axis: Int, splitCount: Int, splitSizes: [Int] = []) {
    self.axis = axis
    self.splitCount = splitCount
    self.splitSizes = splitSizes
  }
}

/// Inputs joined along one dimension.
public struct ConcatNDLayer: Sendable, Hashable {
  /// The dimension; negative counts from the end.
  public var axis: Int
  /// Whether slices alternate between the inputs.
  public var interleaves: Bool

  /// Creates the parameters.
  public init(axis: Int, interleaves: Bool = false) {
    self.axis = axis
    self.interleaves = interleaves
  }
}

/// Every `stride`-th index from `start` to before `end` along one dimension.
public struct SliceLayer: Sendable, Hashable {
  /// First index; negative counts from the end.
  public var start: Int
  /// Index after the last; negative counts from the end.
  public var end: Int
  /// Step, at least 1.
  public var stride: Int
  /// The dimension.
  public var axis: SliceAxis

  /// Creates the parameters.
  public init(start: Int, end: Int, stride: Int, axis: SliceAxis) {
    self.start = start
    self.end = end
    self.stride = stride
    self.axis = axis
  }
}

/// The dimension a `SliceLayer` cuts.
public enum SliceAxis: Sendable, Hashable {
  /// Third from the end.
  case channel
  /// Second from the end.
  case height
  /// The last.
  case width
}

/// A slice of every dimension; all arrays have one entry per dimension.
public struct SliceStaticLayer: Sendable, Hashable {
  /// First indices; negative ones count from the end.
  public var begins: [Int]
  /// For each dimension, whether the slice begins at the border.
  public var beginMasks: [Bool]
  /// Indices after the last; negative ones count from the end.
  public var ends: [Int]
  /// For each dimension, whether the slice ends at the border.
  public var endMasks: [Bool]
  /// Steps, never 0; negative ones run backwards.
  public var strides: [Int]
  /// For each dimension, whether one index is taken and the dimension removed.
  public var squeezeMasks: [Bool]

  /// Creates the parameters.
  public init(
    begins: [Int], beginMasks: [Bool], ends: [Int], endMasks: [Bool], strides: [Int],
    squeezeMasks: [Bool] = []
  ) {
    self.begins = begins
    self.beginMasks = beginMasks
    self.ends = ends
    self.endMasks = endMasks
    self.strides = strides
    self.squeezeMasks = squeezeMasks
  }
}

/// Dimensions of size 1 removed.
public struct SqueezeLayer: Sendable, Hashable {
  /// The dimensions; negative ones count from the end.
  public var axes: [Int]
  /// Whether all dimensions of size 1 are removed.
  public var squeezesAll: Bool

  /// Creates the parameters.
  public init(axes: [Int], squeezesAll: Bool = false) {
    self.axes = axes
    self.squeezesAll = squeezesAll
  }
}

/// Blocks of the plane moved into channels or back.
public struct ReorganizeDataLayer: Sendable, Hashable {
  /// The direction and order.
  public var mode: ReorganizationMode
  /// Rows and columns of a block, at least 1.
  public var blockSize: Int

  /// Creates the parameters.
  public init(mode: ReorganizationMode, blockSize: Int) {
    self.mode = mode
    self.blockSize = blockSize
  }
}

/// How `ReorganizeDataLayer` moves data.
public enum ReorganizationMode: Sendable, Hashable {
  /// Blocks become channels.
  case spaceToDepth
  /// Channels become blocks; the block position is the slow index of a channel.
  case depthToSpace
  /// Channels become blocks; the block position is the fast index of a channel.
  case pixelShuffle
}

/// A constant.
public struct ConstantLayer: Sendable, Equatable {
  /// Its shape; [C, H, W] by the rank-5 rules.
  public var shape: [Int]
  /// Its values, row-major.
  public var data: WeightData

  /// Creates the parameters.
  public init(shape: [Int], data: WeightData) {
    self.shape = shape
    self.data = data
  }

  /// The number of values.
  public var count: Int { shape.reduce(1, *) }
}

/// A constant with one value everywhere.
public struct FillStaticLayer: Sendable, Hashable {
  /// The value.
  public var value: Float
  /// Its shape.
  public var shape: [Int]

  /// Creates the parameters.
  public init(value: Float, shape: [Int]) {
    self.value = value
    self.shape = shape
  }
}

/// A border of one value around any dimensions.
public struct ConstantPadLayer: Sendable, Hashable {
  /// The value of the border.
  public var value: Float
  /// Amounts before and after, for every dimension; or target sizes, see `padsToGivenSize`.
  public var amounts: [Int]
  /// Whether amounts mean: [0, size] pads after, [size, 0] before, up to that size.
  public var padsToGivenSize: Bool

  /// Creates the parameters.
  public init(value: Float, amounts: [Int], padsToGivenSize: Bool = false) {
    self.value = value
    self.amounts = amounts
    self.padsToGivenSize = padsToGivenSize
  }
}

/// A border around the plane.
public struct SpatialPaddingLayer: Sendable, Hashable {
  /// What the border holds.
  public var mode: PaddingMode
  /// Rows and columns added.
  public var amounts: BorderAmounts

  /// Creates the parameters.
  public init(mode: PaddingMode, amounts: BorderAmounts) {
    self.mode = mode
    self.amounts = amounts
  }
}

/// What a border holds.
public enum PaddingMode: Sendable, Hashable {
  /// One value.
  case constant(Float)
  /// The image mirrored at its border sample.
  case reflection
  /// The border sample repeated.
  case replication
}

/// A part of the plane; with a second input, the part has that input's size.
public struct CropLayer: Sendable, Hashable {
  /// Rows and columns removed, with one input.
  public var amounts: BorderAmounts
  /// Row and column at which the part begins, with two inputs.
  public var offset: [Int]

  /// Creates the parameters.
  public init(amounts: BorderAmounts, offset: [Int] = []) {
    self.amounts = amounts
    self.offset = offset
  }
}
