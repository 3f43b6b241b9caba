// Fovea - how much of each pixel lies in a path.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Finds how much of each pixel lies in polygons: exactly along rows, and by four lines in each row.
struct PathCoverage {
  private struct Edge {
    var (top, bottom): (CGFloat, CGFloat)
    /// x at `top`, and its change from row to row.
    var (x, slope): (CGFloat, CGFloat)
    var winding: Int
  }

  private var edges: [Edge] = []
  private let isEvenOdd: Bool
  private static let lines = 4

  /// Polygons in pixels, y downward. Each is closed.
  init(_ polygons: [[CGPoint]], isEvenOdd: Bool) {
    self.isEvenOdd = isEvenOdd
    for points in polygons where points.count > 1 {
      var last = points[points.count - 1]
      for point in points {
        add(last, point)
        last = point
      }
    }
    edges.sort { $0.top < $1.top }
  }

  private mutating func add(_ a: CGPoint, _ b: CGPoint) {
    guard a.y != b.y, a.x.isFinite, a.y.isFinite, b.x.isFinite, b.y.isFinite else { return }
    let (upper, lower) = a.y < b.y ? (a, b) : (b, a)
    edges.append(
      Edge(
        top: upper.y, bottom: lower.y, x: upper.x,
        slope: (lower.x - upper.x) / (lower.y - upper.y), winding: a.y < b.y ? 1 : -1))
  }

  /// Calls `body` for each row that is touched, with its coverage from 0 to 1.
  func forEachRow(
    columns: Range<Int>, rows: Range<Int>, _ body: (Int, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    guard !edges.isEmpty, !columns.isEmpty, !rows.isEmpty else { return }
    let bottom = edges.reduce(-CGFloat.infinity) { max($0, $1.bottom) }
    let first = max(CGFloat(rows.lowerBound), edges[0].top.rounded(.down))
    let last = min(CGFloat(rows.upperBound), bottom.rounded(.up))
    guard first < last else { return }
    var coverage = [Float](repeating: 0, count: columns.count)
    var (active, next): ([Edge], Int) = ([], 0)
    for row in Int(first)..<Int(last) {
      while next < edges.count, edges[next].top < CGFloat(row + 1) {
        active.append(edges[next])
        next += 1
      }
      active.removeAll { $0.bottom <= CGFloat(row) }
      guard !active.isEmpty else { continue }
      coverage.withUnsafeMutableBufferPointer { target in
        target.update(repeating: 0)
        for line in 0..<Self.lines {
          let y = CGFloat(row) + (CGFloat(line) + 0.5) / CGFloat(Self.lines)
          addSpans(active, y, columns, target)
        }
        body(row, target)
      }
    }
  }

  private func addSpans(
    _ active: [Edge], _ y: CGFloat, _ columns: Range<Int>,
    _ target: UnsafeMutableBufferPointer<Float>
  ) {
    let crossings = active.filter { $0.top <= y && y < $0.bottom }
      .map { (x: $0.x + (y - $0.top) * $0.slope, winding: $0.winding) }.sorted { $0.x < $1.x }
    var (winding, start): (Int, CGFloat) = (0, 0)
    for crossing in crossings {
      let wasInside = isEvenOdd ? winding & 1 != 0 : winding != 0
      winding += crossing.winding
      let isInside = isEvenOdd ? winding & 1 != 0 : winding != 0
      if !wasInside, isInside { start = crossing.x }
      if wasInside, !isInside { addSpan(start, crossing.x, columns, target) }
    }
  }

  private func addSpan(
    _ from: CGFloat, _ to: CGFloat, _ columns: Range<Int>,
    _ target: UnsafeMutableBufferPointer<Float>
  ) {
    let first = max(from, CGFloat(columns.lowerBound)) - CGFloat(columns.lowerBound)
    let last = min(to, CGFloat(columns.upperBound)) - CGFloat(columns.lowerBound)
    guard first < last else { return }
    let weight = 1 / Float(Self.lines)
    let (left, right) = (Int(first), min(Int(last), columns.count - 1))
    if left == right {
      target[left] += Float(last - first) * weight
      return
    }
    target[left] += Float(CGFloat(left + 1) - first) * weight
    for column in (left + 1)..<max(left + 1, right) { target[column] += weight }
    target[right] += Float(last - CGFloat(right)) * weight
  }
}
