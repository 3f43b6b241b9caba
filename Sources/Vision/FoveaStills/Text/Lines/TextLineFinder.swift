// Fovea - lines of text in a picture.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaStills
internal import FoveaLibc

/// Finds lines of text by their ink: `fov_ink_find`, `fov_text_lines_find`.
///
/// Text of one picture has one direction: what is light on dark beside text that is dark on light, or the
/// other way around, is text only if it runs as most of the text does.
package struct TextLineFinder: Sendable {
  /// In larger pictures lines are looked for at half the scale, a third and so on.
  private static let mostPixels = 6_000_000

  private let picture: GrayImage
  /// How many pixels of the picture that was given are one here, along a side.
  private let factor: Int
  /// Around a pixel, where ink and paper are told apart.
  private let radius: Int
  private let isLikely: Bool
  private let strokePixels: Int32

  /// A finder of lines in a picture.
  ///
  /// - Parameters:
  ///   - lineHeight: The height of lines in pixels, if text is known to be here: then lines whose feet
  ///     are less even count, too, and words whose letters touch. `nil` where there may be none.
  ///   - isFast: Whether a quarter of the ink shows how letters stand.
  package init(_ picture: GrayImage, lineHeight: Double? = nil, isFast: Bool = false) {
    let share = Double(picture.width * picture.height) / Double(Self.mostPixels)
    let factor = max(1, Int(share.squareRoot().rounded(.up)))
    let reduced = picture.reduced(by: factor)
    let radius =
      lineHeight.map { Int(0.8 * $0) / factor } ?? min(reduced.width, reduced.height) / 16
    (self.picture, self.factor) = (reduced, factor)
    self.radius = min(max(radius, 12), 2000)
    isLikely = lineHeight != nil
    strokePixels = isFast ? 512 : FOV_STROKE_PIXELS_MAX
  }

  /// The lines of text in the picture, in the order in which they are read. Some may be no text.
  ///
  /// - Parameter minimumHeight: In pixels of the picture, of the ink of a line.
  /// - Throws: `.libraryFailed` without memory.
  /// - Complexity: O(pixels of the picture).
  package func lines(minimumHeight: Double = 0) throws(StillError) -> [TextLine] {
    try Self.lines(of: [self], minimumHeight: minimumHeight)[0]
  }

  /// The lines that several finders find, each in its picture: `lines(minimumHeight:)` of all at the same
  /// time.
  static func lines(
    of finders: [Self], minimumHeight: Double
  ) throws(StillError) -> [[TextLine]] {
    let found = try concurrentMap(finders.flatMap { [($0, false), ($0, true)] }) {
      work throws(StillError) in try work.0.finding(light: work.1)
    }
    return finders.indices.map { index in
      finders[index].lines(
        of: Array(found[2 * index...2 * index + 1]), minimumHeight: minimumHeight)
    }
  }

  /// The lines of text that two findings make, of dark lines and of light ones.
  func lines(of found: [Finding], minimumHeight: Double) -> [TextLine] {
    var (strong, weak) = (found[0], found[1])
    if weak.strength > strong.strength { swap(&strong, &weak) }
    var all = strong.lines
    if strong.isParallel(to: weak) { all += weak.lines }
    let lines = Self.uncovered(all.map { $0.scaled(by: Double(factor)) })
      .filter { $0.line.quad.meanHeight >= minimumHeight }
    return Self.inReadingOrder(lines.map(\.line), angle: strong.angle)
  }

  /// Lines of one kind, dark or light, at the scale at which they were looked for.
  struct Finding: Sendable {
    fileprivate var lines: [RankedLine]
    fileprivate var angle: Double

    fileprivate var strength: Double { lines.reduce(0) { $0 + $1.strength } }

    /// Whether rows run in the same direction, to 15 degrees.
    fileprivate func isParallel(to other: Finding) -> Bool {
      let turn = (angle - other.angle) / .pi
      return abs(turn - turn.rounded()) * 180 < 15
    }
  }

  fileprivate struct RankedLine: Sendable {
    var line: TextLine
    /// The letters that stand on the line.
    var strength: Double

    func scaled(by factor: Double) -> RankedLine {
      var result = self
      result.line.quad = line.quad.scaled(by: factor)
      return result
    }
  }

  /// Finds the lines that are light on dark, or those that are dark on light.
  ///
  /// - Throws: `.libraryFailed` without memory.
  func finding(light: Bool) throws(StillError) -> Finding {
    let found: Finding? = picture.pixels.withUnsafeBufferPointer { bytes in
      var image = fov_still_image(
        bytes: bytes.baseAddress, row_bytes: picture.width, width: Int32(picture.width),
        height: Int32(picture.height), channels: 1)
      var ink = fov_ink()
      guard fov_ink_find(&image, light ? 1 : 0, Int32(radius), 8, 6, &ink) == 0 else {
        return nil
      }
      defer { fov_ink_release(&ink) }
      var lines = fov_text_lines()
      defer { fov_text_lines_release(&lines) }
      guard
        fov_text_lines_find(
          &ink, Int32(picture.width), Int32(picture.height), strokePixels, &lines) == 0
      else { return nil }
      return Finding(
        lines: UnsafeBufferPointer(start: lines.lines, count: Int(lines.count))
          .compactMap { RankedLine($0, isLight: light, isLikely: isLikely) },
        angle: lines.angle)
    }
    guard let found else { throw .libraryFailed("no memory to look for lines of text") }
    return found
  }

  /// Leaves out lines most of which is covered by others that come before them or have more letters.
  private static func uncovered(_ lines: [RankedLine]) -> [RankedLine] {
    var kept: [RankedLine] = []
    // The stronger kind comes first; sorting is stable within each.
    let dark = lines.first?.line.isLight
    let sorted = lines.enumerated().sorted { a, b in
      let (first, second) = (a.element.line.isLight == dark, b.element.line.isLight == dark)
      if first != second { return first }
      return (a.element.strength, -a.offset) > (b.element.strength, -b.offset)
    }
    for (_, line) in sorted {
      let points = line.line.quad.middlePoints
      let covered = points.count { point in kept.contains { $0.line.quad.contains(point) } }
      if covered < 3 { kept.append(line) }
    }
    return kept
  }

  /// Sorts lines by rows, and within a row from the left.
  static func inReadingOrder(_ lines: [TextLine], angle: Double) -> [TextLine] {
    inReadingOrder(lines, angle: angle, quad: \.quad)
  }

  /// Sorts what lies in lines by rows, and within a row from the left.
  static func inReadingOrder<Thing>(
    _ things: [Thing], angle: Double, quad: (Thing) -> PixelQuad
  ) -> [Thing] {
    let along = SIMD2(cos(angle), sin(angle)), across = SIMD2(-along.y, along.x)
    let sorted = things.map { thing in
      let quad = quad(thing)
      let middle = quad.corners.reduce(.zero, +) / 4
      return (
        thing: thing, height: quad.meanHeight, x: (middle * along).sum(), y: (middle * across).sum()
      )
    }
    .sorted { $0.y < $1.y }
    var rows: [[(thing: Thing, height: Double, x: Double, y: Double)]] = []
    for entry in sorted {
      if let first = rows.last?.first, entry.y - first.y < 0.4 * first.height {
        rows[rows.count - 1].append(entry)
      } else {
        rows.append([entry])
      }
    }
    return rows.flatMap { row in row.sorted { $0.x < $1.x }.map(\.thing) }
  }
}

