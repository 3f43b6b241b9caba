// Fovea - fonts, and strings drawn with them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
public import Foundation
public import FoveaQuartzCore

/// The size and the weight of letters. All have one family, without serifs.
open class UIFont: NSObject, LetterFont, @unchecked Sendable {  // because a font never changes
  public struct Weight: RawRepresentable, Hashable, Sendable {
    public let rawValue: CGFloat

    public init(rawValue: CGFloat) { self.rawValue = rawValue }

    public static let ultraLight = Weight(rawValue: -0.8)
    public static let thin = Weight(rawValue: -0.6)
    public static let light = Weight(rawValue: -0.4)
    public static let regular = Weight(rawValue: 0)
    public static let medium = Weight(rawValue: 0.23)
    public static let semibold = Weight(rawValue: 0.3)
    public static let bold = Weight(rawValue: 0.4)
    public static let heavy = Weight(rawValue: 0.56)
    public static let black = Weight(rawValue: 0.62)
  }

  public let fontName: String
  public let pointSize: CGFloat
  package let isBoldFont: Bool

  package init(name: String, points: CGFloat, isBold: Bool) {
    (fontName, pointSize, isBoldFont) = (name, points, isBold)
  }

  /// A font by its name, of which whether it is bold matters alone.
  public convenience init?(name fontName: String, size fontSize: CGFloat) {
    self.init(name: fontName, points: fontSize, isBold: fontName.contains("Bold"))
  }

  package var letterSize: CGFloat { pointSize }

  open var familyName: String { "sans-serif" }
  open var lineHeight: CGFloat { pointSize * 1.17 }
  open var ascender: CGFloat { pointSize * 0.93 }
  open var descender: CGFloat { -pointSize * 0.24 }
  open var capHeight: CGFloat { pointSize * 0.73 }

  open func withSize(_ fontSize: CGFloat) -> UIFont {
    UIFont(name: fontName, points: fontSize, isBold: isBoldFont)
  }

  public class func systemFont(ofSize fontSize: CGFloat) -> UIFont {
    UIFont(name: "system", points: fontSize, isBold: false)
  }

  public class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
    UIFont(name: "system", points: fontSize, isBold: weight.rawValue >= Weight.semibold.rawValue)
  }

  public class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
    systemFont(ofSize: fontSize, weight: .bold)
  }

  public class func monospacedDigitSystemFont(
    ofSize fontSize: CGFloat, weight: Weight
  ) -> UIFont { systemFont(ofSize: fontSize, weight: weight) }

  public class var systemFontSize: CGFloat { 14 }
  public class var smallSystemFontSize: CGFloat { 12 }
  public class var labelFontSize: CGFloat { 17 }
}

public enum NSTextAlignment: Int, Sendable {
  case left, center, right, justified, natural

  /// The share of the free width that stands left of a line.
  var share: CGFloat {
    switch self {
    case .center: 0.5
    case .right: 1
    default: 0
    }
  }
}

public enum NSLineBreakMode: Int, Sendable {
  case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail
  case byTruncatingMiddle
}

/// How lines of a paragraph stand.
open class NSParagraphStyle: NSObject {
  public fileprivate(set) var textAlignment = NSTextAlignment.natural
  open var alignment: NSTextAlignment { textAlignment }
  open var lineBreakMode: NSLineBreakMode { .byWordWrapping }
}

open class NSMutableParagraphStyle: NSParagraphStyle {
  private var breakMode = NSLineBreakMode.byWordWrapping

  open override var alignment: NSTextAlignment {
    get { textAlignment }
    set { textAlignment = newValue }
  }

  open override var lineBreakMode: NSLineBreakMode {
    get { breakMode }
    set { breakMode = newValue }
  }
}

extension NSAttributedString.Key {
  public static let font = NSAttributedString.Key("NSFont")
  public static let foregroundColor = NSAttributedString.Key("NSColor")
  public static let backgroundColor = NSAttributedString.Key("NSBackgroundColor")
  public static let paragraphStyle = NSAttributedString.Key("NSParagraphStyle")
}

