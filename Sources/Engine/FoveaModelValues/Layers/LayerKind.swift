// Fovea - what a layer computes.
// SPDX-License-Identifier: Apache-2.0

/// What a layer computes, with its parameters.
///
/// "Rank-5 rules" means shapes of [sequence, batch, channel, height, width], usually given by their
/// last three dimensions.
public enum LayerKind: Sendable, Equatable {
  // MARK: Weights

  /// A convolution or deconvolution.
  case convolution(ConvolutionLayer)
  /// A dense layer.
  case innerProduct(InnerProductLayer)
  /// Products of matrices.
  case batchedMatrixProduct(BatchedMatrixProductLayer)
  /// A constant, by the rank-5 rules.
  case loadConstant(ConstantLayer)
  /// A constant of any shape.
  case loadConstantND(ConstantLayer)

  // MARK: Normalization

  /// Batch or instance normalization.
  case batchNormalization(BatchNormalizationLayer)
  /// Normalization with the input's own mean and variance.
  case meanVarianceNormalization(MeanVarianceNormalizationLayer)
  /// Division by the Euclidean norm.
  case l2Normalization(L2NormalizationLayer)
  /// Division by a power of neighboring channels' squares.
  case localResponseNormalization(LocalResponseNormalizationLayer)
  /// Normalization over the last dimensions.
  case layerNormalization(LayerNormalizationLayer)
  /// Exponentials divided by their sum, over channels.
  case softmax
  /// Exponentials divided by their sum, over one dimension; negative counts from the end.
  case softmaxND(axis: Int)

  // MARK: Element by element

  /// A nonlinear function.
  case activation(ActivationFunction)
  /// A bounded rectifier.
  case clampedReLU(ClampedReLULayer)
  /// A value held between two bounds.
  case clip(ClipLayer)
  /// The Gaussian error linear unit.
  case gelu(GELUMode)
  /// A function of scale * x + shift.
  case unary(UnaryFunctionLayer)
  /// A function without parameters.
  case elementwise(ElementwiseFunction)
  /// With one input x + alpha, else the sum of the inputs.
  case add(alpha: Float)
  /// With one input alpha * x, else the product of the inputs.
  case multiply(alpha: Float)
  /// The mean of the inputs.
  case average
  /// The maximum of the inputs.
  case maximum
  /// The minimum of the inputs.
  case minimum
  /// Arithmetic on two inputs with broadcast.
  case broadcastable(BroadcastableOperation)
  /// A stored scale and bias.
  case scale(ScaleLayer)
  /// A stored bias.
  case bias(BiasLayer)

  // MARK: Windows and planes

  /// Pooling.
  case pooling(PoolingLayer)
  /// A border around the plane.
  case padding(SpatialPaddingLayer)
  /// A part of the plane.
  case crop(CropLayer)
  /// Enlargement.
  case upsample(UpsampleLayer)
  /// Bilinear resizing.
  case resizeBilinear(ResizeBilinearLayer)
  /// Blocks moved between plane and channels.
  case reorganizeData(ReorganizeDataLayer)

  // MARK: Reductions

  /// A reduction by the rank-5 rules.
  case reduce(ReduceLayer)
  /// A reduction over listed dimensions.
  case reduceAxes(ReduceAxesLayer)

  // MARK: Shapes

  /// Another shape, by the rank-5 rules.
  case reshape(ReshapeLayer)
  /// [C * H * W, 1, 1], by the rank-5 rules.
  case flatten(ChannelOrder)
  /// Dimensions [sequence, C, H, W] in another order: output dimension i is input axes[i].
  case permute(axes: [Int])
  /// Inputs joined along channels, or along the sequence.
  case concat(alongSequence: Bool)
  /// Equal pieces along channels.
  case split(count: Int)
  /// A slice along one dimension.
  case slice(SliceLayer)
  /// The input unchanged.
  case copy
  /// Inputs joined along any dimension.
  case concatND(ConcatNDLayer)
  /// Pieces along any dimension.
  case splitND(SplitNDLayer)
  /// Dimensions in another order: output dimension i is input axes[i].
  case transpose(axes: [Int])
  /// A slice of every dimension.
  case sliceStatic(SliceStaticLayer)
  /// Another shape. One dimension may be -1: it follows from the count.
  case reshapeStatic(shape: [Int])
  /// Another shape of the same rank. 0 keeps a dimension; one may be -1 and follows from the count.
  case rankPreservingReshape(shape: [Int])
  /// Dimensions of size 1 removed.
  case squeeze(SqueezeLayer)
  /// Dimensions of size 1 inserted at positions of the output; negative count from its end.
  case expandDimensions(axes: [Int])
  /// Two dimensions: those before `axis` and those from it on; negative counts from the end.
  case flattenTo2D(axis: Int)
  /// A border around any dimensions.
  case constantPad(ConstantPadLayer)
  /// One value everywhere.
  case fillStatic(FillStaticLayer)
  /// The input repeated to a shape.
  case broadcastToStatic(shape: [Int])
  /// The input repeated along every dimension.
  case tile(repetitions: [Int])
  /// Inputs joined along a new dimension; negative counts from the end of the output.
  case stack(axis: Int)
  /// The input's shape as a vector.
  case getShape

  // MARK: The rest

  /// A layer that is named but not read.
  case unsupported(typeName: String, fieldNumber: Int)
}
