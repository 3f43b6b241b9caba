// Fovea - where a line of text lies.
// SPDX-License-Identifier: Apache-2.0

/// Where a line of text lies in a picture, before it is read.
package struct TextLine: Hashable, Sendable {
  /// From the upper left of the text, clockwise, around its ink; pixels of the picture.
  package var quad: PixelQuad
  /// The height of small letters (of all, where they are capitals) over the height of `quad`.
  package var xHeightShare: Double
  /// Whether the letters are lighter than what they are written on.
  package var isLight: Bool
  /// How likely it is that this is text, 0...1.
  package var confidence: Double

  /// A line of text.
  package init(quad: PixelQuad, xHeightShare: Double, isLight: Bool, confidence: Double = 1) {
    (self.quad, self.xHeightShare, self.isLight) = (quad, xHeightShare, isLight)
    self.confidence = confidence
  }

  /// The same place, read upside down.
  package var upsideDown: TextLine {
    var line = self
    line.quad = quad.startingAt(2)
    return line
  }
}
