// Fovea - views of letters and of pictures.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import FoveaQuartzCore
public import Foundation

/// A view of letters, which stand in the middle of its height.
@preconcurrency @MainActor open class UILabel: UIView {
  open var text: String? {
    didSet { setNeedsDisplay() }
  }
  /// Letters whose first one tells color and font.
  open var attributedText: NSAttributedString? {
    didSet {
      guard let attributedText, attributedText.length > 0 else {
        text = attributedText?.string
        return
      }
      text = attributedText.string
      let first = attributedText.attributes(at: 0, effectiveRange: nil)
      if let color = first[.foregroundColor] as? UIColor { textColor = color }
      if let font = first[.font] as? UIFont { self.font = font }
    }
  }
  open var font: UIFont! = UIFont.systemFont(ofSize: UIFont.labelFontSize)
  open var textColor: UIColor! = .label
  open var textAlignment = NSTextAlignment.natural
  /// The most lines; 0 for as many as there are.
  open var numberOfLines = 1
  open var lineBreakMode = NSLineBreakMode.byTruncatingTail
  open var isEnabled = true
  open var adjustsFontSizeToFitWidth = false
  /// The least share of the font's size where it is adjusted.
  open var minimumScaleFactor: CGFloat = 0

  private var letters: LetterDrawing {
    var letters = LetterDrawing(
      size: font.pointSize, isBold: font.isBoldFont, color: textColor.cgColor)
    letters.alignment = textAlignment.share
    letters.isWrapped = numberOfLines != 1
    letters.truncates = numberOfLines == 1 && lineBreakMode != .byClipping
    return letters
  }

  open override var intrinsicContentSize: CGSize {
    sizeThatFits(CGSize(width: CGFloat.greatestFiniteMagnitude, height: 0))
  }

  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    guard let text, !text.isEmpty else { return .zero }
    var letters = letters
    letters.truncates = false
    let width = size.width > 0 ? size.width : .greatestFiniteMagnitude
    let whole = letters.size(of: text, width: width)
    return CGSize(width: whole.width.rounded(.up), height: whole.height.rounded(.up))
  }

  open override func draw(_ rect: CGRect) { drawText(in: rect) }

  open func drawText(in rect: CGRect) {
    guard let context = UIGraphicsGetCurrentContext(), let text, !text.isEmpty else { return }
    var letters = letters
    if adjustsFontSizeToFitWidth, numberOfLines == 1 {
      letters.truncates = false
      let width = letters.size(of: text).width
      if width > rect.width, width > 0 {
        letters.size *= max(rect.width / width, minimumScaleFactor)
      }
      letters.truncates = lineBreakMode != .byClipping
    }
    var height = letters.size(of: text, width: rect.width).height
    if numberOfLines > 0 { height = min(height, CGFloat(numberOfLines) * letters.lineHeight) }
    let top = max(rect.minY, rect.midY - height / 2)
    context.saveGState()
    context.clip(to: CGRect(x: rect.minX, y: top, width: rect.width, height: height))
    letters.draw(
      text, in: CGRect(x: rect.minX, y: top, width: rect.width, height: height), context)
    context.restoreGState()
  }
}

/// A view of a picture.
@preconcurrency @MainActor open class UIImageView: UIView {
  open var image: UIImage? {
    didSet {
      layer.contents = image?.upright
      layer.contentsScale = image?.scale ?? 1
    }
  }
  open var highlightedImage: UIImage?

  public override init(frame: CGRect) { super.init(frame: frame) }

  /// A view as large as the picture.
  public convenience init(image: UIImage?) {
    self.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
    self.image = image
    layer.contents = image?.upright
    layer.contentsScale = image?.scale ?? 1
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  open override var intrinsicContentSize: CGSize { image?.size ?? super.intrinsicContentSize }

  open override func sizeThatFits(_ size: CGSize) -> CGSize { image?.size ?? .zero }
}
