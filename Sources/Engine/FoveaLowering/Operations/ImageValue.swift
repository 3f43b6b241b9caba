// Fovea - an image that a program reads.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

/// An image given as bytes, on its way to planes of floats.
///
/// Programs scale and shift images by operations of their own. As long as nothing else happens to an
/// image, these steps are collected: the core does them while it reads the bytes.
///
///     element = byte * scales[channel] + biases[channel]
///
/// The core reads bytes with one scale. Where channels have several, what it reads is the image but
/// for a factor for each channel; a convolution takes these factors into its weights.
final class ImageValue {
  /// [1, channels, rows, columns], or [1, rows, columns, channels] where channels are last.
  let shape: [Int]
  private let isChannelsLast: Bool
  private let name: String
  private let bytes: GraphValue
  private let reversesChannels: Bool
  /// For each channel of the planes.
  private let scales: [Float]
  private let biases: [Float]
  private let read = Made()
  private let made = Made()

  /// A value of the graph, once it exists.
  private final class Made {
    var value: GraphValue?
  }

  /// Planes in the color order of the network, 0 to 255.
  init(name: String, bytes: GraphValue, image: ImageFeature) {
    self.name = name
    let channels = image.colorSpace.channelCount
    shape = [1, channels, image.height, image.width]
    isChannelsLast = false
    self.bytes = bytes
    reversesChannels = image.colorSpace == .bgr
    scales = Array(repeating: 1, count: channels)
    biases = Array(repeating: 0, count: channels)
  }

  private init(
    _ other: ImageValue, scales: [Float], biases: [Float], isChannelsLast: Bool? = nil
  ) {
    self.isChannelsLast = isChannelsLast ?? other.isChannelsLast
    let own = other.shape
    shape =
      switch (other.isChannelsLast, self.isChannelsLast) {
      case (false, true): [own[0], own[2], own[3], own[1]]
      case (true, false): [own[0], own[3], own[1], own[2]]
      default: own
      }
    name = other.name
    bytes = other.bytes
    reversesChannels = other.reversesChannels
    self.scales = scales
    self.biases = biases
  }

  /// What a convolution takes into its weights where it reads `factoredPlanes`, one number for each
  /// channel; `nil` where all are 1, and where channels are last.
  var weightFactors: [Float]? { isChannelsLast ? nil : factors }

  private var factors: [Float]? {
    let first = scales[0]
    return scales.allSatisfy { $0 == first } ? nil : scales.map { $0 / first }
  }

  /// The elements in their order, made once.
  func planes(in graph: GraphBuilder) throws(FoveaError) -> GraphValue {
    if let value = made.value { return value }
    var value = try factoredPlanes(in: graph)
    if let factors { value = try graph.channelAffine(value, scale: factors) }
    if isChannelsLast { value = try graph.transpose(value, axes: [0, 2, 3, 1]) }
    made.value = value
    return value
  }

  /// The planes without their factors, made once.
  func factoredPlanes(in graph: GraphBuilder) throws(FoveaError) -> GraphValue {
    if let value = read.value { return value }
    let factors = factors ?? scales.map { _ in 1 }
    var shifts = zip(biases, factors).map { $0 / $1 }
    shifts += Array(repeating: 0, count: 4 - shifts.count)
    var parameters = fov_pixels()
    parameters.scale = scales[0]
    parameters.bias = (shifts[0], shifts[1], shifts[2], shifts[3])
    parameters.reverse_channels = reversesChannels
    try graph.setLabel(name)
    let value = try graph.pixels(bytes, parameters)
    read.value = value
    return value
  }

  // MARK: Steps

  /// The image times a number, or one for each channel; `nil` where the core cannot do that while
  /// reading.
  func scaled(by constant: ConstantValue) throws(FoveaError) -> ImageValue? {
    guard let numbers = try numbers(constant) else { return nil }
    return scaled(by: numbers)
  }

  /// The image divided by a number, or by one for each channel.
  func divided(by constant: ConstantValue) throws(FoveaError) -> ImageValue? {
    guard let numbers = try numbers(constant) else { return nil }
    return scaled(by: numbers.map { 1 / $0 })
  }

  /// The image plus a number, or one for each channel; `nil` where the core cannot do that while
  /// reading.
  func shifted(
    by constant: ConstantValue, isSubtracted: Bool = false
  ) throws(FoveaError) -> ImageValue? {
    guard let numbers = try numbers(constant) else { return nil }
    let biases = zip(biases, numbers).map { isSubtracted ? $0 - $1 : $0 + $1 }
    return ImageValue(self, scales: scales, biases: biases)
  }

  /// The image with its channels last, or first again; `nil` for other orders. Exports of TensorFlow
  /// turn images both ways before anything else happens.
  func transposed(_ axes: [Int]) -> ImageValue? {
    switch (axes, isChannelsLast) {
    case ([0, 2, 3, 1], false):
      ImageValue(self, scales: scales, biases: biases, isChannelsLast: true)
    case ([0, 3, 1, 2], true):
      ImageValue(self, scales: scales, biases: biases, isChannelsLast: false)
    default: nil
    }
  }

  private func scaled(by numbers: [Float]) -> ImageValue? {
    let scales = zip(scales, numbers).map { $0 * $1 }
    // Biases are divided by scales.
    guard scales.allSatisfy({ $0 != 0 && $0.isFinite }) else { return nil }
    return ImageValue(self, scales: scales, biases: zip(biases, numbers).map { $0 * $1 })
  }

  /// One number for each channel; `nil` for a constant of another form.
  private func numbers(_ constant: ConstantValue) throws(FoveaError) -> [Float]? {
    let channels = scales.count
    guard constant.shape.count <= 4 else { return nil }
    if constant.count == 1 {
      return Array(repeating: try constant.floats()[0], count: channels)
    }
    let leading = constant.shape.drop { $0 == 1 }
    let fits = isChannelsLast ? [channels] : [channels, 1, 1]
    return leading == fits[...] ? try constant.floats() : nil
  }
}
