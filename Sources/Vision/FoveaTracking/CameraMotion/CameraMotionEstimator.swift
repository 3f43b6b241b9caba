// Fovea - how the picture of a moving camera moves.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// Estimates how the picture has moved since the frame before: shift, turn and scale.
///
/// Corners off the objects are found again in the new picture, and the map is taken that moves most
/// of them. A small copy of the picture is looked at, so that large ones cost no more. Memory is kept
/// from one frame to the next; the same pictures give the same maps on every machine.
package struct CameraMotionEstimator: Sendable {
  /// The small copy, then halves of it; of this frame and of the one before.
  private var planes = [LumaPlane](repeating: LumaPlane(), count: levelCount)
  private var oldPlanes = [LumaPlane](repeating: LumaPlane(), count: levelCount)
  private var fullSize = (width: 0, height: 0)
  private var hasFrame = false
  private var corners = CornerFinder()
  private var tracker = PointTracker()
  private var pairs: [PointPair] = []
  private var shifts: [Shift] = []
  private var distances: [Double] = []
  private var fit = SimilarityFit()

  /// How far a corner has moved.
  private struct Shift: Sendable {
    var x: Float = 0
    var y: Float = 0
    var isFound = false
  }

  private static let levelCount = 4
  /// The width or height of the small copy is at least this, unless the picture is smaller.
  private static let smallSide = 240
  /// Below this many pixels of the small copy, the camera stands.
  private static let leastMotion = 0.15

  /// Creates an estimator that has seen no frame.
  package init() {}

  /// Takes in a frame.
  ///
  /// - Parameters:
  ///   - luma: The brightness, or the green of a picture in colors; row after row.
  ///   - width: Pixels in a row.
  ///   - height: The number of rows.
  ///   - rowStep: Bytes from one row to the next.
  ///   - boxes: What moves by itself, in pixels: the detections of the frame before.
  /// - Returns: How points move from the frame before to this one, in pixels from the upper left
  ///   corner; `nil` for a first frame, after a change of the size, and where nothing can be told.
  package mutating func motion(
    luma: Span<UInt8>, width: Int, height: Int, rowStep: Int, off boxes: [TrackingBox] = []
  ) -> AffineMap? {
    precondition(
      width > 0 && height > 0 && rowStep >= width && luma.count >= rowStep * (height - 1) + width,
      "a picture needs \(rowStep) bytes for each of its rows")
    let step = max(1, min(width, height) / Self.smallSide)
    let isComparable = hasFrame && fullSize == (width, height)
    swap(&planes, &oldPlanes)
    planes[0].shrink(luma, width: width, height: height, rowStep: rowStep, by: step)
    for level in 1..<Self.levelCount { planes[level].halve(planes[level - 1]) }
    fullSize = (width, height)
    hasFrame = true
    guard isComparable else { return nil }
    corners.find(in: oldPlanes[0], off: boxes, step: step)
    findPairs()
    guard !pairs.isEmpty else { return nil }
    if medianDistance() < Self.leastMotion { return .identity }
    guard var map = fit.fit(pairs) else { return nil }
    map.tx *= Double(step)
    map.ty *= Double(step)
    return map
  }

  /// Looks for the corners in the new picture, from coarse to fine. Points of pairs count from the
  /// upper left corner of the small copy.
  private mutating func findPairs() {
    let top = Self.levelCount - 1
    // Half of it: each level doubles the shifts first.
    let (x, y) = ShiftSearch.shift(from: oldPlanes[top], to: planes[top])
    let guess = Shift(x: Float(x) / 2, y: Float(y) / 2)
    shifts.removeAll(keepingCapacity: true)
    for _ in corners.points { shifts.append(guess) }
    for level in stride(from: top, through: 0, by: -1) { refine(level: level) }
    pairs.removeAll(keepingCapacity: true)
    for (corner, shift) in zip(corners.points, shifts) where shift.isFound {
      let (x, y) = (Double(corner.x) + 0.5, Double(corner.y) + 0.5)
      pairs.append(
        PointPair(x: x, y: y, newX: x + Double(shift.x), newY: y + Double(shift.y)))
    }
  }

  /// Finds the shifts of all corners at one level; they are in pixels of that level. Corners that
  /// are not found there, being too near the edge, keep what was known of them.
  private mutating func refine(level: Int) {
    let scale = 1 / Float(1 << level)
    for index in shifts.indices {
      let shift = Shift(x: 2 * shifts[index].x, y: 2 * shifts[index].y)
      // Centers of pixels lie half a pixel inside.
      let x = (corners.points[index].x + 0.5) * scale - 0.5
      let y = (corners.points[index].y + 0.5) * scale - 0.5
      let found = tracker.find(
        x: x, y: y, from: oldPlanes[level], in: planes[level],
        guess: CornerFinder.Point(x: x + shift.x, y: y + shift.y))
      shifts[index] =
        found.map { Shift(x: $0.x - x, y: $0.y - y, isFound: true) } ?? shift
    }
  }

  private mutating func medianDistance() -> Double {
    distances.removeAll(keepingCapacity: true)
    for pair in pairs {
      let (dx, dy) = (pair.newX - pair.x, pair.newY - pair.y)
      distances.append((dx * dx + dy * dy).squareRoot())
    }
    distances.sort()
    return distances[distances.count / 2]
  }
}
