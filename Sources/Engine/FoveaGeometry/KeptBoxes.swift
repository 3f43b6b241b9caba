// Fovea - boxes that stayed, and whether another one loses against them.
// SPDX-License-Identifier: Apache-2.0

/// The boxes of one group that stayed, in memory that is kept.
///
/// Most boxes have nothing to do with each other. Beside the boxes themselves stand their edges
/// in float32, rounded outwards, four boxes to a vector: a few comparisons tell that a box touches
/// none of the four. Only where it may, the overlap is computed, by the arithmetic of `CornerBox`.
struct KeptBoxes: Sendable {
  private struct Entry {
    var box: CornerBox
    var area: Double
  }

  private var entries: [Entry] = []
  private var fours: [FourBoxes] = []

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    fours.removeAll(keepingCapacity: true)
  }

  /// Adds `box` unless its overlap with one of the others is above `threshold`; then says which was
  /// added first of those. `threshold` is not negative.
  mutating func insert(_ box: CornerBox, unlessAbove threshold: Double) -> Int? {
    let candidate = Entry(box: box, area: box.area)
    let outline = BoxOutline(box)
    let winner = entries.withUnsafeBufferPointer { entries in
      fours.withUnsafeBufferPointer { fours in
        Self.winner(over: candidate, outline, entries, fours, above: threshold)
      }
    }
    if let winner { return winner }
    let lane = entries.count % 4
    if lane == 0 { fours.append(FourBoxes()) }
    fours[fours.count - 1].set(lane, to: outline)
    entries.append(candidate)
    return nil
  }

  private static func winner(
    over candidate: Entry, _ outline: BoxOutline, _ entries: UnsafeBufferPointer<Entry>,
    _ fours: UnsafeBufferPointer<FourBoxes>, above threshold: Double
  ) -> Int? {
    for four in 0..<fours.count {
      var lanes = fours[four].lanesTouching(outline)
      while lanes != 0 {
        let place = four &* 4 &+ lanes.trailingZeroBitCount
        let other = entries[place]
        let areas = other.area + candidate.area
        if candidate.box.overlaps(other.box, areas: areas, above: threshold) { return place }
        lanes &= lanes &- 1
      }
    }
    return nil
  }
}

/// The edges of a box, a little outside of it.
struct BoxOutline {
  var minX, minY, maxX, maxY: Float

  init(_ box: CornerBox) {
    (minX, minY) = (Float(box.minX).nextDown, Float(box.minY).nextDown)
    (maxX, maxY) = (Float(box.maxX).nextUp, Float(box.maxY).nextUp)
  }
}

/// The edges of four boxes, side by side.
struct FourBoxes: Sendable {
  private var minX, minY, maxX, maxY: SIMD4<Float>

  /// No boxes: NaN touches nothing.
  init() {
    let none = SIMD4<Float>(repeating: .nan)
    (minX, minY, maxX, maxY) = (none, none, none, none)
  }

  mutating func set(_ lane: Int, to box: BoxOutline) {
    minX[lane] = box.minX
    minY[lane] = box.minY
    maxX[lane] = box.maxX
    maxY[lane] = box.maxY
  }

  /// One bit for each that may share area with a box: where both begin before the other ends.
  @inline(__always)
  func lanesTouching(_ box: BoxOutline) -> Int32 {
    let touching =
      (minX .< box.maxX) .& (maxX .> box.minX) .& (minY .< box.maxY) .& (maxY .> box.minY)
    guard any(touching) else { return 0 }
    return SIMD4<Int32>.zero.replacing(with: [1, 2, 4, 8], where: touching).wrappedSum()
  }
}
