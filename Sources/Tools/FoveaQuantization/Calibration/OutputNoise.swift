// Fovea - how far the outputs of a network are from what they should be, as one number.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaRuntime
internal import FoveaVision

/// How far the outputs of a network are from what they should be, as one number: 0 where they are equal, growing with the
/// square of the error.
///
/// A detector's scores count by the sum of their squared errors over that of their squares. Its boxes count by their
/// scores: most are of no object, and those may be the largest. A box's error is that of its middle and its sides as parts
/// of its sides, as overlaps see it, no more than 1 each. Of other networks all outputs count alike.
package struct OutputNoise: Sendable {
  /// Places of a detector's scores and boxes among the outputs.
  private let detector: (scores: Int, boxes: Int)?

  /// The noise of a detector whose outputs have scores and boxes at these places.
  package init(scores: Int, boxes: Int) { detector = (scores, boxes) }

  /// The noise of a network that is no detector.
  package init() { detector = nil }

  /// The noise of a model, which may be a detector.
  init(of model: Model) {
    guard let layout = try? DetectorLayout(model: model),
      let scores = model.outputs.firstIndex(where: { $0.name == layout.confidenceOutput }),
      let boxes = model.outputs.firstIndex(where: { $0.name == layout.coordinatesOutput })
    else {
      self.init()
      return
    }
    self.init(scores: scores, boxes: boxes)
  }

  /// The noise of `found` where `exact` is right: numbers of each output, over any number of runs. O(numbers).
  package func callAsFunction(_ found: [[Float]], exact: [[Float]]) -> Double {
    guard let detector else {
      let shares = zip(found, exact).map(Self.share)
      return shares.reduce(0, +) / Double(max(shares.count, 1))
    }
    let scores = exact[detector.scores]
    return Self.share(found[detector.scores], scores)
      + Self.boxShare(found[detector.boxes], exact[detector.boxes], scores)
  }

  private static func share(_ found: [Float], _ exact: [Float]) -> Double {
    var energy = ErrorEnergy()
    energy.add(exact, found.span)
    return energy.noiseShare
  }

  /// Squared errors of boxes (center x, center y, width, height), averaged by the greatest score of each.
  private static func boxShare(_ found: [Float], _ exact: [Float], _ scores: [Float]) -> Double {
    let rows = exact.count / 4
    guard rows > 0 else { return 0 }
    let classes = scores.count / rows
    var sum = 0.0
    var weights = 0.0
    for row in 0..<rows {
      // At least 0: networks that write logits may call a box less likely than nothing.
      let weight = Double(scores[(row * classes)..<((row + 1) * classes)].reduce(0, max))
      var error = 0.0
      for part in 0..<4 {
        let side = max(Double(exact[4 * row + 2 + part % 2]), leastSide)
        let difference = (Double(found[4 * row + part]) - Double(exact[4 * row + part])) / side
        error += min(difference * difference, 1)
      }
      sum += weight * error
      weights += weight
    }
    return weights > 0 ? sum / weights : 0
  }

  /// Of boxes thinner than a thousandth of the image.
  private static let leastSide = 1e-3
}
