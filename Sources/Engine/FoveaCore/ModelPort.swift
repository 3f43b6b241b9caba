// Fovea - the inputs and outputs of a model.
// SPDX-License-Identifier: Apache-2.0
public import FoveaModelValues

/// An input or output of a model; also known as `Model.Port`.
public struct ModelPort: Sendable, Hashable {
  /// The name of the feature.
  public var name: String
  /// The type of the elements.
  public var type: DataType
  /// The size of every dimension, outermost first.
  public var shape: [Int]
  /// The image of the port, with the size in use; `nil` for arrays.
  public var image: ImageFeature?

  /// Creates a port.
  package init(name: String, type: DataType, shape: [Int], image: ImageFeature? = nil) {
    self.name = name
    self.type = type
    self.shape = shape
    self.image = image
  }

  /// The number of elements.
  package var count: Int { shape.reduce(1, *) }
}
