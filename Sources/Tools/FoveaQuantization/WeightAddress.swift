// Fovea - where weights stand in a Core ML file.
// SPDX-License-Identifier: Apache-2.0

/// Where an array of weights stands in a Core ML file.
package struct WeightAddress: Sendable, Hashable {
  /// The indices of the models inside pipelines that lead to the network or program; empty for a
  /// file that is one.
  package var path: [Int]
  /// The index of the layer; in a program that of the constant among its weights.
  package var layer: Int
  /// The number of the field in the layer's parameters, such as 90 for a convolution's weights; in a
  /// program 0 for weights and 1 for the bias that goes with them.
  package var field: Int

  /// Creates an address.
  package init(path: [Int], layer: Int, field: Int) {
    self.path = path
    self.layer = layer
    self.field = field
  }

  /// The address of another field of the same layer.
  func sibling(_ field: Int) -> WeightAddress {
    WeightAddress(path: path, layer: layer, field: field)
  }
}

/// Field numbers of the Core ML specification that a weight is reached through.
enum SpecificationField {
  // Model
  static let version = 1
  static let pipelines = 202
  static let pipelineClassifier = 200
  static let pipelineRegressor = 201
  static let networks = [303, 403, 500]
  static let program = 502
  /// Layers with weights: convolution, inner product, batch normalization, scale, bias, constants, matrix
  /// product, layer normalization.
  static let weightedLayers = [100, 140, 160, 245, 250, 290, 1045, 1070, 1350]
  // WeightParams
  static let weightValues: Set<Int> = [1, 2, 30, 31, 40]
  static let isUpdatable = 50
}
