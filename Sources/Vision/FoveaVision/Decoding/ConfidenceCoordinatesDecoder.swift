// Fovea - from scores and boxes to candidates, and to those that survive suppression.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// Boxes that may be objects, before suppression.
package struct DetectionCandidates: Sendable {
  /// The row of the network's output that each candidate comes from.
  package var rows: [Int] = []
  /// The class of each candidate.
  package var classes: [Int] = []
  /// The score of that class.
  package var scores: [Float] = []
  /// The box in fractions of the image, y counted from the top.
  package var boxes: [CornerBox] = []

  /// Forgets the candidates and keeps their memory.
  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    classes.removeAll(keepingCapacity: true)
    scores.removeAll(keepingCapacity: true)
    boxes.removeAll(keepingCapacity: true)
  }
}

/// Memory that decoding and suppression keep from one image to the next. One user at a time.
package final class PostprocessingMemory {
  /// The candidates of the last image.
  package fileprivate(set) var candidates = DetectionCandidates()
  fileprivate var suppressor = BoxSuppressor()
  /// For sorting the labels of an object.
  fileprivate var labelOrder: [UInt64] = []

  /// Indices into `candidates` of those that survived suppression, best first.
  package var survivors: [Int] { suppressor.kept }

  /// Creates memory that has not grown yet.
  package init() {}
}

