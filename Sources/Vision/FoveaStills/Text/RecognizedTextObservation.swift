// Fovea - a line of text that was read.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A line of text that was read. Vision's name is `VNRecognizedTextObservation`, too.
public struct RecognizedTextObservation: QuadrilateralProviding, Hashable, Codable, Sendable {
  /// The upper left corner of the text as it is read, around its ink.
  public let topLeft: NormalizedPoint
  /// The upper right corner.
  public let topRight: NormalizedPoint
  /// The lower right corner.
  public let bottomRight: NormalizedPoint
  /// The lower left corner.
  public let bottomLeft: NormalizedPoint
  /// The confidence of the best candidate, 0...1.
  public let confidence: Float
  private let candidates: [RecognizedText]

  /// What was read in a picture.
  package init(_ line: ReadLine, in picture: StillPicture) {
    let quad = picture.quadrilateral(line.quad)
    (topLeft, topRight) = (quad.topLeft, quad.topRight)
    (bottomRight, bottomLeft) = (quad.bottomRight, quad.bottomLeft)
    confidence = Float(line.confidence)
    let words = line.words.map { word in
      RecognizedText.Word(
        text: word.text, quad: picture.quadrilateral(word.quad),
        characters: word.characters.map {
          RecognizedText.Character(text: $0.text, quad: picture.quadrilateral($0.quad))
        })
    }
    candidates =
      [RecognizedText(words: words, confidence: confidence, line: quad)]
      + line.alternatives.map {
        RecognizedText(string: $0.text, confidence: Float($0.confidence), line: quad)
      }
  }

  /// The best readings of the line, at most `count` and at most 10, by falling confidence.
  ///
  /// Tesseract gives one; networks give some where a character is in doubt.
  public func topCandidates(_ count: Int) -> [RecognizedText] {
    Array(candidates.prefix(max(0, min(count, 10))))
  }
}

extension RecognizedTextObservation: CustomStringConvertible {
  /// For example `"total 12.30" 96 %`.
  public var description: String {
    let percent = Int((Double(confidence) * 100).rounded())
    return "\"\(candidates.first?.string ?? "")\" \(percent) %"
  }
}
