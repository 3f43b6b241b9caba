// Fovea - the map that moves most of a set of points to where they went.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A point and where it went.
struct PointPair: Sendable {
  var x: Double
  var y: Double
  var newX: Double
  var newY: Double
}

/// Fits shift, turn and scale to pairs of points of which some are wrong (random sample consensus,
/// Fischler and Bolles, 1981). The samples are the same in every run.
struct SimilarityFit: Sendable {
  private var isInlier: [Bool] = []

  private static let sampleCount = 80
  /// How far a point may be off, in pixels.
  private static let tolerance = 0.7
  private static let leastInlierCount = 8
  /// The least part of the points that must agree.
  private static let leastShare = 0.35
  private static let scales = 0.5...2.0

  /// The map, or `nil` if too few points agree.
  mutating func fit(_ pairs: [PointPair]) -> AffineMap? {
    guard pairs.count >= Self.leastInlierCount else { return nil }
    var best = AffineMap.identity
    var bestCount = Self.count(pairs, best)
    var state: UInt64 = 1
    for _ in 0..<Self.sampleCount {
      let first = Self.random(&state, below: pairs.count)
      let second = Self.random(&state, below: pairs.count)
      guard let map = Self.through(pairs[first], pairs[second]) else { continue }
      let count = Self.count(pairs, map)
      if count > bestCount { (best, bestCount) = (map, count) }
    }
    guard bestCount >= Self.leastInlierCount,
      Double(bestCount) >= Self.leastShare * Double(pairs.count)
    else { return nil }
    for _ in 0..<2 {
      guard let map = leastSquares(pairs, near: best) else { return nil }
      best = map
    }
    return Self.scales.contains(best.lengthFactor) ? best : nil
  }

  private static func error(_ pair: PointPair, _ map: AffineMap) -> Double {
    let (x, y) = map(x: pair.x, y: pair.y)
    let (dx, dy) = (x - pair.newX, y - pair.newY)
    return dx * dx + dy * dy
  }

  private static func count(_ pairs: [PointPair], _ map: AffineMap) -> Int {
    var count = 0
    for pair in pairs where error(pair, map) < tolerance * tolerance { count += 1 }
    return count
  }

  /// The map that moves two points to where they went.
  private static func through(_ first: PointPair, _ second: PointPair) -> AffineMap? {
    let (x, y) = (second.x - first.x, second.y - first.y)
    let (newX, newY) = (second.newX - first.newX, second.newY - first.newY)
    let square = x * x + y * y
    // Points that lie close together say little of turn and scale.
    guard square > 400 else { return nil }
    let a = (x * newX + y * newY) / square
    let c = (x * newY - y * newX) / square
    return AffineMap(
      a: a, b: -c, c: c, d: a, tx: first.newX - a * first.x + c * first.y,
      ty: first.newY - c * first.x - a * first.y)
  }

  /// The best map of the points that `map` moves well.
  private mutating func leastSquares(_ pairs: [PointPair], near map: AffineMap) -> AffineMap? {
    isInlier.removeAll(keepingCapacity: true)
    var (count, x, y, newX, newY) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for pair in pairs {
      isInlier.append(Self.error(pair, map) < Self.tolerance * Self.tolerance)
      guard isInlier[isInlier.count - 1] else { continue }
      count += 1
      x += pair.x
      y += pair.y
      newX += pair.newX
      newY += pair.newY
    }
    guard count >= Double(Self.leastInlierCount) else { return nil }
    (x, y, newX, newY) = (x / count, y / count, newX / count, newY / count)
    var (along, across, square) = (0.0, 0.0, 0.0)
    for (index, pair) in pairs.enumerated() where isInlier[index] {
      let (dx, dy) = (pair.x - x, pair.y - y)
      let (newDX, newDY) = (pair.newX - newX, pair.newY - newY)
      along += dx * newDX + dy * newDY
      across += dx * newDY - dy * newDX
      square += dx * dx + dy * dy
    }
    guard square > 0 else { return nil }
    let (a, c) = (along / square, across / square)
    return AffineMap(
      a: a, b: -c, c: c, d: a, tx: newX - a * x + c * y, ty: newY - c * x - a * y)
  }

  /// The next of a fixed sequence of numbers in 0..<count (Knuth's linear congruences).
  private static func random(_ state: inout UInt64, below count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }
}
