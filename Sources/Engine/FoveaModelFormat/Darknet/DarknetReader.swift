// Fovea - reading of Darknet networks.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// What is needed to read a Darknet network. Its methods are spread over the files that are named
/// after what they read.
///
///     [net]               picture -> [1, channels, height, width], 0...1
///     [convolutional] ... one value for each section, counted from 0 behind [net]
///     [yolo], [region]    scores and boxes
struct DarknetReader {
  let limits: ReadingLimits
  var weights: DarknetWeights
  var program: DarknetProgram
  /// The picture.
  private(set) var image: ImageFeature
  /// What the layers gave so far; `nil` for a head.
  private(set) var layers: [DarknetValue?] = []
  /// What the layer before gives; the picture at first.
  private(set) var previous: DarknetValue?
  /// The heads so far.
  var heads: [DarknetHead] = []

  /// The names of the input and of the outputs.
  static let inputName = "image"
  static let confidenceName = "confidence"
  static let coordinatesName = "coordinates"

  /// Begins with the section of the network.
  ///
  /// - Parameter size: The size of pictures; `nil` for the one that the text states.
  init(
    _ net: DarknetSection, weights: DarknetWeights, size: ImageFeature.Size?,
    limits: ReadingLimits
  ) throws(ModelFormatError) {
    self.limits = limits
    self.weights = weights
    program = DarknetProgram(limits: limits)
    guard Self.netNames.contains(net.name) else {
      throw net.error(
        .missingField, found: "[\(net.name)] as the first section", expected: "[net]")
    }
    let width = try net.integer("width", default: 0, in: 1...limits.imageSide)
    let height = try net.integer("height", default: 0, in: 1...limits.imageSide)
    let channels = try net.integer("channels", default: 0, in: 1...3)
    guard channels != 2 else {
      throw net.error(.invalidValue, "channels", found: "2", expected: "3, or 1 for gray")
    }
    image = ImageFeature(
      width: size?.width ?? width, height: size?.height ?? height,
      colorSpace: channels == 1 ? .grayscale : .rgb)
    let sides = 1...limits.imageSide
    guard sides.contains(image.width), sides.contains(image.height),
      image.width * image.height <= limits.imagePixels
    else {
      throw net.error(
        .limitExceeded, found: "pictures of \(image.width)x\(image.height)",
        expected: "sides of 1 to \(limits.imageSide), and at most \(limits.imagePixels) pixels")
    }
    previous = try program.planes(
      "mul", ["x": .value(Self.inputName), "y": .float(1 / 255)],
      to: DarknetValue(
        name: "pixels", channels: channels, height: image.height, width: image.width))
  }

  static let netNames = ["net", "network"]

  // MARK: Layers

  /// Reads one layer.
  mutating func read(_ section: DarknetSection) throws(ModelFormatError) {
    do throws(ModelFormatError) {
      guard let kind = DarknetLayerKind(section.name) else {
        throw section.error(
          .unsupportedLayer, found: "the section [\(section.name)]",
          expected: "one of \(DarknetLayerKind.names.joined(separator: ", "))",
          remedy: "Fovea reads detectors of convolutions; convert other networks to ONNX.")
      }
      let value = try layer(kind, section)
      layers.append(value)
      previous = value
    } catch {
      var error = error
      if error.fieldPath.isEmpty { error.fieldPath = "line \(section.line) of \(section.fileName)" }
      throw error.inLayer(named: "\(layers.count) (\(section.name))")
    }
  }

  private mutating func layer(
    _ kind: DarknetLayerKind, _ section: DarknetSection
  ) throws(ModelFormatError) -> DarknetValue? {
    switch kind {
    case .convolutional: return try convolutional(section)
    case .maxpool: return try maxpool(section)
    case .avgpool: return try avgpool(section)
    case .upsample: return try upsample(section)
    case .route: return try route(section)
    case .shortcut: return try shortcut(section)
    case .sam: return try sam(section)
    case .scaleChannels: return try scaleChannels(section)
    case .reorg: return try reorg(section)
    case .dropout: return try input(of: section)
    case .yolo:
      try yolo(section)
      return nil
    case .region:
      try region(section)
      return nil
    }
  }

  /// What the layer before gives.
  func input(of section: DarknetSection) throws(ModelFormatError) -> DarknetValue {
    guard let previous else { throw readsHead(section, layers.count - 1) }
    return previous
  }

  /// What earlier layers give. Negative numbers count back from this one.
  func values(
    _ numbers: [Int], _ key: String, _ section: DarknetSection
  ) throws(ModelFormatError) -> [DarknetValue] {
    var found: [DarknetValue] = []
    for number in numbers {
      // Numbers of 64 bits: only small ones are added to.
      let index = number < 0 && number >= -layers.count ? layers.count + number : number
      guard layers.indices.contains(index) else {
        throw section.error(
          .unknownBlob, key, found: "\(number)",
          expected: layers.isEmpty
            ? "an earlier layer, and this is the first"
            : "an earlier layer, \(-layers.count) to -1 or 0 to \(layers.count - 1)")
      }
      guard let value = layers[index] else { throw readsHead(section, index) }
      found.append(value)
    }
    return found
  }

  private func readsHead(_ section: DarknetSection, _ index: Int) -> ModelFormatError {
    section.error(
      .unsupportedLayer, found: "a layer that reads the boxes of layer \(index)",
      expected: "layers before the heads; a [route] goes back to them")
  }

  /// The name of the value that the layer being read gives, and of steps on the way to it.
  func name(_ section: DarknetSection, _ step: String = "") -> String {
    let kind = DarknetLayerKind(section.name)?.rawValue ?? section.name
    return "\(kind)_\(layers.count)" + (step.isEmpty ? "" : "_\(step)")
  }

  /// How many pixels of the picture make one cell of the coarsest value.
  var coarsestStride: Int {
    let sizes = layers.compactMap { $0 }.filter { $0.height > 1 && $0.width > 1 }
    return sizes.map { max(image.width / $0.width, 1) }.max() ?? 1
  }
}

/// The kinds of layers that are read.
package enum DarknetLayerKind: String, CaseIterable, Sendable {
  case convolutional, maxpool, avgpool, upsample, route, shortcut, sam, reorg, dropout, yolo, region
  case scaleChannels = "scale_channels"

  private static let shortNames: [String: Self] = [
    "conv": .convolutional, "max": .maxpool, "avg": .avgpool,
  ]

  /// The kind that a section names.
  init?(_ name: String) {
    guard let kind = Self.shortNames[name] ?? Self(rawValue: name) else { return nil }
    self = kind
  }

  /// All names in alphabetical order.
  package static var names: [String] { allCases.map(\.rawValue).sorted() }
}
