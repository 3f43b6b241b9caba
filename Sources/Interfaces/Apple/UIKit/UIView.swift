// Fovea - views as models: rectangles with layers, in other views.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaQuartzCore
public import Foundation

@preconcurrency @MainActor open class UIResponder: NSObject {
  open var next: UIResponder? { nil }
}

/// Reads nothing. Layers of other classes are made with it: every layer has this initializer.
private final class EmptyCoder: NSCoder {}

/// Runs what a view does for its layer, on whatever thread the layer is drawn.
///
/// Layers belong to no actor, and their views are drawn where somebody calls `render(in:)`.
private func asView(_ body: @MainActor () -> Void) {
  typealias Plain = () -> Void
  withoutActuallyEscaping(body) { unsafeBitCast($0, to: Plain.self)() }
}

/// A rectangle with a layer. Nothing is shown on a screen; `layer.render(in:)` draws it.
@preconcurrency @MainActor open class UIView: UIResponder {
  public enum ContentMode: Int, Sendable {
    case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right
    case topLeft, topRight, bottomLeft, bottomRight

    var gravity: CALayerContentsGravity {
      switch self {
      case .scaleToFill, .redraw: .resize
      case .scaleAspectFit: .resizeAspect
      case .scaleAspectFill: .resizeAspectFill
      case .center: .center
      case .top: .top
      case .bottom: .bottom
      case .left: .left
      case .right: .right
      case .topLeft: .topLeft
      case .topRight: .topRight
      case .bottomLeft: .bottomLeft
      case .bottomRight: .bottomRight
      }
    }
  }

  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let flexibleLeftMargin = Self(rawValue: 1)
    public static let flexibleWidth = Self(rawValue: 2)
    public static let flexibleRightMargin = Self(rawValue: 4)
    public static let flexibleTopMargin = Self(rawValue: 8)
    public static let flexibleHeight = Self(rawValue: 16)
    public static let flexibleBottomMargin = Self(rawValue: 32)
  }

  /// The class of the view's layer.
  open class var layerClass: AnyClass { CALayer.self }

  public let layer: CALayer
  open private(set) var subviews: [UIView] = []
  open private(set) weak var superview: UIView?
  weak var controller: UIViewController?
  open var tag = 0
  open var isUserInteractionEnabled = true
  open var tintColor: UIColor! = .systemBlue
  /// Which sides change with those of the superview.
  open var autoresizingMask: AutoresizingMask = []
  open var translatesAutoresizingMaskIntoConstraints = true
  open var contentMode = ContentMode.scaleToFill {
    didSet { layer.contentsGravity = contentMode.gravity }
  }

  public init(frame: CGRect) {
    layer = Self.makeLayer()
    super.init()
    layer.delegate = self
    layer.frame = frame
  }

  public convenience override init() { self.init(frame: .zero) }

  /// Views are not read from archives; what one holds is ignored.
  public required init?(coder: NSCoder) {
    layer = Self.makeLayer()
    super.init()
    layer.delegate = self
  }

  private static func makeLayer() -> CALayer {
    guard let kind = layerClass as? CALayer.Type, kind != CALayer.self else { return CALayer() }
    return kind.init(coder: EmptyCoder()) ?? CALayer()
  }

  open override var next: UIResponder? { controller ?? superview }

  // MARK: Geometry

  open var frame: CGRect {
    get { layer.frame }
    set {
      let old = layer.bounds.size
      layer.frame = newValue
      resizeSubviews(from: old)
    }
  }

  open var bounds: CGRect {
    get { layer.bounds }
    set {
      let old = layer.bounds.size
      layer.bounds = newValue
      resizeSubviews(from: old)
    }
  }

  open var center: CGPoint {
    get { layer.position }
    set { layer.position = newValue }
  }

  open var transform: CGAffineTransform {
    get { layer.affineTransform() }
    set { layer.setAffineTransform(newValue) }
  }

  private func resizeSubviews(from old: CGSize) {
    let change = (layer.bounds.width - old.width, layer.bounds.height - old.height)
    guard change != (0, 0) else { return }
    for view in subviews where !view.autoresizingMask.isEmpty {
      let mask = view.autoresizingMask
      var frame = view.frame
      (frame.origin.x, frame.size.width) = Self.resized(
        frame.minX, frame.width, change.0, mask.contains(.flexibleLeftMargin),
        mask.contains(.flexibleWidth), mask.contains(.flexibleRightMargin))
      (frame.origin.y, frame.size.height) = Self.resized(
        frame.minY, frame.height, change.1, mask.contains(.flexibleTopMargin),
        mask.contains(.flexibleHeight), mask.contains(.flexibleBottomMargin))
      view.frame = frame
    }
  }

  /// Shares a change among what may change, alike.
  private static func resized(
    _ start: CGFloat, _ side: CGFloat, _ change: CGFloat, _ before: Bool, _ itself: Bool,
    _ after: Bool
  ) -> (CGFloat, CGFloat) {
    let count = [before, itself, after].count { $0 }
    guard count > 0 else { return (start, side) }
    let share = change / CGFloat(count)
    return (start + (before ? share : 0), max(0, side + (itself ? share : 0)))
  }

  open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
    layer.convert(point, to: (view ?? topmost).layer)
  }

  open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
    layer.convert(point, from: (view ?? topmost).layer)
  }

  open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
    layer.convert(rect, to: (view ?? topmost).layer)
  }

  open func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
    layer.convert(rect, from: (view ?? topmost).layer)
  }

  private var topmost: UIView { superview?.topmost ?? self }

  // MARK: Look

  open var backgroundColor: UIColor? {
    get { layer.backgroundColor.map(UIColor.init(cgColor:)) }
    set { layer.backgroundColor = newValue?.cgColor }
  }

  open var alpha: CGFloat {
    get { CGFloat(layer.opacity) }
    set { layer.opacity = Float(min(max(newValue, 0), 1)) }
  }

  open var isHidden: Bool {
    get { layer.isHidden }
    set { layer.isHidden = newValue }
  }

  open var isOpaque: Bool {
    get { layer.isOpaque }
    set { layer.isOpaque = newValue }
  }

  open var clipsToBounds: Bool {
    get { layer.masksToBounds }
    set { layer.masksToBounds = newValue }
  }

  open func setNeedsDisplay() { layer.setNeedsDisplay() }

  open func setNeedsDisplay(_ rect: CGRect) { layer.setNeedsDisplay(rect) }

  /// Draws what the view itself shows, in the current context.
  open func draw(_ rect: CGRect) {}

  @discardableResult
  open func drawHierarchy(in rect: CGRect, afterScreenUpdates afterUpdates: Bool) -> Bool {
    guard let context = UIGraphicsGetCurrentContext(), !bounds.isEmpty else { return false }
    context.saveGState()
    context.translateBy(x: rect.minX, y: rect.minY)
    context.scaleBy(x: rect.width / bounds.width, y: rect.height / bounds.height)
    context.translateBy(x: -bounds.minX, y: -bounds.minY)
    layer.render(in: context)
    context.restoreGState()
    return true
  }

  // MARK: Layout

  open func setNeedsLayout() { layer.setNeedsLayout() }

  open func layoutIfNeeded() { layer.layoutIfNeeded() }

  open func layoutSubviews() {}

  open var intrinsicContentSize: CGSize { CGSize(width: -1, height: -1) }

  open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

  open func sizeToFit() {
    frame = CGRect(origin: frame.origin, size: sizeThatFits(bounds.size))
  }

  // MARK: Other views

  open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  open func insertSubview(_ view: UIView, at index: Int) {
    guard !isDescendant(of: view) else { return }
    view.removeFromSuperview()
    view.willMove(toSuperview: self)
    let place = min(max(0, index), subviews.count)
    let after = place < subviews.count ? subviews[place] : nil
    subviews.insert(view, at: place)
    view.superview = self
    if let after {
      layer.insertSublayer(view.layer, below: after.layer)
    } else {
      layer.addSublayer(view.layer)
    }
    didAddSubview(view)
    view.didMoveToSuperview()
  }

  open func insertSubview(_ view: UIView, belowSubview sibling: UIView) {
    view.removeFromSuperview()
    insertSubview(view, at: subviews.firstIndex(of: sibling) ?? 0)
  }

  open func insertSubview(_ view: UIView, aboveSubview sibling: UIView) {
    view.removeFromSuperview()
    insertSubview(view, at: subviews.firstIndex(of: sibling).map { $0 + 1 } ?? subviews.count)
  }

  open func bringSubviewToFront(_ view: UIView) {
    if subviews.contains(view) { addSubview(view) }
  }

  open func sendSubviewToBack(_ view: UIView) {
    if subviews.contains(view) { insertSubview(view, at: 0) }
  }

  open func removeFromSuperview() {
    guard let above = superview else { return }
    willMove(toSuperview: nil)
    above.willRemoveSubview(self)
    above.subviews.removeAll { $0 === self }
    superview = nil
    layer.removeFromSuperlayer()
    didMoveToSuperview()
  }

  open func willMove(toSuperview newSuperview: UIView?) {}
  open func didMoveToSuperview() {}
  open func didAddSubview(_ subview: UIView) {}
  open func willRemoveSubview(_ subview: UIView) {}

  open func isDescendant(of view: UIView) -> Bool {
    self === view || superview?.isDescendant(of: view) ?? false
  }

  open func viewWithTag(_ tag: Int) -> UIView? {
    if self.tag == tag { return self }
    return subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
  }

  // MARK: Animations

  /// Makes the changes at once, and says that they are made.
  public class func animate(
    withDuration duration: TimeInterval, animations: () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    animations()
    completion?(true)
  }
}

extension UIView: CALayerDelegate {
  public nonisolated func draw(_ layer: CALayer, in ctx: CGContext) {
    nonisolated(unsafe) let context = ctx
    asView {
      UIGraphicsPushContext(context)
      draw(bounds)
      UIGraphicsPopContext()
    }
  }

  public nonisolated func layoutSublayers(of layer: CALayer) {
    asView {
      controller?.viewWillLayoutSubviews()
      layoutSubviews()
      controller?.viewDidLayoutSubviews()
    }
  }
}

/// A view that a controller fills.
@preconcurrency @MainActor open class UIWindow: UIView {
  open var rootViewController: UIViewController? {
    didSet {
      oldValue?.viewIfLoaded?.removeFromSuperview()
      guard let view = rootViewController?.view else { return }
      view.frame = bounds
      addSubview(view)
    }
  }

  /// Tells the controller that its view appears.
  open func makeKeyAndVisible() {
    rootViewController?.beginAppearanceTransition(true, animated: false)
    rootViewController?.endAppearanceTransition()
  }
}
