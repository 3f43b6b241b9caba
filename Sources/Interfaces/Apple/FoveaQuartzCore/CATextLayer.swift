// Fovea - a layer that draws letters.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation

public struct CATextLayerAlignmentMode: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let natural = Self(rawValue: "natural")
  public static let left = Self(rawValue: "left")
  public static let right = Self(rawValue: "right")
  public static let center = Self(rawValue: "center")
  public static let justified = Self(rawValue: "justified")
}

public struct CATextLayerTruncationMode: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let none = Self(rawValue: "none")
  public static let start = Self(rawValue: "start")
  public static let middle = Self(rawValue: "middle")
  public static let end = Self(rawValue: "end")
}

/// What tells the size and the weight of letters. All letters have one family, without serifs.
package protocol LetterFont: AnyObject {
  var letterSize: CGFloat { get }
  var isBoldFont: Bool { get }
}

/// What is a color for letters.
package protocol LetterColor: AnyObject {
  var letterColor: CGColor { get }
}

/// A layer that draws letters from its upper left corner on.
///
/// Letters are drawn by cairo, which is opened at first use; where it is missing, none are drawn.
open class CATextLayer: CALayer {
  /// A `String`, or an `NSAttributedString`, whose first letter tells font and color of all.
  open var string: Any?
  /// A font, or its name; names with "Bold" give bold letters. Its size is `fontSize`.
  open var font: CFTypeRef?
  open var fontSize: CGFloat = 36
  open var foregroundColor: CGColor? = CGColor.white
  open var isWrapped = false
  open var alignmentMode = CATextLayerAlignmentMode.natural
  /// Whether a line that is too long loses its end, and says so by three dots.
  open var truncationMode = CATextLayerTruncationMode.none
  open var allowsFontSubpixelQuantization = false

  public override init() { super.init() }

  public override init(layer: Any) {
    super.init(layer: layer)
    guard let other = layer as? CATextLayer else { return }
    (string, font, fontSize) = (other.string, other.font, other.fontSize)
    (foregroundColor, isWrapped) = (other.foregroundColor, other.isWrapped)
    (alignmentMode, truncationMode) = (other.alignmentMode, other.truncationMode)
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  override func drawShapes(in context: CGContext) {
    guard !bounds.isEmpty else { return }
    let text: String
    var (letterFont, color) = (font as? any LetterFont, foregroundColor)
    var size = fontSize
    switch string {
    case let words as String: text = words
    case let words as NSAttributedString:
      text = words.string
      let first = words.length > 0 ? words.attributes(at: 0, effectiveRange: nil) : [:]
      if let stated = first[NSAttributedString.Key("NSFont")] as? any LetterFont {
        (letterFont, size) = (stated, stated.letterSize)
      }
      if let stated = first[NSAttributedString.Key("NSColor")] as? any LetterColor {
        color = stated.letterColor
      }
    default: return
    }
    guard let color else { return }
    let isNamedBold = (font as? NSString).map { String(describing: $0).contains("Bold") }
    var letters = LetterDrawing(
      size: size, isBold: letterFont?.isBoldFont ?? isNamedBold ?? false, color: color)
    letters.isWrapped = isWrapped
    letters.truncates = truncationMode != .none
    letters.isUpward = contentsAreFlipped()
    switch alignmentMode {
    case .center: letters.alignment = 0.5
    case .right: letters.alignment = 1
    default: break
    }
    letters.draw(text, in: bounds, context)
  }
}
