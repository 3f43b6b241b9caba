// Fovea - lowering of images and their preprocessing.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

/// Turns the bytes of an image into what the first layer of a network reads.
struct ImageLowering {
  let graph: GraphBuilder
  let image: ImageFeature
  let name: String

  /// Planes of floats in the network's color order, scaled and shifted as it wants.
  ///
  /// Images come red first. The order of the planes is that of the feature's color space,
  /// and a scaler's biases are named by color, so for blue-first planes plane 0 takes blue's.
  func planes(
    of bytes: GraphValue, for network: NeuralNetwork
  ) throws(FoveaError) -> GraphValue {
    try graph.setLabel(name)
    var steps = network.preprocessing
      .filter { $0.featureName.isEmpty || $0.featureName == name }.map(\.kind)[...]
    var first = ImageScaler()
    if case .scaler(let scaler) = steps.first {
      first = scaler
      steps.removeFirst()
    }
    var planes = try graph.pixels(
      bytes, parameters(first, isRankFive: network.imageInputShapeMapping == .rank5))
    for step in steps { planes = try apply(step, to: planes) }
    return planes
  }

  private func parameters(_ scaler: ImageScaler, isRankFive: Bool) -> fov_pixels {
    let biases = biases(of: scaler)
    var parameters = fov_pixels()
    parameters.scale = scaler.channelScale
    parameters.bias = (
      biases[0], biases.count > 1 ? biases[1] : 0, biases.count > 2 ? biases[2] : 0, 0
    )
    parameters.reverse_channels = image.colorSpace == .bgr
    parameters.rank_five = isRankFive
    return parameters
  }

  /// The biases in the order of the planes.
  private func biases(of scaler: ImageScaler) -> [Float] {
    switch image.colorSpace {
    case .grayscale, .grayscaleFloat16: [scaler.grayBias]
    case .rgb: [scaler.redBias, scaler.greenBias, scaler.blueBias]
    case .bgr: [scaler.blueBias, scaler.greenBias, scaler.redBias]
    }
  }

  private func apply(
    _ step: Preprocessing.Kind, to planes: GraphValue
  ) throws(FoveaError) -> GraphValue {
    switch step {
    case .scaler(let scaler):
      let biases = biases(of: scaler)
      let scales = biases.map { _ in scaler.channelScale }
      return try graph.channelAffine(planes, scale: scales, bias: biases)
    case .meanImage(let means):
      let shape = [image.colorSpace.channelCount, image.height, image.width]
      let count = try ArrayShape.elementCount(shape)
      guard means.count == count else {
        throw FoveaError(
          .shapeMismatch,
          "its mean image has \(means.count) values, an image of shape \(shape) has \(count)")
      }
      return try graph.binary(.subtract, planes, graph.constant(means, shape: shape))
    }
  }
}
