// Fovea - parameters of element-wise layers and reductions.
// SPDX-License-Identifier: Apache-2.0

/// A function of scale * x + shift.
public struct UnaryFunctionLayer: Sendable, Hashable {
  /// The function.
  public var operation: UnaryOperation
  /// Parameter of power and threshold.
  public var alpha: Float
  /// Keeps inverse and reciprocal root finite; 1e-6 where the file has 0.
  public var epsilon: Float
  /// Added before the function.
  public var shift: Float
  /// Factor before the function; 1 where the file has 0.
  public var scale: Float

  /// Creates the parameters.
  public init(
    operation: UnaryOperation, alpha: Float = 0, epsilon: Float = 1e-6, shift: Float = 0,
    scale: Float = 1
  ) {
    self.operation = operation
    self.alpha = alpha
    self.epsilon = epsilon
    self.shift = shift
    self.scale = scale
  }
}

/// The function of a unary layer, of z = scale * x + shift.
public enum UnaryOperation: Sendable, Hashable {
  /// sqrt(z).
  case squareRoot
  /// 1 / sqrt(z + epsilon).
  case reciprocalSquareRoot
  /// 1 / (z + epsilon).
  case inverse
  /// z ^ alpha.
  case power
  /// exp(z).
  case exponential
  /// log(z).
  case logarithm
  /// |z|.
  case absolute
  /// max(alpha, z).
  case threshold
}

/// A function without parameters, of any shape.
public enum ElementwiseFunction: Sendable, Hashable, CaseIterable {
  /// Rounded up.
  case ceil
  /// Rounded down.
  case floor
  /// -1, 0 or 1.
  case sign
  /// Rounded to the nearest integer.
  case round
  /// 2 ^ x.
  case exp2
  /// Sine.
  case sin
  /// Cosine.
  case cos
  /// Tangent.
  case tan
  /// Arc sine.
  case asin
  /// Arc cosine.
  case acos
  /// Arc tangent.
  case atan
  /// Hyperbolic sine.
  case sinh
  /// Hyperbolic cosine.
  case cosh
  /// Hyperbolic tangent.
  case tanh
  /// Inverse hyperbolic sine.
  case asinh
  /// Inverse hyperbolic cosine.
  case acosh
  /// Inverse hyperbolic tangent.
  case atanh
  /// The error function.
  case erf
}

/// Arithmetic on two inputs whose shapes are matched from the last dimension.
public enum BroadcastableOperation: Sendable, Hashable, CaseIterable {
  /// a + b.
  case add
  /// a - b.
  case subtract
  /// a * b.
  case multiply
  /// a / b.
  case divide
  /// a ^ b.
  case power
  /// max(a, b).
  case maximum
  /// min(a, b).
  case minimum
  /// a - b * floor(a / b).
  case modulo
  /// floor(a / b).
  case floorDivide
}

/// scale * x + bias with broadcast; shapes are [C], [1], [C, H, W] or with ones among these.
public struct ScaleLayer: Sendable, Equatable {
  /// Shape of the scale.
  public var scaleShape: [Int]
  /// The scale, row-major.
  public var scale: WeightData
  /// Shape of the bias; empty when there is none.
  public var biasShape: [Int]
  /// The bias, row-major.
  public var bias: WeightData?

  /// Creates the parameters.
  public init(
    scaleShape: [Int], scale: WeightData, biasShape: [Int] = [], bias: WeightData? = nil
  ) {
    self.scaleShape = scaleShape
    self.scale = scale
    self.biasShape = biasShape
    self.bias = bias
  }
}

/// x + bias with broadcast.
public struct BiasLayer: Sendable, Equatable {
  /// Shape of the bias.
  public var shape: [Int]
  /// The bias, row-major.
  public var bias: WeightData

  /// Creates the parameters.
  public init(shape: [Int], bias: WeightData) {
    self.shape = shape
    self.bias = bias
  }
}

/// A reduction of the last dimensions, [channel, height, width].
public struct ReduceLayer: Sendable, Hashable {
  /// What is computed.
  public var operation: ReduceOperation
  /// Over what.
  public var axis: ReduceAxis
  /// Added before a logarithm; 1e-6 where the file has 0.
  public var epsilon: Float

  /// Creates the parameters.
  public init(operation: ReduceOperation, axis: ReduceAxis, epsilon: Float = 1e-6) {
    self.operation = operation
    self.axis = axis
    self.epsilon = epsilon
  }
}

/// The dimensions a `ReduceLayer` reduces.
public enum ReduceAxis: Sendable, Hashable {
  /// All three.
  case channelHeightWidth
  /// The plane.
  case heightWidth
  /// The channels.
  case channel
  /// The rows.
  case height
  /// The columns.
  case width
}

/// What a reduction computes.
public enum ReduceOperation: Sendable, Hashable {
  /// Sum.
  case sum
  /// Mean.
  case mean
  /// Product.
  case product
  /// Logarithm of the sum.
  case logSum
  /// Sum of squares.
  case sumOfSquares
  /// Sum of absolute values.
  case l1
  /// Root of the sum of squares.
  case l2
  /// Maximum.
  case maximum
  /// Minimum.
  case minimum
  /// Index of the maximum.
  case argMaximum
  /// Logarithm of the sum of exponentials.
  case logSumExp
}

/// A reduction over listed dimensions of any shape.
public struct ReduceAxesLayer: Sendable, Hashable {
  /// What is computed; never `argMaximum`.
  public var operation: ReduceOperation
  /// The dimensions; negative ones count from the end.
  public var axes: [Int]
  /// Whether reduced dimensions stay with size 1.
  public var keepsDimensions: Bool
  /// Whether all dimensions are reduced, whatever `axes` says.
  public var reducesAll: Bool

  /// Creates the parameters.
  public init(operation: ReduceOperation, axes: [Int], keepsDimensions: Bool, reducesAll: Bool) {
    self.operation = operation
    self.axes = axes
    self.keepsDimensions = keepsDimensions
    self.reducesAll = reducesAll
  }
}
