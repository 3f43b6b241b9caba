// Fovea - a detector as it is trained: operations on images, up to its heads.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

/// A detector as it is trained: operations on images, up to the outputs of its heads.
///
/// Value 0 is the picture, and value i + 1 is what node i makes. Normalizations are folded into
/// convolutions: what is trained is what is written.
package struct TrainableNetwork: Sendable {
  /// What the network makes of the bytes of a picture.
  package var picture: Picture
  package var nodes: [Node]
  /// The sizes of all values.
  package var sizes: [Size]
  /// What is decoded to boxes.
  package var heads: NetworkHeads
  /// The names of the classes, as many as the heads have.
  package var labels: [String]

  package struct Picture: Sendable {
    package var width: Int
    package var height: Int
    package var channels: Int
    package var scale: Float
    package var bias: [Float]
    /// Whether the network reads blue first.
    package var isReversed: Bool
  }

  /// Rows, columns and channels of a value.
  package struct Size: Sendable, Hashable {
    package var height: Int
    package var width: Int
    package var channels: Int

    /// Creates a size.
    package init(height: Int, width: Int, channels: Int) {
      (self.height, self.width, self.channels) = (height, width, channels)
    }
  }

  package struct Node: Sendable {
    package var operation: Operation
    /// The values it reads.
    package var inputs: [Int]
    /// The name of the layer it comes from.
    package var label: String

    /// Creates a node.
    package init(operation: Operation, inputs: [Int], label: String) {
      (self.operation, self.inputs, self.label) = (operation, inputs, label)
    }
  }

  package enum Operation: Sendable {
    case convolution(Convolution)
    case function(fov_unary)
    case binary(fov_binary_function)
    case affine(scale: [Float], bias: [Float])
    case pooling(fov_pooling)
    case resize(fov_resize)
    case concat
    case arrangement([ImageMovement])
    /// What operations of a program compute that are not told here.
    case given
  }

  package struct Convolution: Sendable {
    package var geometry: fov_convolution
    package var inputs: Int
    /// [output channels, inputs / groups, kernel rows, kernel columns].
    package var weights: [Float]
    package var bias: [Float]
    package var activation: fov_unary?
    /// What multiplies the learning rate.
    package var rate: Float = 1
    /// The weights as their file stores them, where they are written as small again.
    package var stored: FileWeights?

    /// Creates a convolution.
    package init(
      geometry: fov_convolution, inputs: Int, weights: [Float], bias: [Float],
      activation: fov_unary?
    ) {
      (self.geometry, self.inputs, self.activation) = (geometry, inputs, activation)
      (self.weights, self.bias) = (weights, bias)
    }
  }

  /// The convolutions in their order, by the places of their nodes.
  package var convolutions: [Int] {
    nodes.indices.filter { if case .convolution = nodes[$0].operation { true } else { false } }
  }

  /// The number of weights and biases.
  package var parameterCount: Int {
    nodes.reduce(0) {
      guard case .convolution(let own) = $1.operation else { return $0 }
      return $0 + own.weights.count + own.bias.count
    }
  }
}

/// Why a network cannot be trained, or its training failed.
public struct TrainingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause.
  public var code: Code
  /// What was found, and what to do.
  public var message: String

  /// The cause of a failure. More causes may be added.
  public enum Code: String, Sendable, Hashable {
    /// The start has operations or a head that cannot be trained.
    case unsuitableStart
    /// There is too little to learn from, or a picture cannot be read.
    case unsuitablePictures
    /// An option has a value that makes no sense.
    case invalidOption
    /// A file of the run cannot be read or written.
    case file
    /// The numbers of the network are no numbers any more.
    case diverged
    /// The system has no more memory.
    case outOfMemory
    /// Training was stopped; the run can be resumed.
    case interrupted
  }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
