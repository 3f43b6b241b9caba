// Fovea - sums of the times of stages.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
package import FoveaVision

/// Sums of the times of stages.
package struct StageTimes {
  package private(set) var count = 0
  package private(set) var sums = [Duration](repeating: .zero, count: 4)

  /// The names of the stages.
  package static let names = ["decode", "prepare", "inference", "postprocess"]

  package init() {}

  package mutating func add(_ timings: DetectionTimings) {
    count += 1
    let stages = [timings.decode, timings.prepare, timings.inference, timings.postprocess]
    for (place, time) in stages.enumerated() { sums[place] += time }
  }

  /// The mean of each stage in milliseconds.
  package var means: [String: Double] {
    Dictionary(
      uniqueKeysWithValues: zip(Self.names, sums).map { name, sum in
        (name, NumberText.rounded(sum.milliseconds / Double(max(count, 1)), digits: 3))
      })
  }
}
