// Fovea - a layer that draws a path.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation

public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let nonZero = Self(rawValue: "non-zero")
  public static let evenOdd = Self(rawValue: "even-odd")
}

public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let miter = Self(rawValue: "miter")
  public static let round = Self(rawValue: "round")
  public static let bevel = Self(rawValue: "bevel")
}

public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let butt = Self(rawValue: "butt")
  public static let round = Self(rawValue: "round")
  public static let square = Self(rawValue: "square")
}

/// A layer that fills and strokes a path, between its contents and its sublayers.
open class CAShapeLayer: CALayer {
  open var path: CGPath?
  open var fillColor: CGColor? = CGColor.black
  open var fillRule = CAShapeLayerFillRule.nonZero
  open var strokeColor: CGColor?
  open var lineWidth: CGFloat = 1
  open var miterLimit: CGFloat = 10
  open var lineCap = CAShapeLayerLineCap.butt
  open var lineJoin = CAShapeLayerLineJoin.miter
  open var lineDashPhase: CGFloat = 0
  open var lineDashPattern: [NSNumber]?

  public override init() { super.init() }

  public override init(layer: Any) {
    super.init(layer: layer)
    guard let other = layer as? CAShapeLayer else { return }
    (path, fillColor, fillRule) = (other.path, other.fillColor, other.fillRule)
    (strokeColor, lineWidth, miterLimit) = (other.strokeColor, other.lineWidth, other.miterLimit)
    (lineCap, lineJoin) = (other.lineCap, other.lineJoin)
    (lineDashPhase, lineDashPattern) = (other.lineDashPhase, other.lineDashPattern)
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  override func drawShapes(in context: CGContext) {
    guard let path else { return }
    if let fillColor {
      context.setFillColor(fillColor)
      context.addPath(path)
      context.fillPath(using: fillRule == .evenOdd ? .evenOdd : .winding)
    }
    guard let strokeColor, lineWidth > 0 else { return }
    context.setStrokeColor(strokeColor)
    context.setLineWidth(lineWidth)
    context.setMiterLimit(miterLimit)
    context.setLineCap(lineCap == .round ? .round : (lineCap == .square ? .square : .butt))
    context.setLineJoin(
      lineJoin == .round ? .round : (lineJoin == .bevel ? .bevel : .miter))
    context.setLineDash(
      phase: lineDashPhase, lengths: (lineDashPattern ?? []).map { CGFloat($0.doubleValue) })
    context.addPath(path)
    context.strokePath()
  }
}
