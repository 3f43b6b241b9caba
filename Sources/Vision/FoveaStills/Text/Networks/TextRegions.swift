// Fovea - lines of text in a map of where text is likely.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaStills
internal import FoveaLibc

/// Lines of text in a map of where text is likely.
package enum TextRegions {
  /// The least likelihood, of 255.
  private static let level = 76
  /// The least mean likelihood of a line, of 255.
  private static let meanLevel = 140.0
  /// How far a region grows: its area times this over its perimeter. Networks are trained with lines that
  /// have shrunk.
  private static let growth = 1.6

  /// The least rectangles around regions of likely text, turned as they lie, and grown. The first corner
  /// is the upper left one of text that runs to the right.
  ///
  /// - Throws: `.libraryFailed` without memory.
  package static func quads(in map: GrayImage) throws(StillError) -> [PixelQuad] {
    let quads: [PixelQuad]? = map.pixels.withUnsafeBufferPointer { bytes in
      var image = fov_still_image(
        bytes: bytes.baseAddress, row_bytes: map.width, width: Int32(map.width),
        height: Int32(map.height), channels: 1)
      var ink = fov_ink()
      guard fov_ink_above(&image, Int32(level), 12, &ink) == 0 else { return nil }
      defer { fov_ink_release(&ink) }
      let runs = UnsafeBufferPointer(start: ink.runs, count: Int(ink.run_count))
      return UnsafeBufferPointer(start: ink.pieces, count: Int(ink.piece_count))
        .compactMap { piece in
          let own = runs[Int(piece.first_run)..<Int(piece.first_run + piece.run_count)]
          let sum = own.reduce(0) { sum, run in
            let row = Int(run.row) * map.width
            return (Int(run.left)..<Int(run.right)).reduce(sum) { $0 + Int(bytes[row + $1]) }
          }
          if Double(sum) < meanLevel * Double(piece.area) { return nil }
          return grown(leastRectangle(around: own.flatMap(\.corners)))
        }
    }
    guard let quads else { throw .libraryFailed("no memory to look for lines of text") }
    return quads
  }

  /// The angle that most of the length of some lines has, in radians.
  static func angle(of quads: [PixelQuad]) -> Double {
    let sum = quads.reduce(SIMD2<Double>.zero) { $0 + $1.corners[1] - $1.corners[0] }
    return sum == .zero ? 0 : atan2(sum.y, sum.x)
  }

  private static func grown(_ quad: PixelQuad?) -> PixelQuad? {
    guard let quad, quad.meanWidth > 1, quad.meanHeight > 1 else { return nil }
    let distance = quad.area * growth / (2 * (quad.meanWidth + quad.meanHeight))
    let right = (quad.corners[1] - quad.corners[0]) / quad.meanWidth * distance
    let down = (quad.corners[3] - quad.corners[0]) / quad.meanHeight * distance
    return PixelQuad(
      quad.corners[0] - right - down, quad.corners[1] + right - down,
      quad.corners[2] + right + down, quad.corners[3] - right + down)
  }

  /// The rectangle of the least area around points, with its longer side along its first.
  package static func leastRectangle(around points: [SIMD2<Double>]) -> PixelQuad? {
    let hull = convexHull(points)
    guard hull.count >= 3 else { return nil }
    var best: (area: Double, quad: PixelQuad)?
    for index in hull.indices {
      let side = hull[(index + 1) % hull.count] - hull[index]
      let along = side / (side * side).sum().squareRoot()
      let across = SIMD2(-along.y, along.x)
      let xs = hull.map { ($0 * along).sum() }, ys = hull.map { ($0 * across).sum() }
      guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
      else { continue }
      let area = (right - left) * (bottom - top)
      if let best, best.area <= area { continue }
      func corner(_ x: Double, _ y: Double) -> SIMD2<Double> { x * along + y * across }
      best = (
        area,
        PixelQuad(
          corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom))
      )
    }
    return best?.quad.readable
  }

  /// The corners of the least convex region around points, clockwise as pictures are seen.
  private static func convexHull(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    func chain(_ points: some Sequence<SIMD2<Double>>) -> [SIMD2<Double>] {
      var result: [SIMD2<Double>] = []
      for point in points {
        while result.count >= 2 {
          let (a, b) = (result[result.count - 2], result[result.count - 1])
          if (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > 0 { break }
          result.removeLast()
        }
        result.append(point)
      }
      return result
    }
    return chain(sorted).dropLast() + chain(sorted.reversed()).dropLast()
  }
}

extension fov_ink_run {
  fileprivate var corners: [SIMD2<Double>] {
    let (top, bottom) = (Double(row), Double(row + 1))
    return [
      SIMD2(Double(left), top), SIMD2(Double(right), top), SIMD2(Double(left), bottom),
      SIMD2(Double(right), bottom),
    ]
  }
}

extension PixelQuad {
  /// The same rectangle, begun at the corner from which text runs along a longer side, to the right.
  fileprivate var readable: PixelQuad {
    let wide = meanWidth >= meanHeight ? self : startingAt(1)
    let along = wide.corners[1] - wide.corners[0]
    return along.x < 0 ? wide.startingAt(2) : wide
  }
}
