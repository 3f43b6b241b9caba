// Fovea - paths that draw themselves.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation

public struct UIRectCorner: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let topLeft = UIRectCorner(rawValue: 1)
  public static let topRight = UIRectCorner(rawValue: 2)
  public static let bottomLeft = UIRectCorner(rawValue: 4)
  public static let bottomRight = UIRectCorner(rawValue: 8)
  public static let allCorners = UIRectCorner(rawValue: ~0)
}

/// A path with the width of its line. It is drawn in the current context.
open class UIBezierPath: NSObject {
  private var drawn = CGMutablePath()
  open var lineWidth: CGFloat = 1
  open var lineCapStyle = CGLineCap.butt
  open var lineJoinStyle = CGLineJoin.miter
  open var miterLimit: CGFloat = 10
  open var usesEvenOddFillRule = false

  public override init() { super.init() }

  public convenience init(rect: CGRect) {
    self.init()
    drawn.addRect(rect)
  }

  public convenience init(ovalIn rect: CGRect) {
    self.init()
    drawn.addEllipse(in: rect)
  }

  public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    self.init()
    guard cornerRadius > 0 else {
      drawn.addRect(rect)
      return
    }
    drawn.addRoundedRect(in: rect, cornerWidth: cornerRadius, cornerHeight: cornerRadius)
  }

  public convenience init(cgPath: CGPath) {
    self.init()
    self.cgPath = cgPath
  }

  public convenience init(
    arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat,
    clockwise: Bool
  ) {
    self.init()
    addArc(
      withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
      clockwise: clockwise)
  }

  open var cgPath: CGPath {
    get { drawn.copy() ?? drawn }
    set { drawn = newValue.mutableCopy() ?? CGMutablePath() }
  }

  open var isEmpty: Bool { drawn.isEmpty }
  open var bounds: CGRect { drawn.boundingBoxOfPath }
  open var currentPoint: CGPoint { drawn.currentPoint }

  open func move(to point: CGPoint) { drawn.move(to: point) }

  open func addLine(to point: CGPoint) { drawn.addLine(to: point) }

  open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
    drawn.addCurve(to: endPoint, control1: controlPoint1, control2: controlPoint2)
  }

  open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) {
    drawn.addQuadCurve(to: endPoint, control: controlPoint)
  }

  /// An arc. Where y grows downward, angles that grow go clockwise.
  open func addArc(
    withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat,
    clockwise: Bool
  ) {
    drawn.addArc(
      center: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
      clockwise: !clockwise)
  }

  open func append(_ bezierPath: UIBezierPath) { drawn.addPath(bezierPath.drawn) }

  open func close() { drawn.closeSubpath() }

  open func removeAllPoints() { drawn = CGMutablePath() }

  open func apply(_ transform: CGAffineTransform) {
    let moved = CGMutablePath()
    moved.addPath(drawn, transform: transform)
    drawn = moved
  }

  open func fill() {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    context.addPath(drawn)
    context.fillPath(using: usesEvenOddFillRule ? .evenOdd : .winding)
  }

  open func stroke() {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    context.saveGState()
    context.setLineWidth(lineWidth)
    context.setLineCap(lineCapStyle)
    context.setLineJoin(lineJoinStyle)
    context.setMiterLimit(miterLimit)
    context.addPath(drawn)
    context.strokePath()
    context.restoreGState()
  }

  open func addClip() {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    context.addPath(drawn)
    context.clip(using: usesEvenOddFillRule ? .evenOdd : .winding)
  }
}
