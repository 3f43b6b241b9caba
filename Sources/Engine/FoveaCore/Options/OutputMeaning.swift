// Fovea - what the numbers of a detector mean, where the caller says it.
// SPDX-License-Identifier: Apache-2.0

/// What the coordinates of boxes count.
public enum BoxUnits: String, Sendable, Hashable, CaseIterable {
  /// Pixels of the image that the network reads.
  case pixels
  /// Fractions of its width and height.
  case fractions
}

/// What the scores of a detector are.
public enum ScoreForm: String, Sendable, Hashable, CaseIterable {
  /// Numbers of 0...1.
  case probabilities
  /// Numbers whose sigmoids are probabilities, one for each class.
  case logits
  /// Numbers whose softmax gives the probabilities of the classes and, last, of no object.
  case softmax
}

/// What a detector finds beside upright boxes.
public enum DetectorTask: String, Sendable, Hashable, CaseIterable {
  /// Boxes alone.
  case detect
  /// Boxes with masks.
  case segment
  /// Boxes with key points.
  case pose
  /// Turned boxes.
  case obb
}
