// Fovea - a text that a line may have.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A text that a line of an image may have, and where its parts are.
public struct RecognizedText: Hashable, Codable, Sendable {
  /// The text, with one space between words.
  public let string: String
  /// How sure the recognizer is, 0...1.
  public let confidence: Float
  /// The words of `string`.
  package let words: [Word]
  /// Around the line.
  private let line: Quadrilateral

  /// A word, and where it is.
  package struct Word: Hashable, Codable, Sendable {
    /// The text.
    package let text: String
    /// Around its ink.
    package let quad: Quadrilateral
    /// Its characters, from the left; empty where the recognizer does not tell.
    package let characters: [Character]
  }

  /// A character, and where it is.
  package struct Character: Hashable, Codable, Sendable {
    /// The text.
    package let text: String
    /// Around its ink, or near it.
    package let quad: Quadrilateral
  }

  /// A text of some words.
  package init(words: [Word], confidence: Float, line: Quadrilateral) {
    string = words.map(\.text).joined(separator: " ")
    self.confidence = confidence
    self.words = words
    self.line = line
  }

  /// A text that another reading of the line gave.
  package init(string: String, confidence: Float, line: Quadrilateral) {
    self.string = string
    self.confidence = confidence
    words = []
    self.line = line
  }

  /// The least quadrilateral along the line around a part of the text.
  ///
  /// It is exact to the character where the recognizer tells where characters are. It is not always
  /// an exact fit: recognizers know places only roughly.
  ///
  /// - Returns: `nil` for an empty range, for spaces, and for candidates after the first.
  public func boundingBox(for range: Range<String.Index>) -> Quadrilateral? {
    var parts: [Quadrilateral] = []
    var start = string.startIndex
    for word in words {
      guard let end = string.index(start, offsetBy: word.text.count, limitedBy: string.endIndex)
      else { break }
      parts += word.parts(of: string[start..<end], within: range)
      start = end < string.endIndex ? string.index(after: end) : end
    }
    return line.around(parts)
  }
}

extension RecognizedText.Word {
  /// The places of the characters of this word that lie in a range; the word's own where those are not
  /// known.
  fileprivate func parts(
    of text: Substring, within range: Range<String.Index>
  ) -> [Quadrilateral] {
    guard range.overlaps(text.startIndex..<text.endIndex) else { return [] }
    if range.lowerBound <= text.startIndex, range.upperBound >= text.endIndex { return [quad] }
    guard characters.map(\.text).joined() == self.text else { return [quad] }
    var start = text.startIndex
    return characters.compactMap { character in
      let end = text.index(start, offsetBy: character.text.count)
      defer { start = end }
      return range.overlaps(start..<end) ? character.quad : nil
    }
  }
}

extension Quadrilateral {
  /// The least quadrilateral around others whose sides run as those of this one.
  fileprivate func around(_ parts: [Quadrilateral]) -> Quadrilateral? {
    // Upper left to lower left, as pictures have them.
    guard !parts.isEmpty, let toImage = PerspectiveMap(rectangle: 1, 1, to: points),
      let toLine = toImage.inverse
    else { return nil }
    let inside = parts.flatMap(\.points).map { toLine($0) }
    let (xs, ys) = (inside.map(\.x), inside.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return nil }
    let corners = [
      SIMD2(left, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(left, bottom),
    ].map { corner in
      let point = toImage(corner)
      return NormalizedPoint(x: point.x, y: point.y)
    }
    return Quadrilateral(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
  }

  private var points: [SIMD2<Double>] {
    [topLeft, topRight, bottomRight, bottomLeft].map { SIMD2($0.x, $0.y) }
  }
}
