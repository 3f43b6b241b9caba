// Fovea - an image that a program reads.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaModelFormat

/// An image given as bytes, on its way to planes of floats.
///
/// Programs scale and shift images by operations of their own. As long as nothing else happens to an
/// image, these steps are collected: the core does them while it reads the bytes.
final class ImageValue {
  /// The shape of the planes, [1, channels, rows, columns].
  let shape: [Int]
  private let name: String
  private let bytes: GraphValue
  private let parameters: fov_pixels
  private let isShifted: Bool
  private var made: GraphValue?

  /// Planes in the color order of the network, 0 to 255.
  init(name: String, bytes: GraphValue, image: ImageFeature) {
    self.name = name
    shape = [1, image.colorSpace.channelCount, image.height, image.width]
    self.bytes = bytes
    var parameters = fov_pixels()
    parameters.scale = 1
    parameters.reverse_channels = image.colorSpace == .bgr
    self.parameters = parameters
    isShifted = false
  }

  private init(_ other: ImageValue, _ parameters: fov_pixels, isShifted: Bool) {
    shape = other.shape
    name = other.name
    bytes = other.bytes
    self.parameters = parameters
    self.isShifted = isShifted
  }

  /// The planes, made once.
  func planes(in graph: GraphBuilder) throws(FoveaError) -> GraphValue {
    if let made { return made }
    try graph.setLabel(name)
    let value = try graph.pixels(bytes, parameters)
    made = value
    return value
  }

  /// The image times a number; `nil` where the core cannot do that while reading.
  func scaled(by constant: ConstantValue) throws(FoveaError) -> ImageValue? {
    guard constant.count == 1, constant.shape.count <= 4, !isShifted else { return nil }
    var parameters = parameters
    parameters.scale *= try constant.floats()[0]
    return ImageValue(self, parameters, isShifted: false)
  }

  /// The image plus a number for each channel; `nil` where the core cannot do that while reading.
  func shifted(by constant: ConstantValue) throws(FoveaError) -> ImageValue? {
    let channels = shape[1]
    let isPerChannel =
      constant.shape == [1, channels, 1, 1] || constant.shape == [channels, 1, 1]
    guard !isShifted, isPerChannel || (constant.count == 1 && constant.shape.count <= 4) else {
      return nil
    }
    let numbers = try constant.floats()
    let biases = (0..<4).map { numbers.count == 1 ? numbers[0] : $0 < channels ? numbers[$0] : 0 }
    var parameters = parameters
    parameters.bias = (biases[0], biases[1], biases[2], biases[3])
    return ImageValue(self, parameters, isShifted: true)
  }
}
