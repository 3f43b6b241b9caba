// Fovea - how well two models agree in one layer.
// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Darwin
#endif

/// How well two models agree in what one layer writes.
public struct LayerAgreement: Sendable, Hashable, Codable {
  /// The layer's name, as `Model.nodes` of the second model has it.
  public var layer: String
  /// What it computes, such as "convolution".
  public var operation: String
  /// What is fused into it, such as "leaky_relu, max pool"; empty without.
  public var activation: String
  /// The shape of its result.
  public var outputShape: [Int]
  /// The energy of what the first model writes: the sum of its squares, over all images.
  public var signal: Double
  /// The energy of the difference.
  public var noise: Double
  /// By how many decibels it is worse than the worst of the layers that it reads, those counted as no
  /// better than `ceiling`; 0 where it is not worse.
  ///
  /// Noise that comes in goes out again, so that one bad layer spoils all behind it: where this number is
  /// large, accuracy is lost here. It is 0 for operations that have no weights and write no codes: what
  /// they make of the noise that comes in, with exponentials where boxes are decoded, is not their doing.
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

  /// Decibels above which a layer counts as without loss. About what codes of 8 bits have that are spread
  /// over the whole range of their values, so that no layer is blamed for reading what is exact.
  public static let ceiling = 40.0

  /// 10 log10(signal / noise) in decibels: infinite where both models write the same numbers, and minus
  /// infinity where the first writes nothing but zeros and the second does not.
  public var decibels: Double { Self.decibels(signal: signal, noise: noise) }

  /// 10 log10(signal / noise).
  static func decibels(signal: Double, noise: Double) -> Double {
    noise == 0 ? .infinity : 10 * log10(signal / noise)
  }

  /// The layers that lose most, the worst first; of equals, the first that runs.
  ///
  /// - Parameters:
  ///   - layers: All layers in the order in which they run.
  ///   - count: The most to name.
  ///   - least: The least loss that is worth a name, in decibels.
  public static func worst(_ layers: [Self], count: Int = 3, least: Double = 3) -> [Self] {
    let order = layers.indices.filter { layers[$0].loss >= least }.sorted {
      (layers[$1].loss, $0) < (layers[$0].loss, $1)
    }
    return order.prefix(count).map { layers[$0] }
  }
}
