// Fovea - what a number of measured times say.
// SPDX-License-Identifier: Apache-2.0

/// What a number of measured times say.
package struct SampleSummary: Equatable {
  private let sorted: [Double]

  /// Summarizes samples in any order.
  ///
  /// - Precondition: there is at least one.
  package init(_ samples: [Double]) {
    precondition(!samples.isEmpty, "no samples")
    sorted = samples.sorted()
  }

  /// The number of samples.
  package var count: Int { sorted.count }
  /// The least.
  package var minimum: Double { sorted[0] }
  /// The middle one, or the mean of the middle two.
  package var median: Double { percentile(50) }

  /// The value below which `percent` of a hundred samples lie: between the two samples next to
  /// the place (count - 1) * percent / 100 by their distance, as NumPy does.
  package func percentile(_ percent: Double) -> Double {
    let place = Double(count - 1) * min(max(percent, 0), 100) / 100
    let below = Int(place)
    let above = min(below + 1, count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
