// Fovea - the head of YOLACT.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLibc
internal import FoveaModelValues

extension HeadRule {
  /// Offsets [1, N, 4] from priors [N, 4], scores [1, N, 1 + C] whose first is that of no object,
  /// mask factors [1, N, m] and prototypes [1, rows, columns, m].
  static let yolact = HeadRule(head: .yolact) { evidence, program, _ throws(FoveaError) in
    guard let outputs = YOLACTOutputs(evidence) else { return nil }
    let columns = 0..<outputs.classes + 1
    let origins = evidence.origins(of: outputs.scores, columns)
    guard origins.allSatisfy({ $0 == .probability }) || outputs.areProbabilities(evidence) else {
      evidence.doubt(
        outputs.scores, columns, are: "scores", in: evidence.sample(of: outputs.scores))
      return nil
    }
    let offsets = try program.rows(outputs.offsets.value, isTurned: false)
    let priors = try program.rows(outputs.priors.value, isTurned: false)
    let sizes = try program.columns(priors, 2..<4)
    let factors = program.constant([0.1, 0.1, 0.2, 0.2], shape: [4])
    let scaled = try program.binary("mul", offsets, factors)
    let moves = try program.binary("mul", program.columns(scaled, 0..<2), sizes)
    let centers = try program.binary("add", program.columns(priors, 0..<2), moves)
    let growth = try program.unary("exp", program.columns(scaled, 2..<4))
    let boxes = try program.concat([centers, program.binary("mul", sizes, growth)], axis: 1)
    return DecodedHead(
      confidence: try program.columns(
        program.rows(outputs.scores.value, isTurned: false), 1..<outputs.classes + 1),
      coordinates: boxes,
      parts: [
        HeadPart(
          output: .maskFactors, value: try program.rows(outputs.factors.value, isTurned: false)),
        HeadPart(
          output: .maskPrototypes,
          value: try program.prototypes(outputs.prototypes.value, isLast: true)),
      ],
      recognized: RecognizedHead(
        .yolact,
        reason:
          "\(outputs.count) offsets (\"\(outputs.offsets.name)\") from priors"
          + " (\"\(outputs.priors.name)\"), with \(outputs.classes) classes and masks of"
          + " \(outputs.planes) planes"))
  }
}

/// The outputs of YOLACT.
private struct YOLACTOutputs {
  let offsets: HeadEvidence.Output
  let priors: HeadEvidence.Output
  let scores: HeadEvidence.Output
  let factors: HeadEvidence.Output
  let prototypes: HeadEvidence.Output
  let count: Int
  let classes: Int
  let planes: Int

  init?(_ evidence: HeadEvidence) {
    let matrices = evidence.outputs.filter { $0.value.rank <= 3 && $0.matrix != nil }
    let boxes = matrices.filter { $0.matrix?.columns == 4 }
    guard evidence.outputs.count == 5, matrices.count == 4, boxes.count >= 2,
      let prototypes = evidence.outputs.first(where: { $0.value.rank == 4 }),
      let planes = prototypes.value.shape.last,
      let priors = boxes.first(where: { $0.name.lowercased().includes("prior") }),
      let offsets = boxes.first(where: { $0.name.lowercased().includes("loc") }),
      let count = priors.matrix?.rows,
      matrices.allSatisfy({ $0.matrix?.rows == count })
    else { return nil }
    let others = matrices.filter { $0.name != priors.name && $0.name != offsets.name }
    // With as many planes as scores, the names decide.
    guard
      let factors = others.first(where: { $0.name.lowercased().includes("mask") })
        ?? others.first(where: { $0.matrix?.columns == planes }),
      let scores = others.first(where: { $0.name != factors.name }),
      factors.matrix?.columns == planes, let columns = scores.matrix?.columns, columns >= 2,
      evidence.classCount.map({ $0 == columns - 1 }) != false
    else { return nil }
    (self.offsets, self.priors, self.scores) = (offsets, priors, scores)
    (self.factors, self.prototypes) = (factors, prototypes)
    (self.count, self.planes, classes) = (count, planes, columns - 1)
  }

  /// Whether the scores of each box are probabilities for a synthetic picture.
  func areProbabilities(_ evidence: HeadEvidence) -> Bool {
    guard let rows = evidence.sample(of: scores) else { return true }
    return (0...classes).allSatisfy(rows.isProbability)
  }
}
