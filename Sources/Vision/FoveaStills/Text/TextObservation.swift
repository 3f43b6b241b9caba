// Fovea - a line of text that was found, but not read.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A line of text that was found, but not read. Vision's name is `VNTextObservation`, too.
public struct TextObservation: QuadrilateralProviding, Hashable, Codable, Sendable {
  /// The upper left corner of the text as it is read, around its ink.
  public let topLeft: NormalizedPoint
  /// The upper right corner.
  public let topRight: NormalizedPoint
  /// The lower right corner.
  public let bottomRight: NormalizedPoint
  /// The lower left corner.
  public let bottomLeft: NormalizedPoint
  /// How likely it is that this is text, 0...1.
  public let confidence: Float
  /// Around each character, from the left; `nil` unless the request asks for them. Letters that touch
  /// are one.
  public let characterBoxes: [Quadrilateral]?

  /// What was found in a picture.
  init(_ line: TextLine, characters: [PixelQuad]?, confidence: Float, in picture: StillPicture) {
    let quad = picture.quadrilateral(line.quad)
    (topLeft, topRight) = (quad.topLeft, quad.topRight)
    (bottomRight, bottomLeft) = (quad.bottomRight, quad.bottomLeft)
    self.confidence = confidence
    characterBoxes = characters?.map { picture.quadrilateral($0) }
  }
}
