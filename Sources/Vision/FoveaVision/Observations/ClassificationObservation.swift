// Fovea - one class that an object or an image may belong to.
// SPDX-License-Identifier: Apache-2.0

/// A class that an object or an image may belong to.
public struct ClassificationObservation: Hashable, Codable, Sendable {
  /// The name of the class, spelled as in the model.
  public var identifier: String
  /// The index of the class in the scores of the model.
  public var classIndex: Int
  /// The class's probability for an image, or its share of an object's confidence, 0...1. The shares
  /// of an object sum to 1, or to more where its classes' scores do.
  public var confidence: Float

  /// Creates an observation.
  public init(identifier: String, classIndex: Int, confidence: Float) {
    self.identifier = identifier
    self.classIndex = classIndex
    self.confidence = confidence
  }
}
