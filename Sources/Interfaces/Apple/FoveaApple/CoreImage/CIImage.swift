// Fovea - pictures as recipes, which are followed when somebody asks for pixels.
// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import FoveaImaging

public struct CIImageOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let applyOrientationProperty = Self(rawValue: "applyOrientationProperty")
  public static let colorSpace = Self(rawValue: "colorSpace")
  public static let properties = Self(rawValue: "properties")
}

public struct CIFormat: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let ARGB8 = CIFormat(rawValue: 265)
  public static let BGRA8 = CIFormat(rawValue: 266)
  public static let RGBA8 = CIFormat(rawValue: 264)
  public static let ABGR8 = CIFormat(rawValue: 267)
  public static let L8 = CIFormat(rawValue: 269)

  var arrangement: PixelArrangement? {
    switch self {
    case .ARGB8: .argb
    case .BGRA8: .bgra
    case .RGBA8: .rgba
    case .ABGR8: .abgr
    case .L8: .gray
    default: nil
    }
  }
}

/// A color of a picture without end.
public final class CIColor: Hashable, Sendable {
  public let red, green, blue, alpha: CGFloat

  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  public convenience init(cgColor: CGColor) {
    let (red, green, blue, alpha) = cgColor.rgba
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  public static let black = CIColor(red: 0, green: 0, blue: 0)
  public static let white = CIColor(red: 1, green: 1, blue: 1)
  public static let red = CIColor(red: 1, green: 0, blue: 0)
  public static let green = CIColor(red: 0, green: 1, blue: 0)
  public static let blue = CIColor(red: 0, green: 0, blue: 1)
  public static let gray = CIColor(red: 0.5, green: 0.5, blue: 0.5)
  public static let clear = CIColor(red: 0, green: 0, blue: 0, alpha: 0)

  public static func == (left: CIColor, right: CIColor) -> Bool {
    (left.red, left.green, left.blue, left.alpha)
      == (right.red, right.green, right.blue, right.alpha)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine([red, green, blue, alpha]) }

  var cgColor: CGColor { CGColor(red: red, green: green, blue: blue, alpha: alpha) }
}

/// A picture as a recipe. Its coordinates begin at the lower left.
public final class CIImage: Hashable {
  /// How the picture is made.
  indirect enum Recipe {
    case image(CGImage)
    case buffer(CVPixelBuffer)
    case color(CGColor)
    case nothing
    case transformed(CIImage, CGAffineTransform)
    case cropped(CIImage)
    case clamped(CIImage)
    case composited(CIImage, over: CIImage)
    case sampled(CIImage, isNearest: Bool)
    /// All pixels that one of the result covers are mixed.
    case averaged(CIImage)
    case recolored(CIImage, ColorControls)
  }

  let recipe: Recipe
  /// Where the picture has pixels; may be infinite.
  public let extent: CGRect
  public let properties: [String: Any]
  public let url: URL?

  init(_ recipe: Recipe, extent: CGRect, properties: [String: Any] = [:], url: URL? = nil) {
    (self.recipe, self.extent, self.properties, self.url) = (recipe, extent, properties, url)
  }

  /// The same recipe once more.
  package convenience init(recipe other: CIImage) {
    self.init(
      other.recipe, extent: other.extent, properties: other.properties, url: other.url)
  }

  /// The picture without pixels.
  public convenience init() { self.init(.nothing, extent: .zero) }

  public static func empty() -> CIImage { CIImage() }