extension TextLineFinder.RankedLine {
  /// A line that the core found; `nil` for what is more likely texture.
  fileprivate init?(_ line: fov_text_line, isLight: Bool, isLikely: Bool) {
    let c = line.corners
    let quad = PixelQuad(
      SIMD2(c.0, c.1), SIMD2(c.2, c.3), SIMD2(c.4, c.5), SIMD2(c.6, c.7))
    let leastLevel = line.piece_count >= 3 ? (isLikely ? 0.28 : 0.35) : 0.5
    guard line.piece_count >= 2 || (isLikely && line.level > 0.6), line.level > leastLevel,
      line.ink_share > 0.1,
      line.ink_share < 0.85, quad.area > 0
    else { return nil }
    self.init(
      line: TextLine(
        quad: quad, xHeightShare: line.x_height / max(line.height, 1), isLight: isLight,
        confidence: min(1, line.level)),
      strength: Double(line.piece_count) * line.level)
  }
}

extension PixelQuad {
  /// Points along the middle of a line of text, in its center and near its ends.
  var middlePoints: [SIMD2<Double>] {
    let (left, right) = ((corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2)
    return [0.15, 0.35, 0.5, 0.65, 0.85].map { left + $0 * (right - left) }
  }
}

extension GrayImage {
  /// The picture at a whole fraction of its scale: means of squares of pixels.
  package func reduced(by factor: Int) -> GrayImage {
    if factor <= 1 { return self }
    let (columns, rows) = (max(1, width / factor), max(1, height / factor))
    let (across, down) = (min(factor, width), min(factor, height))
    var result: [UInt8] = []
    result.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = 0
        for y in 0..<down {
          let start = (row * factor + y) * width + column * factor
          for x in 0..<across { sum += Int(pixels[start + x]) }
        }
        result.append(UInt8((sum + across * down / 2) / (across * down)))
      }
    }
    return GrayImage(width: columns, height: rows, pixels: result)
  }
}
