// Fovea - how often labels and detections go together.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaLibc

/// How often labels and detections go together in a set, by which single ones are judged.
///
/// Whether a detection has a label is a logistic function of its confidence, and of whether an edge
/// of the image cuts it: annotators often leave such objects out.
struct LabelHabits: Sendable {
  /// Of 1 and of the logarithm of the odds of the confidence; and again what both add at an edge.
  private var weights = SIMD4(0, 1, 0, 0.0)
  /// The greatest confidence in the box of each label, ascending.
  private var scores: [Int: [Double]] = [:]

  /// Detections below this are seldom objects.
  private static let leastScore = 0.2

  init(_ images: [ExaminedImage]) {
    var samples: [(input: SIMD4<Double>, isLabeled: Bool)] = []
    for image in images {
      for object in image.objects where !object.isCrowd {
        let best = image.best(over: object.box, LabelSuspicions.near) { $0 == object.category }
        scores[object.category, default: []].append(best?.score ?? 0)
      }
      for detection in image.detections where detection.score >= Self.leastScore {
        let overlap = image.overlap(with: detection)
        // What lies between is neither.
        guard overlap >= LabelSuspicions.same || overlap < LabelSuspicions.near else { continue }
        samples.append((Self.input(detection, image), overlap >= LabelSuspicions.same))
      }
    }
    for label in scores.keys { scores[label]?.sort() }
    fit(samples)
  }

  /// How many detections like this one have a label for each that has none.
  func oddsOfLabel(_ detection: DetectedObject, in image: ExaminedImage) -> Double {
    exp((weights * Self.input(detection, image)).sum())
  }

  /// The share of the labels of a category in whose boxes no more is found than a confidence. What
  /// is below the least confidence is nothing.
  func shareOfLabels(_ category: Int, foundAtMost score: Double) -> Double {
    guard let all = scores[category], !all.isEmpty else { return 1 }
    let limit = max(score, Self.leastScore)
    return Double(all.prefix { $0 <= limit }.count) / Double(all.count)
  }

  private static func input(
    _ detection: DetectedObject, _ image: ExaminedImage
  ) -> SIMD4<Double> {
    let score = min(max(detection.score, 1e-4), 1 - 1e-4)
    let (width, height) = (Double(image.size.width), Double(image.size.height))
    let (across, down) = (max(0.015 * width, 1), max(0.015 * height, 1))
    let box = detection.box
    let isAtEdge =
      box.x < across || box.y < down || box.x + box.width > width - across
      || box.y + box.height > height - down
    let odds = log(score / (1 - score))
    return isAtEdge ? SIMD4(1, odds, 1, odds) : SIMD4(1, odds, 0, 0)
  }

  /// Newton's method. Few samples leave the weights near what they are.
  private mutating func fit(_ samples: [(input: SIMD4<Double>, isLabeled: Bool)]) {
    let start = weights
    for _ in 0..<20 {
      var slope = -0.5 * (weights - start)
      var rows = (0..<4).map { place in
        var row = SIMD4<Double>.zero
        row[place] = 0.5
        return row
      }
      for (input, isLabeled) in samples {
        let share = 1 / (1 + exp(-(weights * input).sum()))
        slope += ((isLabeled ? 1 : 0) - share) * input
        for place in rows.indices { rows[place] += share * (1 - share) * input[place] * input }
      }
      weights += Self.solution(rows, slope)
    }
  }

  /// Solves four equations, whose matrix is positive definite.
  private static func solution(
    _ matrix: [SIMD4<Double>], _ right: SIMD4<Double>
  ) -> SIMD4<Double> {
    var (rows, right) = (matrix, right)
    for pivot in rows.indices {
      let scale = rows[pivot][pivot]
      rows[pivot] /= scale
      right[pivot] /= scale
      for place in rows.indices where place != pivot {
        let part = rows[place][pivot]
        rows[place] -= part * rows[pivot]
        right[place] -= part * right[pivot]
      }
    }
    return right
  }
}
