// Fovea - parameters of convolutions and dense layers.
// SPDX-License-Identifier: Apache-2.0

/// A convolution or a deconvolution.
///
/// Weights are row-major: [outputChannels, kernelChannels, height, width] for a convolution,
/// where kernelChannels is input channels / groups; [kernelChannels, outputChannels / groups,
/// height, width] for a deconvolution, where kernelChannels is the input channels.
public struct ConvolutionLayer: Sendable, Equatable {
  /// Channels written.
  public var outputChannels: Int
  /// Channels of the kernel.
  public var kernelChannels: Int
  /// Groups of channels that do not see each other.
  public var groups: Int
  /// Rows and columns of the kernel.
  public var kernelSize: SpatialSize
  /// Step between neighboring outputs (of a deconvolution: inputs).
  public var stride: SpatialSize
  /// Step between neighboring kernel samples; 1x1 for a deconvolution.
  public var dilation: SpatialSize
  /// Treatment of the border.
  public var padding: ConvolutionPadding
  /// Whether this is a transposed convolution.
  public var isDeconvolution: Bool
  /// Size of a deconvolution's output, which then overrides the padding.
  public var outputShape: SpatialSize?
  /// The kernel.
  public var weights: WeightData
  /// One value per output channel.
  public var bias: WeightData?

  /// Creates the parameters.
  public init(
    outputChannels: Int, kernelChannels: Int, groups: Int, kernelSize: SpatialSize,
    stride: SpatialSize, dilation: SpatialSize, padding: ConvolutionPadding,
    isDeconvolution: Bool = false, outputShape: SpatialSize? = nil, weights: WeightData,
    bias: WeightData? = nil
  ) {
    self.outputChannels = outputChannels
    self.kernelChannels = kernelChannels
    self.groups = groups
    self.kernelSize = kernelSize
    self.stride = stride
    self.dilation = dilation
    self.padding = padding
    self.isDeconvolution = isDeconvolution
    self.outputShape = outputShape
    self.weights = weights
    self.bias = bias
  }

  /// Channels read.
  public var inputChannels: Int {
    isDeconvolution ? kernelChannels : kernelChannels * groups
  }

  /// The layout of the weights.
  public var weightShape: [Int] {
    isDeconvolution
      ? [kernelChannels, outputChannels / groups, kernelSize.height, kernelSize.width]
      : [outputChannels, kernelChannels, kernelSize.height, kernelSize.width]
  }

  /// How per-channel scales of linear weights run through the weights.
  public var weightLayout: WeightLayout {
    let area = kernelSize.height * kernelSize.width
    return isDeconvolution
      ? WeightLayout(
        count: kernelChannels * (outputChannels / groups) * area,
        channelCount: outputChannels / groups, channelStride: area)
      : WeightLayout(
        count: outputChannels * kernelChannels * area, channelCount: outputChannels,
        channelStride: kernelChannels * area)
  }
}

/// A dense layer: y = W x + b, W row-major [outputChannels, inputChannels].
public struct InnerProductLayer: Sendable, Equatable {
  /// Values read.
  public var inputChannels: Int
  /// Values written.
  public var outputChannels: Int
  /// The matrix.
  public var weights: WeightData
  /// One value per output.
  public var bias: WeightData?
  /// Whether inputs are meant to be quantized to 8 bits when run; the weights are then
  /// signed bytes with one scale.
  public var quantizesInputs: Bool

  /// Creates the parameters.
  public init(
    inputChannels: Int, outputChannels: Int, weights: WeightData, bias: WeightData? = nil,
    quantizesInputs: Bool = false
  ) {
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.weights = weights
    self.bias = bias
    self.quantizesInputs = quantizesInputs
  }

  /// How per-channel scales of linear weights run through the weights.
  public var weightLayout: WeightLayout {
    WeightLayout(
      count: outputChannels * inputChannels, channelCount: outputChannels,
      channelStride: inputChannels)
  }
}

/// Products of matrices in the last two dimensions, of two inputs or of one input with a
/// constant matrix stored as [columns, rows], so that y = x B + b.
public struct BatchedMatrixProductLayer: Sendable, Equatable {
  /// Whether the first input is transposed.
  public var transposesFirst: Bool
  /// Whether the second input is transposed.
  public var transposesSecond: Bool
  /// Rows of the constant matrix; 0 when there is none.
  public var rows: Int
  /// Columns of the constant matrix; 0 when there is none.
  public var columns: Int
  /// The constant matrix.
  public var weights: WeightData?
  /// One value per column.
  public var bias: WeightData?
  /// Whether inputs are meant to be quantized to 8 bits when run.
  public var quantizesInputs: Bool

  /// Creates the parameters.
  public init(
    transposesFirst: Bool = false, transposesSecond: Bool = false, rows: Int = 0,
    columns: Int = 0, weights: WeightData? = nil, bias: WeightData? = nil,
    quantizesInputs: Bool = false
  ) {
    self.transposesFirst = transposesFirst
    self.transposesSecond = transposesSecond
    self.rows = rows
    self.columns = columns
    self.weights = weights
    self.bias = bias
    self.quantizesInputs = quantizesInputs
  }
}
