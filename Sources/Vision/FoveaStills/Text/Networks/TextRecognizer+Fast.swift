// Fovea - how a network reads lines of text fast.
// SPDX-License-Identifier: Apache-2.0

/// `fast` lets the network see lines narrower than they are, and again at nearly their full width where it
/// is in doubt. Both are in integers of 8 bits.
extension TextRecognizer {
  /// Lines are stretched to these widths, so they need no padding.
  private static let fastWidths = [
    96, 128, 160, 208, 272, 352, 448, 576, 736, 960, 1248, 1600, 2048,
  ]
  /// The most that is left of the width of a line, at first and at the second time.
  private static let (narrow, wide) = (0.75, 1.0)
  /// Lines that are read with less confidence are read again.
  private static let sureConfidence = 0.9
  /// What is read with less confidence is no text. Texts of 22 pictures had 0.47 and more.
  private static let leastConfidence = 0.4
  /// As many lines, or some more, tell whether lines of a picture can be read when they are narrow.
  private static let sampleCount = 6

  /// What stands in lines, in their order. A line is left out where lines of groups before it lie that were
  /// read surely.
  func readFast(
    _ groups: [[TextLine]], of picture: StillPicture
  ) throws(StillError) -> [ReadLine?] {
    let isAlone = Self.readsAlone(groups.reduce(0) { $0 + $1.count })
    var found: [ReadLine?] = []
    for lines in groups {
      let sure = found.compactMap(\.self).filter { $0.confidence >= Self.sureConfidence }
      let rest = lines.filter { line in
        !line.quad.middlePoints.allSatisfy { point in sure.contains { $0.quad.contains(point) } }
      }
      found += try readGroup(rest, of: picture, isAlone: isAlone)
    }
    return found
  }

  /// Reads some lines, and then the others: at once as the better way was for the first ones.
  private func readGroup(
    _ lines: [TextLine], of picture: StillPicture, isAlone: Bool
  ) throws(StillError) -> [ReadLine?] {
    let step = max(1, lines.count / Self.sampleCount)
    let (sample, rest) = (
      lines.indices.filter { $0 % step == step / 2 }, lines.indices.filter { $0 % step != step / 2 }
    )
    let tries = try Self.map(sample.map { lines[$0] }, isAlone: isAlone) {
      line throws(StillError) in try self.readTwice(line, of: picture, isAlone: isAlone)
    }
    let isNarrow = 2 * tries.count(where: \.isWide) <= tries.count
    let others = try Self.map(rest.map { lines[$0] }, isAlone: isAlone) {
      line throws(StillError) in
      isNarrow
        ? try self.readTwice(line, of: picture, isAlone: isAlone).line
        : try self.read(line, of: picture, most: Self.wide, isAlone: isAlone)
    }
    var found = [ReadLine?](repeating: nil, count: lines.count)
    for (index, reading) in zip(sample, tries) { found[index] = reading.line }
    for (index, line) in zip(rest, others) { found[index] = line }
    return found
  }

  /// What was read, and whether the line had to be wide for it.
  private struct Reading: Sendable {
    var line: ReadLine?
    var isWide = false
  }

  private func readTwice(
    _ line: TextLine, of picture: StillPicture, isAlone: Bool
  ) throws(StillError) -> Reading {
    let first = try read(line, of: picture, most: Self.narrow, isAlone: isAlone)
    if let confidence = first?.confidence,
      confidence >= Self.sureConfidence || confidence < Self.leastConfidence
    {
      return Reading(line: first)
    }
    let second = try read(line, of: picture, most: Self.wide, isAlone: isAlone)
    return (second?.confidence ?? 0) > (first?.confidence ?? 0)
      ? Reading(line: second, isWide: true) : Reading(line: first)
  }

  /// Reads a line with at most a part of its width.
  private func read(
    _ line: TextLine, of picture: StillPicture, most: Double, isAlone: Bool
  ) throws(StillError) -> ReadLine? {
    let margins = Double(Self.rows) - Self.inkRows
    let ink = line.quad.meanWidth * Self.inkRows / max(line.quad.meanHeight, 1e-3)
    let width =
      Self.fastWidths.last { Double($0) <= most * (ink + margins) } ?? Self.fastWidths[0]
    // Half a column less, since widths are rounded up.
    let stretch = min(1, (Double(width) - margins - 0.5) / max(ink, 1))
    guard
      let strip = NetworkStrip(
        line, of: picture, rows: Self.rows, inkRows: Self.inkRows, stretch: stretch)
    else { return nil }
    return try read(strip, Way(form: Form(width: width, isFast: true), isAlone: isAlone))
  }
}
