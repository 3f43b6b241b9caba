// Fovea - how well two models agree in one layer.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The agreement of two models in the output of one layer.
public struct LayerAgreement: Sendable, Hashable, Codable {
  /// The name of the layer in `Model.nodes` of the second model.
  public var layer: String
  /// The operation, such as "convolution".
  public var operation: String
  /// The operations that are fused into it, such as "leaky_relu, max pool"; empty for none.
  public var activation: String
  /// The shape of its result.
  public var outputShape: [Int]
  /// The energy of the first model's output: the sum of squares over all images.
  public var signal: Double
  /// The energy of the difference.
  public var noise: Double
  /// By how many decibels this layer is worse than the worst layer that it reads, or 0. Layers
  /// above `ceiling` count as `ceiling`.
  ///
  /// Noise passes through layers, so that one bad layer affects all behind it. A large value means
  /// that accuracy is lost in this layer. It is 0 for operations that have no weights and write no
  /// codes, since they only pass noise on.
  public var loss: Double

  /// Creates an agreement.
  public init(
    layer: String, operation: String, activation: String, outputShape: [Int], signal: Double,
    noise: Double, loss: Double
  ) {
    self.layer = layer
    self.operation = operation
    self.activation = activation
    self.outputShape = outputShape
    self.signal = signal
    self.noise = noise
    self.loss = loss
  }

  /// The decibels from which a layer counts as exact. This is about the ratio of 8-bit codes that
  /// use their whole range.
  public static let ceiling = 40.0

  /// 10 log10(signal / noise) in decibels. It is infinite if both outputs are equal, and minus
  /// infinity if only the first output is all zeros.
  public var decibels: Double { Self.decibels(signal: signal, noise: noise) }

  /// 10 log10(signal / noise).
  static func decibels(signal: Double, noise: Double) -> Double {
    noise == 0 ? .infinity : 10 * log10(signal / noise)
  }

  /// Returns the layers that lose most, the worst first. Of equal ones, the first that runs comes
  /// first.
  ///
  /// - Parameters:
  ///   - layers: All layers in the order in which they run.
  ///   - count: The greatest number of layers to return.
  ///   - least: The least loss of a layer to return, in decibels.
  public static func worst(_ layers: [Self], count: Int = 3, least: Double = 3) -> [Self] {
    let order = layers.indices.filter { layers[$0].loss >= least }.sorted {
      (layers[$1].loss, $0) < (layers[$0].loss, $1)
    }
    return order.prefix(count).map { layers[$0] }
  }
}
