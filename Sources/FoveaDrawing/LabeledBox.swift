// Fovea - what is drawn: named boxes and named regions.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A box with a name, as detectors find them.
public struct LabeledBox: Hashable, Sendable {
  /// The name that is written beside the box; empty for none.
  public var label: String
  /// The number of the class, which decides the color where it is given; see
  /// `DrawingColor.init(label:classIndex:)`.
  public var classIndex: Int?
  /// How sure the detector is, 0...1; written as a percentage. `nil` writes none.
  public var confidence: Float?
  /// Where it is, in fractions of the upright image, counted from the lower left.
  public var boundingBox: NormalizedRect

  /// A box of its parts.
  public init(
    label: String, classIndex: Int? = nil, confidence: Float? = nil, boundingBox: NormalizedRect
  ) {
    self.label = label
    self.classIndex = classIndex
    self.confidence = confidence
    self.boundingBox = boundingBox
  }

  /// The color of the label.
  public var color: DrawingColor { DrawingColor(label: label, classIndex: classIndex) }

  /// What is written beside the box: the label in one line, and the confidence in whole percent.
  func caption(withConfidence: Bool) -> String {
    let name = singleLine(label)
    guard withConfidence, let confidence, !confidence.isNaN else { return name }
    let percent = "\(Int((min(max(Double(confidence), 0), 1) * 100).rounded()))%"
    return name.isEmpty ? percent : name + " " + percent
  }
}

/// A part of an image that is shown by a dashed outline, such as a region of interest.
public struct LabeledRegion: Hashable, Sendable {
  /// The name that is written at the outline; empty for none.
  public var label: String
  /// Where it is, in fractions of the upright image, counted from the lower left.
  public var rect: NormalizedRect

  /// A region of its parts.
  public init(label: String = "", rect: NormalizedRect) {
    self.label = label
    self.rect = rect
  }
}

/// A text without line breaks and other control characters: each becomes a space.
func singleLine(_ text: String) -> String {
  let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: " "
    default: scalar
    }
  }
  return String(String.UnicodeScalarView(scalars))
}
