// Fovea - what is drawn: named boxes and named regions.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
package import FoveaShapes

/// A box with a label.
public struct LabeledBox: Hashable, Sendable {
  /// The text beside the box; empty for none.
  public var label: String
  /// The index of the class, which decides the color; see `DrawingColor.init(label:classIndex:)`.
  public var classIndex: Int?
  /// The confidence, 0...1, written as a percentage; `nil` for none.
  public var confidence: Float?
  /// The box in fractions of the upright image, counted from the lower left.
  public var boundingBox: NormalizedRect
  /// The corners of an outline that is drawn in the box's place, one after the other around it, in
  /// fractions of the upright image, counted from the lower left; empty for the box itself.
  package var corners: [NormalizedPoint] = []
  /// Whether the outline of the corners lies around them and is thin, so that it covers nothing
  /// inside, and little of what is near.
  package var liesAround = false
  /// The pixels of the object, which are tinted.
  package var mask: InstanceMask?
  /// The key points of the object, which are joined by limbs where they are those of a body.
  package var keypoints: [RecognizedPoint] = []
  /// A color in the place of the label's own.
  package var givenColor: DrawingColor?

  /// Creates a box.
  public init(
    label: String, classIndex: Int? = nil, confidence: Float? = nil, boundingBox: NormalizedRect
  ) {
    self.label = label
    self.classIndex = classIndex
    self.confidence = confidence
    self.boundingBox = boundingBox
  }

  /// Creates a thing with corners. Its box is the least one around them.
  package init(
    label: String, classIndex: Int? = nil, confidence: Float? = nil, corners: [NormalizedPoint]
  ) {
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, lower) = (xs.min() ?? 0, ys.min() ?? 0)
    self.init(
      label: label, classIndex: classIndex, confidence: confidence,
      boundingBox: NormalizedRect(
        x: left, y: lower, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - lower))
    self.corners = corners
  }

  /// The color of the label.
  public var color: DrawingColor {
    givenColor ?? DrawingColor(label: label, classIndex: classIndex)
  }

  /// What is written beside the box: the label in one line, and the confidence in whole percent.
  func caption(withConfidence: Bool) -> String {
    let name = singleLine(label)
    guard withConfidence, let confidence, !confidence.isNaN else { return name }
    let percent = "\(Int((min(max(Double(confidence), 0), 1) * 100).rounded()))%"
    return name.isEmpty ? percent : name + " " + percent
  }
}

/// A part of an image, such as a region of interest, shown by a dashed outline.
public struct LabeledRegion: Hashable, Sendable {
  /// The text at the outline; empty for none.
  public var label: String
  /// The region in fractions of the upright image, counted from the lower left.
  public var rect: NormalizedRect

  /// Creates a region.
  public init(label: String = "", rect: NormalizedRect) {
    self.label = label
    self.rect = rect
  }
}

/// A text without line breaks and other control characters: each becomes a space.
package func singleLine(_ text: String) -> String {
  let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: " "
    default: scalar
    }
  }
  return String(String.UnicodeScalarView(scalars))
}
