// Fovea - paths of lines and curves.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Lines and curves. Only `CGMutablePath` changes.
public class CGPath: Hashable {
  enum Element: Hashable {
    case move(CGPoint)
    case line(CGPoint)
    case curve(CGPoint, CGPoint, CGPoint)
    case close
  }

  fileprivate(set) var elements: [Element] = []

  fileprivate init(elements: [Element]) { self.elements = elements }

  public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    self.init { $0.addRect(rect, transform: transform?.pointee ?? .identity) }
  }

  public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    self.init { $0.addEllipse(in: rect, transform: transform?.pointee ?? .identity) }
  }

  public convenience init(
    roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
    transform: UnsafePointer<CGAffineTransform>?
  ) {
    self.init {
      $0.addRoundedRect(
        in: rect, cornerWidth: cornerWidth, cornerHeight: cornerHeight,
        transform: transform?.pointee ?? .identity)
    }
  }

  private convenience init(_ draw: (CGMutablePath) -> Void) {
    let path = CGMutablePath()
    draw(path)
    self.init(elements: path.elements)
  }

  public var isEmpty: Bool { elements.isEmpty }

  public func copy() -> CGPath? { CGPath(elements: elements) }

  public func mutableCopy() -> CGMutablePath? { CGMutablePath(elements: elements) }

  /// The end of the last line or curve; the origin of an empty path.
  public var currentPoint: CGPoint {
    var start = CGPoint.zero
    var point = CGPoint.zero
    for element in elements {
      switch element {
      case .move(let to): (start, point) = (to, to)
      case .line(let to), .curve(_, _, let to): point = to
      case .close: point = start
      }
    }
    return point
  }

  /// The least rectangle with all points, those that steer curves too.
  public var boundingBox: CGRect { box(of: elements.flatMap(\.points)) }

  /// The least rectangle with all that the path reaches, to within a fraction of a unit.
  public var boundingBoxOfPath: CGRect { box(of: polygons(.identity).flatMap(\.points)) }

  private func box(of points: [CGPoint]) -> CGRect {
    guard let first = points.first else { return .null }
    return points.reduce(CGRect(origin: first, size: .zero)) { box, point in
      let (left, bottom) = (min(box.minX, point.x), min(box.minY, point.y))
      return CGRect(
        x: left, y: bottom, width: max(box.maxX, point.x) - left,
        height: max(box.maxY, point.y) - bottom)
    }
  }

  public static func == (left: CGPath, right: CGPath) -> Bool { left.elements == right.elements }

  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }

  /// Points one after another, and whether the last is joined with the first.
  struct Polygon {
    var points: [CGPoint] = []
    var isClosed = false
  }

  /// The path as straight lines, mapped; curves become as many as their length asks for.
  func polygons(_ map: CGAffineTransform) -> [Polygon] {
    var all: [Polygon] = []
    var current = Polygon()
    func end() {
      if !current.points.isEmpty { all.append(current) }
      current = Polygon()
    }
    for element in elements {
      switch element {
      case .move(let point):
        end()
        current.points = [point.applying(map)]
      case .line(let point): current.points.append(point.applying(map))
      case .curve(let a, let b, let to):
        guard let from = current.points.last else { continue }
        appendCurve(from, a.applying(map), b.applying(map), to.applying(map), to: &current.points)
      case .close:
        let start = current.points.first
        current.isClosed = true
        end()
        if let start { current.points = [start] }
      }
    }
    if current.points.count > 1 || all.isEmpty { end() }
    return all
  }

  private func appendCurve(
    _ from: CGPoint, _ a: CGPoint, _ b: CGPoint, _ to: CGPoint, to points: inout [CGPoint]
  ) {
    let length =
      hypot(a.x - from.x, a.y - from.y) + hypot(b.x - a.x, b.y - a.y)
      + hypot(to.x - b.x, to.y - b.y)
    let count = Int(min(max(4, length.rounded(.up)), 400))
    for step in 1...count {
      let t = CGFloat(step) / CGFloat(count)
      let s = 1 - t
      let (w0, w1, w2, w3) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
      points.append(
        CGPoint(
          x: w0 * from.x + w1 * a.x + w2 * b.x + w3 * to.x,
          y: w0 * from.y + w1 * a.y + w2 * b.y + w3 * to.y))
    }
  }
}

extension CGPath.Element {
  fileprivate var points: [CGPoint] {
    switch self {
    case .move(let point), .line(let point): [point]
    case .curve(let a, let b, let to): [a, b, to]
    case .close: []
    }
  }

  fileprivate func applying(_ map: CGAffineTransform) -> Self {
    switch self {
    case .move(let point): .move(point.applying(map))
    case .line(let point): .line(point.applying(map))
    case .curve(let a, let b, let to):
      .curve(a.applying(map), b.applying(map), to.applying(map))
    case .close: .close
    }
  }
}

