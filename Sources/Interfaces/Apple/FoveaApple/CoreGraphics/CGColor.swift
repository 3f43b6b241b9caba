// Fovea - colors and color spaces. Nothing is converted between spaces: all count as sRGB.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

public enum CGColorSpaceModel: Int32, Sendable {
  case unknown = -1
  case monochrome
  case rgb
}

/// A color space: gray, or red, green and blue.
public final class CGColorSpace: Hashable, Sendable {
  private let words: String
  public let model: CGColorSpaceModel

  init(_ words: String, _ model: CGColorSpaceModel) { (self.words, self.model) = (words, model) }

  /// A space by its name; `nil` for one that is neither gray nor of red, green and blue.
  public convenience init?(name: CFString) {
    let words = String(describing: name)
    guard !words.contains("CMYK"), !words.contains("Lab"), !words.contains("XYZ") else {
      return nil
    }
    self.init(words, words.contains("Gray") ? .monochrome : .rgb)
  }

  public var name: CFString? { words as NSString }
  public var numberOfComponents: Int { model == .monochrome ? 1 : 3 }

  nonisolated(unsafe) public static let sRGB: CFString = "kCGColorSpaceSRGB"
  nonisolated(unsafe) public static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
  nonisolated(unsafe) public static let linearSRGB: CFString = "kCGColorSpaceLinearSRGB"
  nonisolated(unsafe) public static let genericRGBLinear: CFString =
    "kCGColorSpaceGenericRGBLinear"
  nonisolated(unsafe) public static let displayP3: CFString = "kCGColorSpaceDisplayP3"
  nonisolated(unsafe) public static let itur_709: CFString = "kCGColorSpaceITUR_709"
  nonisolated(unsafe) public static let linearGray: CFString = "kCGColorSpaceLinearGray"
  nonisolated(unsafe) public static let genericGrayGamma2_2: CFString =
    "kCGColorSpaceGenericGrayGamma2_2"

  public static func == (left: CGColorSpace, right: CGColorSpace) -> Bool {
    left.words == right.words
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(words) }

  static let deviceRGB = CGColorSpace("kCGColorSpaceDeviceRGB", .rgb)
  static let deviceGray = CGColorSpace("kCGColorSpaceDeviceGray", .monochrome)
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .deviceRGB }

public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { .deviceGray }

/// A color with straight alpha. Components beyond 0...1 are kept, and held in that range when
/// something is drawn.
public final class CGColor: Hashable, Sendable {
  private let values: [CGFloat]
  private let space: CGColorSpace

  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    (values, space) = ([red, green, blue, alpha], .deviceRGB)
  }

  public init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    (values, space) = ([red, green, blue, alpha], CGColorSpace("kCGColorSpaceSRGB", .rgb))
  }

  public init(gray: CGFloat, alpha: CGFloat) {
    (values, space) = ([gray, alpha], .deviceGray)
  }

  public init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
    (values, space) = ([gray, alpha], .deviceGray)
  }

  /// The components of the space, then alpha.
  public init?(colorSpace: CGColorSpace, components: UnsafePointer<CGFloat>) {
    values = (0...colorSpace.numberOfComponents).map { components[$0] }
    space = colorSpace
  }

  public static let black = CGColor(gray: 0, alpha: 1)
  public static let white = CGColor(gray: 1, alpha: 1)
  public static let clear = CGColor(gray: 0, alpha: 0)

  public var components: [CGFloat]? { values }
  public var numberOfComponents: Int { values.count }
  public var alpha: CGFloat { values.last ?? 1 }
  public var colorSpace: CGColorSpace? { space }

  public func copy(alpha: CGFloat) -> CGColor? {
    (values.dropLast() + [alpha]).withUnsafeBufferPointer { components in
      components.baseAddress.flatMap { CGColor(colorSpace: space, components: $0) }
    }
  }

  public static func == (left: CGColor, right: CGColor) -> Bool {
    left.values == right.values && left.space == right.space
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(values) }

  /// Red, green, blue and alpha, each in 0...1.
  package var rgba: (red: Double, green: Double, blue: Double, alpha: Double) {
    func held(_ value: CGFloat) -> Double { min(max(Double(value), 0), 1) }
    if values.count == 2 {
      return (held(values[0]), held(values[0]), held(values[0]), held(values[1]))
    }
    return (held(values[0]), held(values[1]), held(values[2]), held(values[3]))
  }
}
