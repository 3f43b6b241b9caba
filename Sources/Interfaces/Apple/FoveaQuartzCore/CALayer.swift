// Fovea - a rectangle that is drawn, with others in it.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation

/// What a layer asks somebody else for.
public protocol CALayerDelegate: NSObjectProtocol {
  func display(_ layer: CALayer)
  func draw(_ layer: CALayer, in ctx: CGContext)
  func layerWillDraw(_ layer: CALayer)
  func layoutSublayers(of layer: CALayer)
}

extension CALayerDelegate {
  public func display(_ layer: CALayer) {}
  public func draw(_ layer: CALayer, in ctx: CGContext) {}
  public func layerWillDraw(_ layer: CALayer) {}
  public func layoutSublayers(of layer: CALayer) {}
}

/// The corners that `cornerRadius` rounds.
public struct CACornerMask: OptionSet, Hashable, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
  public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
  public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
  public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)
}

/// A rectangle that is drawn: a background, a picture, other layers, a border.
///
/// As on a phone, y counts from the top unless `isGeometryFlipped` says otherwise. Nothing moves by
/// itself: every change holds at once, and `render(in:)` draws what there is.
open class CALayer: NSObject {
  // MARK: Geometry

  /// The rectangle in the layer's own coordinates.
  open var bounds = CGRect.zero { didSet { if bounds.size != oldValue.size { resized() } } }
  /// The least rectangle around the layer in its superlayer's coordinates.
  ///
  /// It follows from `bounds`, `position`, `anchorPoint` and `transform`; set, it changes the first
  /// two.
  open var frame: CGRect {
    get { frame(at: position) }
    set { place(in: newValue.standardized) }
  }
  /// Where the anchor point lies in the superlayer's coordinates.
  open var position = CGPoint.zero
  /// A point of `bounds`, as fractions of its sides.
  open var anchorPoint = CGPoint(x: 0.5, y: 0.5)
  /// How the layer is turned and scaled around its anchor point.
  open var transform = CATransform3DIdentity
  /// Layers with higher values are drawn later.
  open var zPosition: CGFloat = 0
  /// Whether y of the layers in this one counts from the other side.
  open var isGeometryFlipped = false

  // MARK: Look

  open var isHidden = false
  open var opacity: Float = 1
  open var isOpaque = false
  open var backgroundColor: CGColor?
  /// The width of a border that lies within `bounds`.
  open var borderWidth: CGFloat = 0
  open var borderColor: CGColor? = CGColor.black
  open var cornerRadius: CGFloat = 0
  open var maskedCorners: CACornerMask = [
    .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
  ]
  /// Whether what lies outside of `bounds`, or of its rounded corners, is cut off.
  open var masksToBounds = false
  /// A layer whose alpha this one is multiplied by.
  open var mask: CALayer?
  open var shadowColor: CGColor? = CGColor.black
  open var shadowOpacity: Float = 0
  open var shadowOffset = CGSize(width: 0, height: -3)
  open var shadowRadius: CGFloat = 3
  open var shadowPath: CGPath?

  // MARK: Contents

  /// The picture of the layer: a `CGImage`, or a `CVPixelBuffer`.
  open var contents: Any?
  /// How the picture is laid into `bounds`.
  open var contentsGravity = CALayerContentsGravity.resize
  /// The part of the picture that is shown, as fractions of its sides.
  open var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
  /// Pixels of the picture in a unit, where its size decides.
  open var contentsScale: CGFloat = 1
  open var magnificationFilter = CALayerContentsFilter.linear
  open var minificationFilter = CALayerContentsFilter.linear
  open var needsDisplayOnBoundsChange = false
  open weak var delegate: (any CALayerDelegate)?
  open var name: String?

  open internal(set) weak var superlayer: CALayer?
  var children: [CALayer] = []
  private var display = true
  private var layout = false
  private var values: [String: Any] = [:]

  public override init() { super.init() }

  /// A copy of another layer, without its sublayers.
  public init(layer: Any) {
    super.init()
    guard let other = layer as? CALayer else { return }
    (bounds, position, anchorPoint) = (other.bounds, other.position, other.anchorPoint)
    (transform, zPosition) = (other.transform, other.zPosition)
    (isGeometryFlipped, isHidden, opacity) = (
      other.isGeometryFlipped, other.isHidden, other.opacity
    )
    (isOpaque, backgroundColor) = (other.isOpaque, other.backgroundColor)
    (borderWidth, borderColor) = (other.borderWidth, other.borderColor)
    (cornerRadius, maskedCorners) = (other.cornerRadius, other.maskedCorners)
    (masksToBounds, mask) = (other.masksToBounds, other.mask)
    (shadowColor, shadowOpacity) = (other.shadowColor, other.shadowOpacity)
    (shadowOffset, shadowRadius) = (other.shadowOffset, other.shadowRadius)
    (shadowPath, contents, contentsGravity) = (
      other.shadowPath, other.contents, other.contentsGravity
    )
    (contentsRect, contentsScale) = (other.contentsRect, other.contentsScale)
    (magnificationFilter, minificationFilter) = (
      other.magnificationFilter, other.minificationFilter
    )
    (name, values) = (other.name, other.values)
  }

  /// Layers are not read from archives; what one holds is ignored.
  public required init?(coder: NSCoder) { super.init() }

  /// What is shown at this moment: the layer itself, since nothing moves.
  open func presentation() -> Self? { self }

  open func model() -> Self { self }

  /// Keeps a value under a name of the caller's own.
  open func setValue(_ value: Any?, forKey key: String) { values[key] = value }

  open func value(forKey key: String) -> Any? { values[key] }

  // MARK: The tree

  open func addSublayer(_ layer: CALayer) { insert(layer, at: children.count) }

  open func removeFromSuperlayer() {
    superlayer?.children.removeAll { $0 === self }
    superlayer = nil
  }

  // MARK: When something is drawn or laid out

  open func setNeedsDisplay() { display = true }

  open func setNeedsDisplay(_ r: CGRect) { display = true }

  open func needsDisplay() -> Bool { display }

  open func displayIfNeeded() {
    guard display else { return }
    display = false
    delegate?.display(self)
  }

  /// Draws the layer and all in it, in its own coordinates, into a context.
  ///
  /// A context of pixels counts y from below, so that what was laid out from the top comes out upside
  /// down there. Contexts of UIKit count from the top.
  open func render(in ctx: CGContext) {
    layoutIfNeeded()
    drawTree(in: ctx)
  }

  /// Draws what `contents` does not hold. Called by `render(in:)`.
  open func draw(in ctx: CGContext) {
    delegate?.layerWillDraw(self)
    delegate?.draw(self, in: ctx)
  }

  /// Draws what a kind of layer is for, below `draw(in:)`.
  func drawShapes(in context: CGContext) {}

  open func setNeedsLayout() { layout = true }

  open func needsLayout() -> Bool { layout }

  open func layoutIfNeeded() {
    if layout {
      layout = false
      layoutSublayers()
    }
    for child in children { child.layoutIfNeeded() }
  }

  open func layoutSublayers() { delegate?.layoutSublayers(of: self) }

  private func resized() {
    layout = true
    if needsDisplayOnBoundsChange { display = true }
  }
}
