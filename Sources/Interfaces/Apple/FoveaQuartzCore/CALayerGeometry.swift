// Fovea - where layers lie.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation

extension CALayer {
  /// From the layer's coordinates to those of its superlayer.
  var toSuperlayer: CGAffineTransform {
    let placed = CGAffineTransform(
      translationX: -(bounds.minX + anchorPoint.x * bounds.width),
      y: -(bounds.minY + anchorPoint.y * bounds.height)
    ).concatenating(affineTransform())
      .concatenating(CGAffineTransform(translationX: position.x, y: position.y))
    guard let above = superlayer, above.isGeometryFlipped else { return placed }
    return placed.concatenating(
      CGAffineTransform(1, 0, 0, -1, 0, above.bounds.minY + above.bounds.maxY))
  }

  /// The map to the coordinates of the topmost layer.
  private var toRoot: CGAffineTransform {
    var map = CGAffineTransform.identity
    var layer = self
    while let above = layer.superlayer {
      map = map.concatenating(layer.toSuperlayer)
      layer = above
    }
    return map
  }

  /// Chooses bounds and position so that `frame` is a rectangle.
  func place(in rect: CGRect) {
    let map = affineTransform()
    let linear = CGAffineTransform(map.a, map.b, map.c, map.d, 0, 0)
    let size = CGRect(origin: .zero, size: rect.size).applying(linear.inverted()).size
    bounds = CGRect(origin: bounds.origin, size: linear.isIdentity ? rect.size : size)
    let now = frame(at: .zero)
    position = CGPoint(x: rect.minX - now.minX, y: rect.minY - now.minY)
  }

  func frame(at position: CGPoint) -> CGRect {
    let anchor = CGPoint(x: anchorPoint.x * bounds.width, y: anchorPoint.y * bounds.height)
    let map = affineTransform()
    let rect = CGRect(x: -anchor.x, y: -anchor.y, width: bounds.width, height: bounds.height)
    return (map.isIdentity ? rect : rect.applying(map)).offsetBy(dx: position.x, dy: position.y)
  }

  public func affineTransform() -> CGAffineTransform {
    CATransform3DGetAffineTransform(transform)
  }

  public func setAffineTransform(_ m: CGAffineTransform) {
    transform = CATransform3DMakeAffineTransform(m)
  }

  // MARK: Other coordinates

  /// A point of another layer's coordinates in this one's. `nil` stands for the superlayer.
  public func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint { p.applying(map(from: l)) }

  public func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint {
    p.applying(map(from: l).inverted())
  }

  public func convert(_ r: CGRect, from l: CALayer?) -> CGRect { r.applying(map(from: l)) }

  public func convert(_ r: CGRect, to l: CALayer?) -> CGRect {
    r.applying(map(from: l).inverted())
  }

  private func map(from layer: CALayer?) -> CGAffineTransform {
    guard let layer else { return toSuperlayer.inverted() }
    if layer === self { return .identity }
    return layer.toRoot.concatenating(toRoot.inverted())
  }

  public func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }

  /// The topmost layer at a point of the superlayer's coordinates; `nil` outside of all.
  public func hitTest(_ p: CGPoint) -> CALayer? {
    guard !isHidden, opacity > 0 else { return nil }
    let point = convert(p, from: nil)
    if masksToBounds, !contains(point) { return nil }
    for child in drawingOrder.reversed() {
      if let hit = child.hitTest(point) { return hit }
    }
    return contains(point) ? self : nil
  }

  /// The sublayers in the order in which they are drawn.
  var drawingOrder: [CALayer] {
    guard children.contains(where: { $0.zPosition != 0 }) else { return children }
    return children.enumerated().sorted {
      ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset)
    }.map(\.element)
  }

  /// Whether pictures and letters stand upright where y grows upward: an odd number of flips.
  public func contentsAreFlipped() -> Bool {
    var isFlipped = false
    var layer: CALayer? = self
    while let next = layer {
      if next.isGeometryFlipped { isFlipped.toggle() }
      layer = next.superlayer
    }
    return isFlipped
  }

  // MARK: The outline

  /// The outline of `bounds`, moved inward, with the corners that are rounded.
  func outline(inset: CGFloat = 0) -> CGPath {
    let rect = bounds.insetBy(dx: inset, dy: inset)
    let radius = min(max(0, cornerRadius - inset), rect.width / 2, rect.height / 2)
    guard radius > 0 else { return CGPath(rect: rect, transform: nil) }
    let all: CACornerMask = [
      .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
    if maskedCorners.isSuperset(of: all) {
      return CGPath(
        roundedRect: rect, cornerWidth: radius, cornerHeight: radius, transform: nil)
    }
    let corners: [(CACornerMask, CGPoint, CGFloat)] = [
      (.layerMinXMinYCorner, CGPoint(x: rect.minX, y: rect.minY), .pi),
      (.layerMaxXMinYCorner, CGPoint(x: rect.maxX, y: rect.minY), 1.5 * .pi),
      (.layerMaxXMaxYCorner, CGPoint(x: rect.maxX, y: rect.maxY), 0),
      (.layerMinXMaxYCorner, CGPoint(x: rect.minX, y: rect.maxY), 0.5 * .pi),
    ]
    let path = CGMutablePath()
    for (corner, point, angle) in corners {
      guard maskedCorners.contains(corner) else {
        path.addLine(to: point)
        continue
      }
      let center = CGPoint(
        x: point.x + (point.x == rect.minX ? radius : -radius),
        y: point.y + (point.y == rect.minY ? radius : -radius))
      path.addArc(
        center: center, radius: radius, startAngle: angle, endAngle: angle + 0.5 * .pi,
        clockwise: false)
    }
    path.closeSubpath()
    return path
  }
}
