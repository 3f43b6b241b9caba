// Fovea - what a recognizer read in a line of text.
// SPDX-License-Identifier: Apache-2.0

/// What a recognizer read in a line of text, in pixels of the picture.
package struct ReadLine: Hashable, Sendable {
  /// A letter, a digit, a mark: what is seen as one.
  package struct Character: Hashable, Sendable {
    /// Its text.
    package var text: String
    /// Around its ink, or near it: recognizers know places of characters only roughly.
    package var quad: PixelQuad

    /// A character.
    package init(text: String, quad: PixelQuad) { (self.text, self.quad) = (text, quad) }
  }

  /// Characters without a space between them.
  package struct Word: Hashable, Sendable {
    /// Its text.
    package var text: String
    /// How sure the recognizer is, 0...1.
    package var confidence: Double
    /// Around its ink.
    package var quad: PixelQuad
    /// Its characters, from the left.
    package var characters: [Character]

    /// A word.
    package init(text: String, confidence: Double, quad: PixelQuad, characters: [Character]) {
      (self.text, self.confidence, self.quad) = (text, confidence, quad)
      self.characters = characters
    }
  }

  /// Around the line.
  package var quad: PixelQuad
  /// Its words, from the left; never empty.
  package var words: [Word]
  /// Other texts that the line may have, by falling confidence.
  package var alternatives: [Alternative] = []

  /// Another text that a line may have.
  package struct Alternative: Hashable, Sendable {
    /// The text.
    package var text: String
    /// How sure the recognizer is, 0...1.
    package var confidence: Double

    /// Another text.
    package init(text: String, confidence: Double) {
      (self.text, self.confidence) = (text, confidence)
    }
  }

  /// A line of some words.
  package init(quad: PixelQuad, words: [Word], alternatives: [Alternative] = []) {
    (self.quad, self.words, self.alternatives) = (quad, words, alternatives)
  }

  /// The words, with spaces between them.
  package var text: String { words.map(\.text).joined(separator: " ") }

  /// The mean of the words' confidences, each counted as often as it has characters.
  package var confidence: Double {
    let count = words.reduce(0) { $0 + $1.text.count }
    let sum = words.reduce(0) { $0 + $1.confidence * Double($1.text.count) }
    return count == 0 ? 0 : sum / Double(count)
  }
}