public struct NSStringDrawingOptions: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let usesLineFragmentOrigin = Self(rawValue: 1)
  public static let usesFontLeading = Self(rawValue: 2)
  public static let usesDeviceMetrics = Self(rawValue: 8)
  public static let truncatesLastVisibleLine = Self(rawValue: 32)
}

open class NSStringDrawingContext: NSObject {}

// MARK: Drawing

private struct StyledText {
  let text: String
  var letters: LetterDrawing
  let background: UIColor?

  init(_ text: String, _ attributes: [NSAttributedString.Key: Any]?) {
    self.text = text
    let font = attributes?[.font] as? UIFont ?? UIFont.systemFont(ofSize: 12)
    let color = attributes?[.foregroundColor] as? UIColor ?? .black
    letters = LetterDrawing(
      size: font.pointSize, isBold: font.isBoldFont, color: color.cgColor)
    let style = attributes?[.paragraphStyle] as? NSParagraphStyle
    letters.alignment = style?.alignment.share ?? 0
    background = attributes?[.backgroundColor] as? UIColor
  }

  func draw(in rect: CGRect, _ filled: CGRect) {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    if let background {
      context.saveGState()
      context.setFillColor(background.cgColor)
      context.fill(filled)
      context.restoreGState()
    }
    letters.draw(text, in: rect, context)
  }

  func draw(at point: CGPoint) {
    let rect = CGRect(origin: point, size: letters.size(of: text))
    draw(in: rect, rect)
  }

  mutating func draw(in rect: CGRect) {
    letters.isWrapped = true
    let size = letters.size(of: text, width: rect.width)
    draw(
      in: rect,
      CGRect(
        x: rect.minX + letters.alignment * (rect.width - size.width), y: rect.minY,
        width: size.width, height: size.height))
  }
}

extension String {
  /// The place that letters take; wrapped at the width with `usesLineFragmentOrigin`.
  public func boundingRect(
    with size: CGSize, options: NSStringDrawingOptions = [],
    attributes: [NSAttributedString.Key: Any]? = nil, context: NSStringDrawingContext?
  ) -> CGRect {
    var letters = StyledText(self, attributes).letters
    letters.isWrapped = options.contains(.usesLineFragmentOrigin)
    return CGRect(origin: .zero, size: letters.size(of: self, width: size.width))
  }

  /// The size of lines of letters that are not wrapped.
  public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
    let styled = StyledText(self, attrs)
    return styled.letters.size(of: styled.text)
  }

  /// Draws lines of letters in the current context, from their upper left corner on.
  public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
    StyledText(self, attrs).draw(at: point)
  }

  /// Draws letters in the current context, wrapped at the width of a rectangle.
  public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
    var styled = StyledText(self, attrs)
    styled.draw(in: rect)
  }
}

extension NSString {
  public func boundingRect(
    with size: CGSize, options: NSStringDrawingOptions = [],
    attributes: [NSAttributedString.Key: Any]? = nil, context: NSStringDrawingContext?
  ) -> CGRect {
    String(describing: self).boundingRect(
      with: size, options: options, attributes: attributes, context: context)
  }

  public func size(withAttributes attrs: [NSAttributedString.Key: Any]? = nil) -> CGSize {
    String(describing: self).size(withAttributes: attrs)
  }

  public func draw(at point: CGPoint, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
    String(describing: self).draw(at: point, withAttributes: attrs)
  }

  public func draw(in rect: CGRect, withAttributes attrs: [NSAttributedString.Key: Any]? = nil) {
    String(describing: self).draw(in: rect, withAttributes: attrs)
  }
}

extension NSAttributedString {
  /// What holds at the first letter holds for all.
  private var first: [NSAttributedString.Key: Any]? {
    length > 0 ? attributes(at: 0, effectiveRange: nil) : nil
  }

  public func size() -> CGSize { string.size(withAttributes: first) }

  public func draw(at point: CGPoint) { string.draw(at: point, withAttributes: first) }

  public func draw(in rect: CGRect) { string.draw(in: rect, withAttributes: first) }
}
