// Fovea - how far numbers are from what they should be.
// SPDX-License-Identifier: Apache-2.0

/// How far numbers are from what they should be, as sums of squares.
package struct ErrorEnergy: Sendable {
  /// Of what the numbers should be.
  package private(set) var signal = 0.0
  /// Of the differences.
  package private(set) var noise = 0.0

  package init() {}

  /// Adds what numbers should be, and what they are; as many of each.
  package mutating func add(_ exact: [Float], _ found: Span<Float>) {
    for index in exact.indices {
      let difference = Double(found[index]) - Double(exact[index])
      signal += Double(exact[index]) * Double(exact[index])
      noise += difference * difference
    }
  }

  /// `noise` as a part of `signal`; 0 without a signal.
  package var noiseShare: Double { signal > 0 ? noise / signal : 0 }
}
