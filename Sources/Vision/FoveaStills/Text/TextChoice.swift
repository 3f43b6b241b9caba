// Fovea - which of several findings of text at one place stay.
// SPDX-License-Identifier: Apache-2.0

/// Which of several findings of text at one place stay: lines are looked for in the whole picture and in
/// parts of it.
enum TextChoice {
  /// The findings that no better one covers, in the order in which they are read.
  static func uncovered<Finding>(
    _ findings: [Finding], quad: (Finding) -> PixelQuad, weight: (Finding) -> Double
  ) -> [Finding] {
    let quads = findings.map(quad), weights = findings.map(weight)
    let order = findings.indices.sorted { (weights[$0], $1) > (weights[$1], $0) }
    var kept: [Int] = []
    for index in order {
      let isCovered = kept.contains { other in
        quads[other].covers(quads[index]) || quads[index].covers(quads[other])
      }
      if !isCovered { kept.append(index) }
    }
    let angle = TextRegions.angle(of: kept.sorted().map { quads[$0] })
    return TextLineFinder.inReadingOrder(
      kept.sorted().map { findings[$0] }, angle: angle, quad: quad)
  }

  /// The readings that no other one with more of sure characters covers.
  static func uncovered(_ lines: [ReadLine]) -> [ReadLine] {
    uncovered(lines, quad: \.quad) { line in
      Double(line.words.reduce(0) { $0 + $1.text.count }) * max(0, line.confidence - 0.4)
    }
  }
}

extension PixelQuad {
  /// Whether a third of another line, or more, lies inside of this one.
  fileprivate func covers(_ other: PixelQuad) -> Bool {
    let c = other.corners
    let points = [0.25, 0.5, 0.75].flatMap { down in
      let (left, right) = (c[0] + down * (c[3] - c[0]), c[1] + down * (c[2] - c[1]))
      return [0.1, 0.3, 0.5, 0.7, 0.9].map { left + $0 * (right - left) }
    }
    return points.count(where: contains) >= 5
  }
}
