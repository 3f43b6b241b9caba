// Fovea - lines of text that were found in one way.
// SPDX-License-Identifier: Apache-2.0

/// Lines of text that were found in one way, before they are read.
struct TextGroup: Hashable, Sendable {
  /// The lines, in the order in which they are read.
  var lines: [TextLine]
  /// Readings that are less sure are no text.
  var leastConfidence: Double
  /// Shorter readings are no text.
  var leastCharacters = 1

  /// Whether a reading of one of the lines is text.
  func isText(_ line: ReadLine) -> Bool {
    line.confidence >= leastConfidence
      && line.words.reduce(0) { $0 + $1.text.count } >= leastCharacters
  }
}
