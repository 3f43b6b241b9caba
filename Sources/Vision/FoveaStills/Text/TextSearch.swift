// Fovea - how requests on text find lines.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// How requests on text find lines: by ink where the detector that comes with Fovea sees text, or by a
/// network.
struct TextSearch {
  private let detector: TextDetector?
  private let minimumHeight: Double
  private let isFast: Bool

  /// A search for lines of at least a fraction of the height of a picture.
  ///
  /// - Parameter isFast: Whether the detector that comes with Fovea looks less closely, lines are found by
  ///   less ink, and they are not looked for again around boxes in whose middle there is one.
  /// - Throws: `.invalidRequest` for a fraction that is not in 0...1.
  init(
    detector: TextDetector?, minimumHeightFraction: Float, of picture: StillPicture,
    isFast: Bool = false
  ) throws(StillError) {
    guard (0...1).contains(minimumHeightFraction) else {
      throw .invalidRequest(
        "minimumTextHeightFraction is \(minimumHeightFraction); expected 0 to 1")
    }
    (self.detector, self.isFast) = (detector, isFast)
    minimumHeight = Double(minimumHeightFraction) * Double(picture.height)
  }

  /// Lines that the detector confirms are read with less certainty than others.
  private static let leastConfidence = 0.65
  private static let leastConfidenceOfOthers = 0.9
  /// Where the detector sees no text at all.
  private static let leastConfidenceUnseen = 0.8
  /// Of lines that the detector does not confirm, most that are read, and the least level of their feet.
  private static let (mostOthers, leastLevel) = (12, 0.55)
  /// How far lines of one area are apart (`TextArea.areas`): as those of a page, then as turned ones.
  private static let reaches = [1, 0.3]

  /// The lines of text in a picture by how they were found: in the whole picture, then in each part of it
  /// in which the detector sees text. Lines of a later group may cover others that were found less well.
  /// Each group has a frame of its own: signs and cards in one picture lie at different angles, and their
  /// surroundings have none.
  ///
  /// - Parameter isThorough: Whether the last group has lines that the detector does not confirm.
  /// - Throws: `.libraryFailed` without memory; `.detection` from a network.
  func groups(
    in picture: StillPicture, isThorough: Bool
  ) throws(StillError) -> [TextGroup] {
    if let detector {
      let lines = try detector.lines(in: picture, minimumHeight: minimumHeight)
      return [TextGroup(lines: lines, leastConfidence: 0)]
    }
    let (whole, boxes) = try linesAndBoxes(in: picture)
    if boxes.isEmpty {
      // Small parts of pictures have a shape that the detector does not know.
      return whole.isEmpty
        ? []
        : [TextGroup(lines: whole, leastConfidence: Self.leastConfidenceUnseen, leastCharacters: 4)]
    }
    var groups = [whole.filter { $0.isConfirmed(by: boxes) }]
    for reach in Self.reaches {
      let rest = boxes.filter { box in
        !groups.contains {
          $0.contains { isFast && $0.quad.contains(box.middle) || reach < 1 && $0.fills(box) }
        }
      }
      let areas = TextArea.areas(
        around: rest, reach: reach, width: picture.width, height: picture.height)
      let found = try TextArea.lines(
        in: areas, of: picture.gray, minimumHeight: minimumHeight, isFast: isFast)
      for lines in found {
        groups.append(
          lines.filter { line in
            line.isConfirmed(by: boxes) && !groups.contains { $0.contains(where: line.isNearly) }
          })
      }
    }
    var result = groups.map { TextGroup(lines: $0, leastConfidence: Self.leastConfidence) }
    if isThorough {
      let others = whole.filter { $0.confidence >= Self.leastLevel && !$0.isConfirmed(by: boxes) }
        .sorted { $0.confidence > $1.confidence }.prefix(Self.mostOthers)
      result.append(
        TextGroup(
          lines: whole.filter(others.contains), leastConfidence: Self.leastConfidenceOfOthers,
          leastCharacters: 6))
    }
    return result.filter { !$0.lines.isEmpty }
  }