/// Reads the two arrays that Core ML detectors put out.
///
/// `confidence` is boxes x classes; `coordinates` is boxes x 4: center x, center y, width and
/// height in fractions of the image, y counted from the top.
package struct ConfidenceCoordinatesDecoder: Sendable {
  /// The number of classes, at least 1.
  package var classCount: Int
  /// The settings of the detection.
  package var settings: DetectionSettings

  /// Creates a decoder.
  package init(classCount: Int, settings: DetectionSettings) {
    self.classCount = classCount
    self.settings = settings
  }

  /// The rows whose score reaches the threshold.
  ///
  /// The score of a row is its highest class score, at equal scores that of the lower index; or
  /// each class counts by itself when the settings say so. A class that is not allowed gives no
  /// candidate, and neither does the box whose best class it is. O(boxes x classes).
  ///
  /// - Throws: `.invalidOutput` for a score, or a box of a candidate, that is not a finite number.
  package func candidates(
    confidence: Span<Float>, coordinates: Span<Float>
  ) throws(DetectionError) -> DetectionCandidates {
    var found = DetectionCandidates()
    try findCandidates(confidence: confidence, coordinates: coordinates, in: &found)
    return found
  }

  /// `candidates(confidence:coordinates:)` in memory that is there already.
  private func findCandidates(
    confidence: Span<Float>, coordinates: Span<Float>, in found: inout DetectionCandidates
  ) throws(DetectionError) {
    let rowCount = confidence.count / classCount
    precondition(coordinates.count == rowCount * 4 && confidence.count == rowCount * classCount)
    let threshold = Float(settings.minimumConfidence)
    found.removeAll()
    try confidence.withUnsafeBufferPointer { confidence throws(DetectionError) in
      for row in 0..<rowCount {
        let scores = UnsafeBufferPointer(
          rebasing: confidence[row * classCount..<(row + 1) * classCount])
        guard let best = try highest(of: scores, atLeast: threshold, row: row) else { continue }
        switch settings.candidateRule {
        case .bestClass:
          let index = scores.firstIndex(of: best) ?? 0
          try append(index, best, row: row, coordinates, to: &found)
        case .multiLabel:
          for index in 0..<classCount where scores[index] >= threshold {
            try append(index, scores[index], row: row, coordinates, to: &found)
          }
        }
      }
    }
  }

  /// Indices into `candidates` of those that survive suppression, best first.
  package func survivors(of candidates: DetectionCandidates) -> [Int] {
    var suppressor = BoxSuppressor()
    suppress(candidates, &suppressor)
    return suppressor.kept
  }

  /// Who competes, and votes, with whom: candidates of one number; `nil` for all.
  private func rivals(_ candidates: DetectionCandidates) -> [Int]? {
    settings.isClassAgnostic ? nil : candidates.classes
  }

  private func suppress(_ candidates: DetectionCandidates, _ suppressor: inout BoxSuppressor) {
    suppressor.suppress(
      boxes: candidates.boxes, scores: candidates.scores,
      groups: rivals(candidates), groupCount: classCount,
      confidenceThreshold: settings.minimumConfidence, iouThreshold: settings.iouThreshold,
      // What is lowered afterwards may make room for others.
      maximumCount: settings.softSuppression > 0 ? nil : settings.maximumObservations)
  }

  /// Leaves the candidates and the survivors in `memory`. Once the memory has grown to what the
  /// images need, nothing is allocated.
  package func findSurvivors(
    confidence: Span<Float>, coordinates: Span<Float>, memory: PostprocessingMemory
  ) throws(DetectionError) {
    try findCandidates(confidence: confidence, coordinates: coordinates, memory: memory)
    suppressCandidates(in: memory)
  }

  /// The first half of `findSurvivors`: leaves the candidates in `memory`.
  package func findCandidates(
    confidence: Span<Float>, coordinates: Span<Float>, memory: PostprocessingMemory
  ) throws(DetectionError) {
    try findCandidates(confidence: confidence, coordinates: coordinates, in: &memory.candidates)
  }

  /// The second half of `findSurvivors`: leaves the survivors of its candidates in `memory`.
  package func suppressCandidates(in memory: PostprocessingMemory) {
    suppress(memory.candidates, &memory.suppressor)
  }

  /// The observations of the candidates that survive suppression, greedy and soft, best first.
  ///
  /// - Throws: As `candidates(confidence:coordinates:)`.
  package func observations(
    confidence: Span<Float>, coordinates: Span<Float>, classLabels: [String],
    memory: PostprocessingMemory = PostprocessingMemory()
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try findSurvivors(confidence: confidence, coordinates: coordinates, memory: memory)
    let candidates = memory.candidates
    let soft = SoftSuppression(strength: settings.softSuppression)
    let remainders = soft.remainders(
      of: memory.survivors, boxes: candidates.boxes, scores: candidates.scores,
      groups: rivals(candidates), confidenceThreshold: settings.minimumConfidence,
      maximumCount: settings.maximumObservations)
    let vote = BoxVote(threshold: settings.boxVotingThreshold)
    var observations: [RecognizedObjectObservation] = []
    observations.reserveCapacity(remainders.count)
    // With a threshold of 0 a row of zeros passes, but it names no class and so no object.
    for remainder in remainders where candidates.scores[remainder.index] > 0 {
      let index = remainder.index
      let voted = vote.box(
        of: index, boxes: candidates.boxes, scores: candidates.scores,
        groups: rivals(candidates))
      let box = NormalizedRect(voted, origin: .upperLeft)
      let start = candidates.rows[index] * classCount
      var observation =
        switch settings.candidateRule {
        case .bestClass:
          RecognizedObjectObservation(
            boundingBox: box, scores: confidence.extracting(start..<start + classCount),
            classLabels: classLabels, order: &memory.labelOrder)
        case .multiLabel:
          RecognizedObjectObservation(
            boundingBox: box, score: candidates.scores[index],
            classIndex: candidates.classes[index], classLabels: classLabels)
        }
      // The labels are shares of it, and stay what they are.
      observation.confidence *= remainder.share
      observations.append(observation)
    }
    return observations
  }

  /// The highest score of a row, or `nil` where it does not reach the threshold.
  private func highest(
    of scores: UnsafeBufferPointer<Float>, atLeast threshold: Float, row: Int
  ) throws(DetectionError) -> Float? {
    let bytes = UnsafeRawBufferPointer(scores)
    // `finite` becomes NaN as soon as one score is NaN or infinite, and stays so.
    var best = SIMD8<Float>(repeating: -.infinity), finite = SIMD8<Float>.zero
    var index = 0
    while index &+ 8 <= scores.count {
      let eight = bytes.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Float>.self)
      finite += eight * 0
      best.replace(with: eight, where: eight .> best)
      index &+= 8
    }
    var (highest, sum) = (-Float.infinity, Float(0))
    while index < scores.count {
      sum += scores[index] * 0
      if scores[index] > highest { highest = scores[index] }
      index &+= 1
    }
    guard sum == 0, all(finite .== 0) else {
      throw .invalidOutput(
        "the network's scores of box \(row) are not finite numbers; "
          + "the model's weights are damaged or its input is scaled wrongly")
    }
    // Most rows end here, without looking which of the eight is the highest.
    guard highest >= threshold || any(best .>= threshold) else { return nil }
    return Float.maximum(highest, best.max())
  }

  private func append(
    _ index: Int, _ score: Float, row: Int, _ coordinates: Span<Float>,
    to found: inout DetectionCandidates
  ) throws(DetectionError) {
    if let allowed = settings.allowedClasses, !allowed[index] { return }
    let start = row * 4
    let box = CenterBox(
      centerX: Double(coordinates[start]), centerY: Double(coordinates[start + 1]),
      width: Double(coordinates[start + 2]), height: Double(coordinates[start + 3]))
    guard box.centerX.isFinite, box.centerY.isFinite, box.width.isFinite, box.height.isFinite
    else {
      throw .invalidOutput(
        "the network's coordinates of box \(row) are not finite numbers; "
          + "the model's weights are damaged or its input is scaled wrongly")
    }
    found.rows.append(row)
    found.classes.append(index)
    found.scores.append(score)
    found.boxes.append(CornerBox(box))
  }
}
