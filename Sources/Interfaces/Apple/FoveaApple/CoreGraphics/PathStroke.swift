// Fovea - the outline of a line of some width.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation

public enum CGLineCap: Int32, Sendable {
  case butt, round, square
}

public enum CGLineJoin: Int32, Sendable {
  case miter, round, bevel
}

/// How lines are drawn.
struct PathStroke {
  var width: CGFloat = 1
  var cap = CGLineCap.butt
  var join = CGLineJoin.miter
  var miterLimit: CGFloat = 10
  var dashes: [CGFloat] = []
  var phase: CGFloat = 0

  /// Polygons whose union is the line. All turn the same way round, so that a winding number above
  /// 0 means inside.
  func outline(of path: [CGPath.Polygon]) -> [[CGPoint]] {
    var parts: [[CGPoint]] = []
    for polygon in path.flatMap(dashed) {
      var points = polygon.points
      if polygon.isClosed, points.count > 1, points.first == points.last { points.removeLast() }
      points = points.enumerated().filter { $0 == 0 || $1 != points[$0 - 1] }.map(\.element)
      guard points.count > 1 else { continue }
      let count = polygon.isClosed ? points.count : points.count - 1
      for index in 0..<count {
        let (a, b) = (points[index], points[(index + 1) % points.count])
        let isEnd = !polygon.isClosed
        parts.append(
          segment(
            a, b, extendsStart: isEnd && index == 0 && cap == .square,
            extendsEnd: isEnd && index == count - 1 && cap == .square))
        if polygon.isClosed || index > 0 {
          let before = points[(index + points.count - 1) % points.count]
          parts += joint(before, a, b)
        }
      }
      if !polygon.isClosed, cap == .round {
        parts += [circle(points[0]), circle(points[points.count - 1])]
      }
    }
    return parts.map { area($0) < 0 ? $0.reversed() : $0 }
  }

  private func segment(
    _ a: CGPoint, _ b: CGPoint, extendsStart: Bool, extendsEnd: Bool
  ) -> [CGPoint] {
    let u = direction(a, b)
    let half = width / 2
    let start = extendsStart ? CGPoint(x: a.x - u.dx * half, y: a.y - u.dy * half) : a
    let end = extendsEnd ? CGPoint(x: b.x + u.dx * half, y: b.y + u.dy * half) : b
    let (nx, ny) = (-u.dy * half, u.dx * half)
    return [
      CGPoint(x: start.x + nx, y: start.y + ny), CGPoint(x: end.x + nx, y: end.y + ny),
      CGPoint(x: end.x - nx, y: end.y - ny), CGPoint(x: start.x - nx, y: start.y - ny),
    ]
  }

  private func joint(_ before: CGPoint, _ at: CGPoint, _ after: CGPoint) -> [[CGPoint]] {
    if join == .round { return [circle(at)] }
    let (u, v) = (direction(before, at), direction(at, after))
    let turn = u.dx * v.dy - u.dy * v.dx
    guard turn != 0 else { return [] }
    let half = turn > 0 ? -width / 2 : width / 2
    let a = CGPoint(x: at.x - u.dy * half, y: at.y + u.dx * half)
    let b = CGPoint(x: at.x - v.dy * half, y: at.y + v.dx * half)
    // Half of the angle between the two lines decides how far the tip lies from the corner.
    let cosine = u.dx * v.dx + u.dy * v.dy
    let squared = 2 / max(1e-9, 1 + cosine)
    guard join == .miter, squared <= miterLimit * miterLimit else { return [[at, a, b]] }
    let scale = half / max(1e-9, 1 + cosine)
    let tip = CGPoint(x: at.x - (u.dy + v.dy) * scale, y: at.y + (u.dx + v.dx) * scale)
    return [[at, a, tip, b]]
  }

  private func circle(_ center: CGPoint) -> [CGPoint] {
    let count = Int(min(max(8, width * 2), 64))
    return (0..<count).map { index in
      let angle = 2 * CGFloat.pi * CGFloat(index) / CGFloat(count)
      return CGPoint(
        x: center.x + width / 2 * cos(angle), y: center.y + width / 2 * sin(angle))
    }
  }

  private func dashed(_ polygon: CGPath.Polygon) -> [CGPath.Polygon] {
    let period = dashes.reduce(0, +)
    guard period > 0, dashes.allSatisfy({ $0 >= 0 }), polygon.points.count > 1 else {
      return [polygon]
    }
    let pattern = dashes.count % 2 == 0 ? dashes : dashes + dashes
    var place = phase.truncatingRemainder(
      dividingBy: period * CGFloat(pattern.count / dashes.count))
    if place < 0 { place += period * CGFloat(pattern.count / dashes.count) }
    var index = 0
    while place >= pattern[index] {
      place -= pattern[index]
      index = (index + 1) % pattern.count
    }
    var rest = pattern[index] - place
    var result: [CGPath.Polygon] = []
    let points = polygon.isClosed ? polygon.points + [polygon.points[0]] : polygon.points
    var current = CGPath.Polygon(points: [points[0]])
    for (a, b) in zip(points, points.dropFirst()) {
      let length = hypot(b.x - a.x, b.y - a.y)
      var walked: CGFloat = 0
      // A dash below a hundredth of a unit is not drawn: their number must be bounded.
      while length - walked > rest, period > 0.01 {
        walked += rest
        let at = CGPoint(
          x: a.x + (b.x - a.x) * walked / length, y: a.y + (b.y - a.y) * walked / length)
        if index % 2 == 0 { result.append(CGPath.Polygon(points: current.points + [at])) }
        current = CGPath.Polygon(points: [at])
        index = (index + 1) % pattern.count
        rest = pattern[index]
      }
      rest -= length - walked
      current.points.append(b)
    }
    if index % 2 == 0 { result.append(current) }
    return result
  }

  private func direction(_ a: CGPoint, _ b: CGPoint) -> CGVector {
    let length = hypot(b.x - a.x, b.y - a.y)
    return length > 0 ? CGVector(dx: (b.x - a.x) / length, dy: (b.y - a.y) / length) : .zero
  }

  private func area(_ points: [CGPoint]) -> CGFloat {
    zip(points, points.dropFirst() + points.prefix(1)).reduce(0) {
      $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
    }
  }
}