  /// What one thread looks for.
  private enum Part: Sendable {
    case lines(light: Bool)
    case boxes(NormalizedRect)
  }

  /// What one thread has found.
  private enum Found: Sendable {
    case lines(TextLineFinder.Finding)
    case boxes([ImageRect])
  }

  /// Lines by their ink in the whole picture, and boxes of the detector in all its regions.
  private func linesAndBoxes(
    in picture: StillPicture
  ) throws(StillError) -> (lines: [TextLine], boxes: [ImageRect]) {
    let finder = TextLineFinder(picture.gray, isFast: isFast)
    let regions = picture.textRegions(isFast: isFast).map(Part.boxes)
    let found = try concurrentMap([.lines(light: false), .lines(light: true)] + regions) {
      [isFast] part throws(StillError) -> Found in
      switch part {
      case .lines(let light): .lines(try finder.finding(light: light))
      case .boxes(let region): .boxes(try picture.textBoxes(in: region, isFast: isFast))
      }
    }
    var (findings, boxes): ([TextLineFinder.Finding], [ImageRect]) = ([], [])
    for part in found {
      switch part {
      case .lines(let finding): findings.append(finding)
      case .boxes(let some): boxes += some
      }
    }
    return (finder.lines(of: findings, minimumHeight: minimumHeight), boxes)
  }

  /// The lines of text in a picture, without reading them. Where the detector sees no text, they are all
  /// that look like lines.
  ///
  /// - Throws: `.libraryFailed` without memory; `.detection` from a network.
  func lines(in picture: StillPicture) throws(StillError) -> [TextLine] {
    let groups = try groups(in: picture, isThorough: false)
    if groups.isEmpty, detector == nil {
      return try TextLineFinder(picture.gray).lines(minimumHeight: minimumHeight)
    }
    if groups.count == 1 { return groups[0].lines }
    return TextChoice.uncovered(groups.flatMap(\.lines), quad: \.quad) { line in
      line.confidence * line.quad.meanWidth / max(line.quad.meanHeight, 1)
    }
  }
}

extension TextLine {
  /// Whether boxes of the detector lie along most of the line.
  fileprivate func isConfirmed(by boxes: [ImageRect]) -> Bool {
    quad.middlePoints.count { point in
      boxes.contains { box in
        point.x >= box.minX && point.x <= box.maxX && point.y >= box.minY && point.y <= box.maxY
      }
    } >= 2
  }

  /// Whether this line is what a box of the detector is around, or a part of it.
  fileprivate func fills(_ box: ImageRect) -> Bool {
    let hull = ImageRect(around: quad)
    let width = min(hull.maxX, box.maxX) - max(hull.minX, box.minX)
    let height = min(hull.maxY, box.maxY) - max(hull.minY, box.minY)
    return width > 0.7 * box.width && height > 0.6 * max(hull.height, box.height)
  }

  /// Whether another line lies at the same place, to a fifth of its height.
  fileprivate func isNearly(_ other: TextLine) -> Bool {
    let most = 0.2 * min(quad.meanHeight, other.quad.meanHeight)
    return zip(quad.corners, other.quad.corners).allSatisfy { a, b in
      let miss = a - b
      return (miss * miss).sum() < most * most
    }
  }
}

extension ImageRect {
  fileprivate var middle: SIMD2<Double> { SIMD2(minX + width / 2, minY + height / 2) }

  /// The least upright box around corners, from the upper left.
  fileprivate init(around quad: PixelQuad) {
    let low = quad.corners.reduce(quad.corners[0], pointwiseMin)
    let size = quad.corners.reduce(quad.corners[0], pointwiseMax) - low
    self.init(x: low.x, y: low.y, width: size.x, height: size.y, origin: .upperLeft)
  }
}
