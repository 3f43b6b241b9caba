// Fovea - filters of pictures, by their names.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

public let kCIInputImageKey = "inputImage"
public let kCIOutputImageKey = "outputImage"
public let kCIInputScaleKey = "inputScale"
public let kCIInputAspectRatioKey = "inputAspectRatio"
public let kCIInputSaturationKey = "inputSaturation"
public let kCIInputBrightnessKey = "inputBrightness"
public let kCIInputContrastKey = "inputContrast"

/// A filter of pictures. There are `CILanczosScaleTransform`, `CIColorControls` and `CIColorInvert`.
///
/// Stored values are changed, not linear light. Pictures that get smaller are averaged.
public final class CIFilter: NSObject {
  private enum Kind: String {
    case scale = "CILanczosScaleTransform"
    case colors = "CIColorControls"
    case inverse = "CIColorInvert"

    /// The inputs beside the picture, and what they are unless they are set.
    var defaults: [String: Double] {
      switch self {
      case .scale: [kCIInputScaleKey: 1, kCIInputAspectRatioKey: 1]
      case .colors: [kCIInputSaturationKey: 1, kCIInputBrightnessKey: 0, kCIInputContrastKey: 1]
      case .inverse: [:]
      }
    }
  }

  public var name: String
  private let kind: Kind
  private var image: CIImage?
  private var numbers: [String: Double]

  /// The filter; `nil` for a name that there is not.
  public init?(name: String) {
    guard let kind = Kind(rawValue: name) else { return nil }
    (self.name, self.kind, numbers) = (name, kind, kind.defaults)
  }

  public convenience init?(name: String, parameters: [String: Any]?) {
    self.init(name: name)
    for (key, value) in parameters ?? [:] { setValue(value, forKey: key) }
  }

  public var inputKeys: [String] { [kCIInputImageKey] + kind.defaults.keys.sorted() }
  public var outputKeys: [String] { [kCIOutputImageKey] }

  public func setDefaults() { numbers = kind.defaults }

  /// Sets an input. A number without a value has its default again.
  public func setValue(_ value: Any?, forKey key: String) {
    if key == kCIInputImageKey {
      image = value as? CIImage
      return
    }
    guard let usual = kind.defaults[key] else {
      preconditionFailure("\(name) has no \(key); it has \(inputKeys.joined(separator: ", "))")
    }
    numbers[key] =
      switch value {
      case let value as Double: value
      case let value as CGFloat: Double(value)
      case let value as Float: Double(value)
      case let value as Int: Double(value)
      case let value as NSNumber: value.doubleValue
      default: usual
      }
  }

  public func value(forKey key: String) -> Any? {
    switch key {
    case kCIInputImageKey: image
    case kCIOutputImageKey: outputImage
    default: numbers[key].map { NSNumber(value: $0) }
    }
  }

  /// The filtered picture; `nil` without one to filter.
  public var outputImage: CIImage? {
    guard let image else { return nil }
    switch kind {
    case .scale:
      let scale = number(kCIInputScaleKey)
      let map = CGAffineTransform(scaleX: scale * number(kCIInputAspectRatioKey), y: scale)
      return image.derived(.averaged(image), image.extent).transformed(by: map)
    case .colors:
      let controls = ColorControls(
        saturation: Float(number(kCIInputSaturationKey)),
        brightness: Float(number(kCIInputBrightnessKey)),
        contrast: Float(number(kCIInputContrastKey)))
      return image.derived(.recolored(image, controls), image.extent)
    case .inverse:
      let controls = ColorControls(saturation: 1, brightness: 0, contrast: -1)
      return image.derived(.recolored(image, controls), image.extent)
    }
  }

  private func number(_ key: String) -> Double { numbers[key] ?? kind.defaults[key] ?? 0 }
}

extension CIImage {
  /// The picture through a filter, which must be one that there is.
  public func applyingFilter(_ filterName: String, parameters params: [String: Any] = [:])
    -> CIImage
  {
    guard let filter = CIFilter(name: filterName, parameters: params) else {
      preconditionFailure("there is no filter \(filterName)")
    }
    filter.setValue(self, forKey: kCIInputImageKey)
    return filter.outputImage ?? CIImage()
  }
}

/// How colors are changed, all in 0...1: more or less color, then light, then contrast.
struct ColorControls: Sendable {
  /// 0 for gray, 1 for colors as they are.
  var saturation: Float
  /// Is added.
  var brightness: Float
  /// The factor of the distance from the middle.
  var contrast: Float

  /// Changes the colors of a canvas of red, green, blue and alpha, which they are multiplied by.
  func change(_ canvas: PixelCanvas) {
    for row in 0..<canvas.height {
      var pixel = canvas.base + row * canvas.rowBytes
      for _ in 0..<canvas.width {
        defer { pixel += 4 }
        let alpha = Float(pixel[3])
        guard alpha > 0 else { continue }
        let (red, green, blue) = (Float(pixel[0]), Float(pixel[1]), Float(pixel[2]))
        let luma = (0.2125 * red + 0.7154 * green + 0.0721 * blue) / alpha
        for channel in 0..<3 {
          let color = Float(pixel[channel]) / alpha
          let colored = luma + (color - luma) * saturation + brightness
          let value = min(max((colored - 0.5) * contrast + 0.5, 0), 1)
          pixel[channel] = UInt8(value * alpha + 0.5)
        }
      }
    }
  }
}