/// A path that can be extended.
public final class CGMutablePath: CGPath {
  public init() { super.init(elements: []) }

  fileprivate override init(elements: [Element]) { super.init(elements: elements) }

  public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
    elements.append(.move(point.applying(transform)))
  }

  public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
    if elements.isEmpty { return move(to: point, transform: transform) }
    elements.append(.line(point.applying(transform)))
  }

  public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
    guard let first = points.first else { return }
    move(to: first, transform: transform)
    for point in points.dropFirst() { addLine(to: point, transform: transform) }
  }

  public func addCurve(
    to end: CGPoint, control1: CGPoint, control2: CGPoint,
    transform: CGAffineTransform = .identity
  ) {
    guard !elements.isEmpty else { return }
    elements.append(
      .curve(
        control1.applying(transform), control2.applying(transform), end.applying(transform)))
  }

  public func addQuadCurve(
    to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity
  ) {
    let (from, middle, end) = (
      currentPoint, control.applying(transform), end.applying(transform)
    )
    addCurve(
      to: end,
      control1: CGPoint(
        x: from.x + 2 / 3 * (middle.x - from.x), y: from.y + 2 / 3 * (middle.y - from.y)),
      control2: CGPoint(
        x: end.x + 2 / 3 * (middle.x - end.x), y: end.y + 2 / 3 * (middle.y - end.y)))
  }

  public func closeSubpath() {
    if !elements.isEmpty { elements.append(.close) }
  }

  public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
    elements += path.elements.map { $0.applying(transform) }
  }

  public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
    guard !rect.isNull else { return }
    addLines(between: rect.corners, transform: transform)
    closeSubpath()
  }

  public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
    for rect in rects { addRect(rect, transform: transform) }
  }

  public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
    addRoundedRect(
      in: rect, cornerWidth: rect.width / 2, cornerHeight: rect.height / 2, transform: transform)
  }

  public func addRoundedRect(
    in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
    transform: CGAffineTransform = .identity
  ) {
    guard !rect.isNull else { return }
    let width = min(max(0, cornerWidth), rect.width / 2)
    let height = min(max(0, cornerHeight), rect.height / 2)
    // The share of a radius at which a curve's control points make a quarter of a circle.
    let share = 0.5522847498
    let (dx, dy) = (width * share, height * share)
    func point(_ x: CGFloat, _ y: CGFloat) -> CGPoint { CGPoint(x: x, y: y) }
    let (left, right, bottom, top) = (rect.minX, rect.maxX, rect.minY, rect.maxY)
    move(to: point(right, rect.midY), transform: transform)
    func corner(_ start: CGPoint, _ a: CGPoint, _ b: CGPoint, _ end: CGPoint) {
      addLine(to: start, transform: transform)
      addCurve(to: end, control1: a, control2: b, transform: transform)
    }
    corner(
      point(right, top - height), point(right, top - height + dy),
      point(right - width + dx, top), point(right - width, top))
    corner(
      point(left + width, top), point(left + width - dx, top),
      point(left, top - height + dy), point(left, top - height))
    corner(
      point(left, bottom + height), point(left, bottom + height - dy),
      point(left + width - dx, bottom), point(left + width, bottom))
    corner(
      point(right - width, bottom), point(right - width + dx, bottom),
      point(right, bottom + height - dy), point(right, bottom + height))
    closeSubpath()
  }

  /// An arc around a center, with angles in radians. A line leads to it from the current point.
  public func addArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
    transform: CGAffineTransform = .identity
  ) {
    var sweep = endAngle - startAngle
    if clockwise {
      while sweep > 0 { sweep -= 2 * .pi }
      sweep = max(sweep, -2 * .pi)
    } else {
      while sweep < 0 { sweep += 2 * .pi }
      sweep = min(sweep, 2 * .pi)
    }
    guard sweep.isFinite, radius.isFinite else { return }
    func at(_ angle: CGFloat) -> CGPoint {
      CGPoint(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
    }
    addLine(to: at(startAngle), transform: transform)
    let parts = max(1, Int((abs(sweep) / (.pi / 2)).rounded(.up)))
    let step = sweep / CGFloat(parts)
    let reach = 4 / 3 * tan(step / 4) * radius
    for part in 0..<parts {
      let (from, to) = (startAngle + step * CGFloat(part), startAngle + step * CGFloat(part + 1))
      let (start, end) = (at(from), at(to))
      addCurve(
        to: end,
        control1: CGPoint(x: start.x - reach * sin(from), y: start.y + reach * cos(from)),
        control2: CGPoint(x: end.x + reach * sin(to), y: end.y - reach * cos(to)),
        transform: transform)
    }
  }
}
