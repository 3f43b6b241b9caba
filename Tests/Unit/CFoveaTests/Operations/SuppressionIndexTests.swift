// Fovea - tests of which boxes a suppression keeps.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

private func suppression(
  iou: Float = 0.5, score: Float = 0.25, most: Int = 5, perClass: Bool = false
) -> AddOperation {
  var parameters = fov_box_suppression(
    iou_threshold: iou, score_threshold: score, maximum_boxes: most, per_class: perClass)
  return { fov_graph_add_suppression_indices($0, &parameters, $1[0], $1[1], $2, $3) }
}

@Suite struct SuppressionIndexTests {
  private func overlap(_ a: [Float], _ b: [Float]) -> Double {
    let inner = (0..<2).map { (axis: Int) -> Double in
      let far: Float = min(a[axis] + a[axis + 2] / 2, b[axis] + b[axis + 2] / 2)
      let near: Float = max(a[axis] - a[axis + 2] / 2, b[axis] - b[axis + 2] / 2)
      return Double(far - near)
    }
    let both = max(0, inner[0]) * max(0, inner[1])
    return both / max(1e-12, Double(a[2] * a[3] + b[2] * b[3]) - both)
  }

  private func oracle(
    _ boxes: DenseArray, _ scores: DenseArray, iou: Float, score: Float, most: Int, perClass: Bool
  ) -> DenseArray {
    let rows = boxes.shape[1], classes = scores.shape[2]
    var found: [Float] = []
    for n in 0..<boxes.shape[0] {
      func row(_ i: Int) -> [Float] { (0..<classes).map { scores[[n, i, $0]] } }
      func box(_ i: Int) -> [Float] { (0..<4).map { boxes[[n, i, $0]] } }
      let best = (0..<rows).map { row($0).max()! }
      let order = (0..<rows).sorted { best[$0] == best[$1] ? $0 < $1 : best[$0] > best[$1] }
      var ranked = order.filter { best[$0] > score }
      if ranked.isEmpty { ranked = [order[0]] }
      var kept: [Int] = []
      for i in ranked where kept.count < most {
        let isKept = kept.allSatisfy { other in
          let equal = row(i).firstIndex(of: best[i]) == row(other).firstIndex(of: best[other])
          return perClass && !equal || !(overlap(box(i), box(other)) > Double(iou))
        }
        if isKept { kept.append(i) }
      }
      found += kept.map(Float.init) + [Float](repeating: -1, count: most - kept.count)
    }
    return DenseArray([boxes.shape[0], most], found)
  }

  @Test(arguments: [(1, 1, 1), (2, 30, 3), (1, 200, 1), (3, 50, 4)], [false, true])
  func keepsTheBest(_ sizes: (Int, Int, Int), perClass: Bool) throws {
    var generator = SplitMix(seed: 13)
    let (batch, rows, classes) = sizes
    for (iou, score, most) in [
      (0.5, 0.25, 5), (0.3, -Float.infinity, 300), (0, 0.9, 7), (0.7, 2, 3), (-1, 0.1, 4),
    ] as [(Float, Float, Int)] {
      let boxes = DenseArray([batch, rows, 4]) {
        Float.random(in: $0[2] < 2 ? 0...4 : 0.5...2, using: &generator)
      }
      var scores = generator.array([batch, rows, classes], in: 0...1)
      // Some are equal.
      scores.values = scores.values.map { ($0 * 20).rounded() / 20 }
      try expectEverywhere(
        [boxes, scores],
        oracle(boxes, scores, iou: iou, score: score, most: most, perClass: perClass),
        add: suppression(iou: iou, score: score, most: most, perClass: perClass))
    }
  }

  @Test func noNumbersRankLast() throws {
    let boxes = DenseArray([1, 4, 4], [0, 0, 1, 1, 9, 9, 1, 1, .nan, 0, 1, 1, 0, 0, 1, 1])
    let scores = DenseArray([1, 4, 2], [.nan, 0.9, 0.5, 0.1, 0.6, 0.2, 0.3, .nan])
    try expectEverywhere(
      [boxes, scores], DenseArray([1, 3], [2, 1, -1]), add: suppression(most: 3))
    let none = DenseArray([1, 4, 2], [Float](repeating: .nan, count: 8))
    try expectEverywhere(
      [boxes, none], DenseArray([1, 3], [0, -1, -1]), add: suppression(most: 3))
  }

  @Test func refusals() throws {
    let good = [[2, 5, 4], [2, 5, 3]]
    for shapes in [[[5, 4], [1, 5, 3]], [[2, 5, 4], [5, 3]]] {
      try expectRefusal(.shape_mismatch, "rank 3", shapes: shapes, add: suppression())
    }
    for shapes in [[[2, 5, 4], [1, 5, 3]], [[2, 5, 4], [2, 4, 3]]] {
      try expectRefusal(.shape_mismatch, "do not fit", shapes: shapes, add: suppression())
    }
    try expectRefusal(
      .shape_mismatch, "expected 4", shapes: [[2, 5, 5], [2, 5, 3]], add: suppression())
    try expectRefusal(
      .invalid_argument, "0 boxes", shapes: good, add: suppression(most: 0))
    try expectRefusal(
      .invalid_argument, "threshold", shapes: good, add: suppression(iou: .nan))
    try expectRefusal(
      .invalid_argument, "threshold", shapes: good, add: suppression(score: .nan))
    #expect(try GraphRunner.status(shapes: good, add: suppression(most: .max)) == .overflow)
  }
}