  public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]? = nil) {
    self.init(
      .image(image), extent: CGRect(x: 0, y: 0, width: image.width, height: image.height))
  }

  public convenience init(
    cvPixelBuffer buffer: CVPixelBuffer, options: [CIImageOption: Any]? = nil
  ) {
    self.init(
      .buffer(buffer), extent: CGRect(x: 0, y: 0, width: buffer.width, height: buffer.height))
  }

  public convenience init(
    cvImageBuffer buffer: CVImageBuffer, options: [CIImageOption: Any]? = nil
  ) { self.init(cvPixelBuffer: buffer, options: options) }

  public convenience init(color: CIColor) {
    self.init(.color(color.cgColor), extent: .infinite)
  }

  public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
    guard let data = try? Data(contentsOf: url) else { return nil }
    self.init(data, options, url: url)
  }

  public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
    self.init(data, options, url: nil)
  }

  private convenience init?(_ data: Data, _ options: [CIImageOption: Any]?, url: URL?) {
    guard let image = try? Image(bytes: [UInt8](data)), let stored = CGImage(image) else {
      return nil
    }
    let properties: [String: Any] = [
      "Orientation": image.storedOrientation, "PixelWidth": image.width,
      "PixelHeight": image.height,
    ]
    let plain = CIImage(cgImage: stored)
    let turns = options?[.applyOrientationProperty] as? Bool ?? false
    let turned = turns ? plain.oriented(forExifOrientation: Int32(image.storedOrientation)) : plain
    self.init(
      turned.recipe, extent: turned.extent,
      properties: turns ? properties.merging(["Orientation": 1]) { $1 } : properties, url: url)
  }

  /// Rows of pixels from the top.
  public convenience init(
    bitmapData data: Data, bytesPerRow: Int, size: CGSize, format: CIFormat,
    colorSpace: CGColorSpace?
  ) {
    let bytes = CGDataProvider(data: data as NSData)
    guard let arrangement = format.arrangement, let bytes,
      let image = CGImage(
        width: Int(size.width), height: Int(size.height), bytesPerRow: bytesPerRow,
        space: colorSpace ?? .deviceRGB,
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue),
        arrangement: arrangement, provider: bytes, offset: 0)
    else {
      self.init()
      return
    }
    self.init(cgImage: image)
  }

  // MARK: Where pixels come from

  /// The picture that this one is nothing but; `nil` for others.
  public var cgImage: CGImage? {
    if case .image(let image) = recipe { image } else { nil }
  }

  /// The buffer that this one is nothing but; `nil` for others.
  public var pixelBuffer: CVPixelBuffer? {
    if case .buffer(let buffer) = recipe { buffer } else { nil }
  }

  public var colorSpace: CGColorSpace? { cgImage?.colorSpace ?? .deviceRGB }

  public static func == (left: CIImage, right: CIImage) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // MARK: Other pictures

  public func transformed(by matrix: CGAffineTransform) -> CIImage {
    derived(.transformed(self, matrix), extent.isInfinite ? extent : extent.applying(matrix))
  }

  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    orientation == .up ? self : transformed(by: orientationTransform(for: orientation))
  }

  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    oriented(CGImagePropertyOrientation(rawValue: UInt32(clamping: orientation)) ?? .up)
  }

  /// The map that turns the picture and moves it to the origin.
  public func orientationTransform(
    for orientation: CGImagePropertyOrientation
  ) -> CGAffineTransform {
    guard !extent.isInfinite, !extent.isNull else { return .identity }
    return CGAffineTransform(translationX: -extent.minX, y: -extent.minY)
      .concatenating(orientation.transform(width: extent.width, height: extent.height))
  }

  public func orientationTransform(forExifOrientation orientation: Int32) -> CGAffineTransform {
    orientationTransform(
      for: CGImagePropertyOrientation(rawValue: UInt32(clamping: orientation)) ?? .up)
  }

  public func cropped(to rect: CGRect) -> CIImage {
    let part = extent.isInfinite ? rect : extent.intersection(rect)
    return derived(.cropped(self), part.isNull ? .zero : part)
  }

  public func clampedToExtent() -> CIImage { derived(.clamped(self), .infinite) }

  public func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

  public func composited(over dest: CIImage) -> CIImage {
    let all = extent.isInfinite || dest.extent.isInfinite ? .infinite : extent.union(dest.extent)
    return derived(.composited(self, over: dest), all)
  }

  public func samplingNearest() -> CIImage {
    derived(.sampled(self, isNearest: true), extent)
  }

  public func samplingLinear() -> CIImage { derived(.sampled(self, isNearest: false), extent) }

  public func settingProperties(_ properties: [AnyHashable: Any]) -> CIImage {
    var named: [String: Any] = [:]
    for (key, value) in properties { named["\(key)"] = value }
    return CIImage(recipe, extent: extent, properties: named, url: url)
  }

  func derived(_ recipe: Recipe, _ extent: CGRect) -> CIImage {
    CIImage(recipe, extent: extent, properties: properties, url: url)
  }
}
