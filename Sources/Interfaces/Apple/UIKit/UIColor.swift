// Fovea - colors by name and by number.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation
public import FoveaQuartzCore

/// A color. Those of the system are what they are by day.
open class UIColor: NSObject, LetterColor, @unchecked Sendable {  // because a color never changes
  public let cgColor: CGColor

  public init(cgColor: CGColor) { self.cgColor = cgColor }

  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(cgColor: CGColor(srgbRed: red, green: green, blue: blue, alpha: alpha))
  }

  public convenience init(
    displayP3Red red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat
  ) { self.init(red: red, green: green, blue: blue, alpha: alpha) }

  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(cgColor: CGColor(gray: white, alpha: alpha))
  }

  public convenience init(ciColor: CIColor) {
    self.init(
      red: ciColor.red, green: ciColor.green, blue: ciColor.blue, alpha: ciColor.alpha)
  }

  /// A color of the circle of hues, all numbers in 0...1.
  public convenience init(
    hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat
  ) {
    let place = (hue - hue.rounded(.down)) * 6
    func channel(_ offset: CGFloat) -> CGFloat {
      let k = (offset + place).truncatingRemainder(dividingBy: 6)
      return brightness * (1 - saturation * max(0, min(k, 4 - k, 1)))
    }
    self.init(red: channel(5), green: channel(3), blue: channel(1), alpha: alpha)
  }

  package var letterColor: CGColor { cgColor }

  public var ciColor: CIColor { CIColor(cgColor: cgColor) }

  open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    cgColor.copy(alpha: alpha).map(UIColor.init(cgColor:)) ?? self
  }

  @discardableResult
  open func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
    blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    let values = cgColor.components ?? []
    let isGray = values.count == 2
    red?.pointee = values[0]
    green?.pointee = values[isGray ? 0 : 1]
    blue?.pointee = values[isGray ? 0 : 2]
    alpha?.pointee = values[values.count - 1]
    return true
  }

  @discardableResult
  open func getWhite(
    _ white: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    let values = cgColor.components ?? []
    guard values.count == 2 else { return false }
    white?.pointee = values[0]
    alpha?.pointee = values[1]
    return true
  }

  @discardableResult
  open func getHue(
    _ hue: UnsafeMutablePointer<CGFloat>?, saturation: UnsafeMutablePointer<CGFloat>?,
    brightness: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    var (r, g, b, a): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
    getRed(&r, green: &g, blue: &b, alpha: &a)
    let (most, least) = (max(r, g, b), min(r, g, b))
    let span = most - least
    var turn: CGFloat = 0
    if span > 0 {
      turn =
        most == r
        ? (g - b) / span : (most == g ? (b - r) / span + 2 : (r - g) / span + 4)
    }
    hue?.pointee = (turn < 0 ? turn + 6 : turn) / 6
    saturation?.pointee = most > 0 ? span / most : 0
    brightness?.pointee = most
    alpha?.pointee = a
    return true
  }

  // MARK: The current context

  open func set() {
    setFill()
    setStroke()
  }

  open func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(cgColor) }

  open func setStroke() { UIGraphicsGetCurrentContext()?.setStrokeColor(cgColor) }

  // MARK: Comparing

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? UIColor)?.cgColor.rgbaValues == cgColor.rgbaValues
  }

  open override var hash: Int { cgColor.rgbaValues.hashValue }

  open override var description: String { "UIColor(\(cgColor.rgbaValues))" }
}

extension CGColor {
  fileprivate var rgbaValues: [Double] {
    let (red, green, blue, alpha) = rgba
    return [red, green, blue, alpha]
  }
}

// MARK: Names

extension UIColor {
  public static let black = UIColor(white: 0, alpha: 1)
  public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
  public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
  public static let white = UIColor(white: 1, alpha: 1)
  public static let gray = UIColor(white: 0.5, alpha: 1)
  public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
  public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
  public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
  public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
  public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
  public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
  public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
  public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
  public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
  public static let clear = UIColor(white: 0, alpha: 0)

  public static let systemRed = bytes(255, 59, 48)
  public static let systemGreen = bytes(52, 199, 89)
  public static let systemBlue = bytes(0, 122, 255)
  public static let systemOrange = bytes(255, 149, 0)
  public static let systemYellow = bytes(255, 204, 0)
  public static let systemPink = bytes(255, 45, 85)
  public static let systemPurple = bytes(175, 82, 222)
  public static let systemTeal = bytes(48, 176, 199)
  public static let systemIndigo = bytes(88, 86, 214)
  public static let systemGray = bytes(142, 142, 147)
  public static let label = black
  public static let secondaryLabel = bytes(60, 60, 67).withAlphaComponent(0.6)
  public static let systemBackground = white
  public static let secondarySystemBackground = bytes(242, 242, 247)

  private static func bytes(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) -> UIColor {
    UIColor(red: red / 255, green: green / 255, blue: blue / 255, alpha: 1)
  }
}
