// Fovea - from a layer of a file to operations of the core.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

/// One layer on its way into a graph. Every layer family has a file of its own beside this one.
///
/// A method named after a layer returns the values the layer writes, in order. Its errors say
/// what is wrong; `NetworkLowering` puts the layer's name before them.
struct LayerLowering {
  /// The graph that operations are added to.
  let graph: GraphBuilder
  /// The layer.
  let layer: NeuralNetworkLayer
  /// What the layer reads, in order.
  let inputs: [GraphValue]

  /// Adds the layer's operations.
  func lower() throws(FoveaError) -> [GraphValue] {
    switch layer.kind {
    case .split(let count): return try split(count: count)
    case .splitND(let parameters): return try splitND(parameters)
    default: return [try lowerToOneValue()]
    }
  }

  private func lowerToOneValue() throws(FoveaError) -> GraphValue {
    switch layer.kind {
    case .convolution(let parameters): try convolution(parameters)
    case .innerProduct(let parameters): try innerProduct(parameters)
    case .batchedMatrixProduct(let parameters): try batchedMatrixProduct(parameters)
    case .loadConstant(let parameters): try loadConstant(parameters)
    case .loadConstantND(let parameters): try loadConstantND(parameters)
    case .fillStatic(let parameters): try fillStatic(parameters)
    case .getShape: try getShape()
    case .pooling(let parameters): try pooling(parameters)
    case .padding(let parameters): try spatialPadding(parameters)
    case .crop(let parameters): try crop(parameters)
    case .upsample(let parameters): try upsample(parameters)
    case .resizeBilinear(let parameters): try resizeBilinear(parameters)
    case .reorganizeData(let parameters): try reorganizeData(parameters)
    case .reduce(let parameters): try reduce(parameters)
    case .reduceAxes(let parameters): try reduceAxes(parameters)
    case .batchNormalization, .meanVarianceNormalization, .l2Normalization,
      .localResponseNormalization, .layerNormalization, .softmax, .softmaxND:
      try lowerNormalization()
    case .activation, .clampedReLU, .clip, .gelu, .unary, .elementwise, .add, .multiply,
      .average, .maximum, .minimum, .broadcastable, .scale, .bias:
      try lowerElementByElement()
    default: try lowerShape()
    }
  }

  private func lowerNormalization() throws(FoveaError) -> GraphValue {
    switch layer.kind {
    case .batchNormalization(let parameters): try batchNormalization(parameters)
    case .meanVarianceNormalization(let parameters): try meanVarianceNormalization(parameters)
    case .l2Normalization(let parameters): try l2Normalization(parameters)
    case .localResponseNormalization(let parameters): try localResponseNormalization(parameters)
    case .layerNormalization(let parameters): try layerNormalization(parameters)
    case .softmax: try softmax()
    case .softmaxND(let axis): try softmaxND(axis: axis)
    default: throw unsupported()
    }
  }

  private func lowerElementByElement() throws(FoveaError) -> GraphValue {
    switch layer.kind {
    case .activation(let function): try activation(function)
    case .clampedReLU(let parameters):
      try graph.unary(
        onlyInput(), .clamped_relu, alpha: parameters.alpha, beta: parameters.beta)
    case .clip(let parameters):
      try graph.unary(onlyInput(), .clip, alpha: parameters.minimum, beta: parameters.maximum)
    case .gelu(let mode): try gelu(mode)
    case .unary(let parameters): try unary(parameters)
    case .elementwise(let function): try elementwise(function)
    case .add(let alpha): try add(alpha: alpha)
    case .multiply(let alpha): try multiply(alpha: alpha)
    case .average: try average()
    case .maximum: try folded(.maximum)
    case .minimum: try folded(.minimum)
    case .broadcastable(let operation): try broadcastable(operation)
    case .scale(let parameters): try scale(parameters)
    case .bias(let parameters): try bias(parameters)
    default: throw unsupported()
    }
  }

  private func lowerShape() throws(FoveaError) -> GraphValue {
    switch layer.kind {
    case .reshape(let parameters): try reshape(parameters)
    case .flatten(let order): try flatten(order)
    case .permute(let axes): try permute(axes)
    case .concat(let alongSequence): try concat(alongSequence: alongSequence)
    case .slice(let parameters): try slice(parameters)
    case .copy: try onlyInput()
    case .concatND(let parameters): try concatND(parameters)
    case .transpose(let axes): try graph.transpose(onlyInput(), axes: axes)
    case .sliceStatic(let parameters): try sliceStatic(parameters)
    case .reshapeStatic(let shape): try reshapeStatic(shape)
    case .rankPreservingReshape(let shape): try rankPreservingReshape(shape)
    case .squeeze(let parameters): try squeeze(parameters)
    case .expandDimensions(let axes): try expandDimensions(axes)
    case .flattenTo2D(let axis): try flattenTo2D(axis: axis)
    case .constantPad(let parameters): try constantPad(parameters)
    case .broadcastToStatic(let shape): try broadcastToStatic(shape)
    case .tile(let repetitions): try tile(repetitions)
    case .stack(let axis): try stack(axis: axis)
    default: throw unsupported()
    }
  }

  private func unsupported() -> FoveaError {
    FoveaError(
      .unsupported,
      "this type of layer cannot be run; export the model again without it, or cut the network"
        + " before it")
  }
}
