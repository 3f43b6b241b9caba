// Fovea - what numbers a network expects in the place of pixels.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLibc
internal import FoveaModelValues

/// What numbers a network expects in the place of pixels.
///
/// A file says it, or the family of the network has a custom; else pixels become 0 to 1.
struct PictureNumbers: Equatable {
  /// One number, or three for red, green and blue.
  var scale: [Float] = [1 / 255]
  /// As many as `scale` may have.
  var bias: [Float] = [0]
  /// `nil` for red first, and for gray.
  var color: PictureInput.ColorOrder?
  /// Why, in a few words behind "because".
  var reason = "nothing says otherwise"
  /// Whether this is the custom of an exporter, and not said of this file.
  var isCustom = false
  /// Whether the order of colors follows from the head all the same.
  var leavesColor = false

  /// What the networks of ImageNet's classifiers expect: the mean and the deviation of its pictures.
  static let imageNet = PictureNumbers(
    mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375],
    reason: "classifiers are trained with the mean and deviation of ImageNet")

  /// -1 to 1.
  private static let symmetric: (scale: Float, bias: Float) = (1 / 127.5, -1)
}

extension PictureNumbers {
  /// (pixel - mean) / deviation, for red, green and blue.
  init(
    mean: [Float], deviation: [Float], color: PictureInput.ColorOrder? = nil, reason: String
  ) {
    scale = deviation.map { 1 / $0 }
    bias = zip(mean, deviation).map { -$0 / $1 }
    self.color = color
    self.reason = reason
  }

  /// What a file says about its pictures; `nil` where it says nothing.
  ///
  /// - Throws: `invalidModel` for an entry that cannot be read.
  static func stated(by file: ModelMetadata) throws(FoveaError) -> PictureNumbers? {
    let metadata = file.userDefined
    if [scaleKey, biasKey, colorKey].contains(where: { metadata[$0] != nil }) {
      let color = try metadata[colorKey].map { text throws(FoveaError) in
        guard let color = PictureInput.ColorOrder(rawValue: text) else {
          throw damaged(colorKey, text)
        }
        return color
      }
      return PictureNumbers(
        scale: try numbers(metadata, scaleKey) ?? [1], bias: try numbers(metadata, biasKey) ?? [0],
        color: color, reason: "the file says so")
    }
    if let mean = try numbers(metadata, meanKey),
      let deviation = try numbers(metadata, deviationKey), mean.count == deviation.count
    {
      return PictureNumbers(mean: mean, deviation: deviation, reason: "the file says so")
    }
    return file.isOfUltralytics
      ? PictureNumbers(reason: "Ultralytics exports networks so", isCustom: true) : nil
  }

  /// Entries of the author's metadata that readers of formats make of what a file says: numbers with
  /// commas for red, green and blue, or one for all; "rgb", "bgr" or "gray".
  static let scaleKey = "fovea.picture.scale"
  static let biasKey = "fovea.picture.bias"
  static let colorKey = "fovea.picture.color"
  /// The same as (pixel - mean) / deviation; as many numbers of both.
  static let meanKey = "normalization.mean"
  static let deviationKey = "normalization.std"

  private static func numbers(
    _ metadata: [String: String], _ key: String
  ) throws(FoveaError) -> [Float]? {
    guard let text = metadata[key] else { return nil }
    let numbers = text.split(separator: ",").compactMap { part in
      Float(part.drop(while: \.isWhitespace))
    }
    let isScale = key == scaleKey || key == deviationKey
    guard [1, 3].contains(numbers.count),
      numbers.allSatisfy({ $0.isFinite && (!isScale || $0 != 0) })
    else { throw damaged(key, text) }
    return numbers
  }

  private static func damaged(_ key: String, _ text: String) -> FoveaError {
    FoveaError(
      .invalidModel,
      "its entry \"\(key)\" is \"\(ModelText.readable(text))\"; \(FoveaError.damaged)")
  }

  /// What the networks with a head expect; `nil` for those that have no custom of their own.
  ///
  /// - Parameter side: The shorter side of the network's image, in pixels.
  init?(of head: DetectorHead, side: Int) {
    switch head {
    case .yolox:
      self.init(
        scale: [1], bias: [0], color: .bgr, reason: "YOLOX reads pixels as they are, blue first")
    case .nanodet:
      self.init(
        mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375], color: .bgr,
        reason: "NanoDet is trained with the mean and deviation of ImageNet, blue first")
    case .picodet:
      self = .imageNet
      reason = "PicoDet is trained with the mean and deviation of ImageNet"
    case .efficientdet where side < 512:
      self.init(
        scale: [Self.symmetric.scale], bias: [Self.symmetric.bias],
        reason: "small EfficientDets read -1 to 1")
    case .efficientdet:
      self = .imageNet
      reason = "EfficientDet is trained with the mean and deviation of ImageNet"
    default: return nil
    }
  }
}

extension ModelMetadata {
  /// Whether Ultralytics' exporter wrote the model, which says so in each format at another place.
  fileprivate var isOfUltralytics: Bool {
    let texts = [
      author, shortDescription, userDefined["author"], userDefined["description"],
      userDefined["docs"],
    ]
    return texts.contains { $0?.lowercased().includes("ultralytics") == true }
  }
}
