// Fovea - from a detector's arrays to the boxes that survive, stage by stage.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// What follows a detector's network, at one threshold.
struct SuppressionRun {
  let arrays: DetectorArrays
  let settings: DetectionSettings
  /// Whether heads are decoded in every run and not only once.
  let decodes: Bool

  private let decoder: ConfidenceCoordinatesDecoder
  private let memory = PostprocessingMemory()
  private let classLabels: [String]

  /// Milliseconds of the stages of a run.
  struct Times {
    /// From logits to both arrays; `nil` when that is not part of the run.
    var decode: Double?
    /// The scan over the scores.
    var scan: Double
    /// Sorting and suppression.
    var suppress: Double

    var total: Double { (decode ?? 0) + scan + suppress }
  }

  init(_ arrays: DetectorArrays, settings: DetectionSettings, decodes: Bool) {
    (self.arrays, self.settings, self.decodes) = (arrays, settings, decodes)
    decoder = ConfidenceCoordinatesDecoder(classCount: arrays.classCount, settings: settings)
    classLabels = (0..<arrays.classCount).map { "class \($0)" }
  }

  /// Decodes, looks for candidates and suppresses, in memory that is kept, as a request does.
  func take() throws -> Times {
    let decode = decodes ? arrays.decode(floor: settings.minimumConfidence) : nil
    return try arrays.withArrays { confidence, coordinates in
      let start = ContinuousClock.now
      try decoder.findCandidates(confidence: confidence, coordinates: coordinates, memory: memory)
      let middle = ContinuousClock.now
      decoder.suppressCandidates(in: memory)
      let end = ContinuousClock.now
      return Times(
        decode: decode, scan: (middle - start).milliseconds, suppress: (end - middle).milliseconds)
    }
  }

  /// The milliseconds from the arrays to observations, with scan and suppression.
  func observe() throws -> Double {
    try arrays.withArrays { confidence, coordinates in
      let start = ContinuousClock.now
      let found = try decoder.observations(
        confidence: confidence, coordinates: coordinates, classLabels: classLabels, memory: memory)
      let time = (ContinuousClock.now - start).milliseconds
      withExtendedLifetime(found) {}
      return time
    }
  }

  /// The number of candidates in the last run.
  var candidateCount: Int { memory.candidates.scores.count }
  /// The number of boxes that survived the last run.
  var keptCount: Int { memory.survivors.count }

  /// Row and class of each survivor of the last run, best first.
  var kept: [Int32] {
    memory.survivors.flatMap {
      [Int32(memory.candidates.rows[$0]), Int32(memory.candidates.classes[$0])]
    }
  }
}
