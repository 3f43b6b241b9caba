// Fovea - what a network writes for a picture that nobody took.
// SPDX-License-Identifier: Apache-2.0

/// What a network wrote for a synthetic picture, by the name of the output: evidence of what its
/// numbers mean, where neither the file nor the graph says it.
package final class OutputSamples: Sendable {
  /// The elements of each output, row-major.
  package let values: [String: [Float]]

  /// Keeps what a network wrote.
  package init(_ values: [String: [Float]]) { self.values = values }
}

/// Two samples are equal if they are the same one: options that hold them are compared often.
extension OutputSamples: Hashable {
  package static func == (left: OutputSamples, right: OutputSamples) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
