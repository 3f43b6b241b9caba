// Fovea - which layers lose most as 8-bit integers.
// SPDX-License-Identifier: Apache-2.0
package import FoveaRuntime

/// The loss of a convolution in 8-bit integers.
public struct LayerSensitivity: Sendable, Hashable, Codable {
  /// The name of the layer in `Model.nodes`.
  public var layer: String
  /// The squared error of the outputs if only this layer is computed in 8 bits. For a detector,
  /// errors of boxes are weighted by their scores.
  public var noise: Double
  /// Multiplications followed by an addition.
  public var multiplyAccumulates: UInt64
  /// Whether the convolution is depthwise. Depthwise convolutions are computed in 8 bits or in
  /// floats, never in 16 bits.
  public var isDepthwise: Bool
  /// The elements of the output.
  public var elements: UInt64

  /// Creates a sensitivity.
  public init(
    layer: String, noise: Double, multiplyAccumulates: UInt64, isDepthwise: Bool = false,
    elements: UInt64 = 0
  ) {
    self.layer = layer
    self.noise = noise
    self.multiplyAccumulates = multiplyAccumulates
    self.isDepthwise = isDepthwise
    self.elements = elements
  }

  /// What the layer costs more outside 8 bits, in multiplications of a dense layer. A depthwise one
  /// takes longer for each. An element takes as long as some multiplications, to be converted.
  package var cost: Double {
    products * (isDepthwise ? 4 : 1) + 8 * Double(elements)
  }

  /// The layers that lose something, those first that lose most for what they cost. O(n log n).
  package static func byWorth(_ layers: [Self]) -> [Self] { ordered(layers, by: \.cost) }

  /// The layers that lose something, those first whose noise is greatest for a price.
  private static func ordered(_ layers: [Self], by price: KeyPath<Self, Double>) -> [Self] {
    layers.filter { $0.noise > 0 }.sorted { a, b in
      let (left, right) = (a.noise * b[keyPath: price], b.noise * a[keyPath: price])
      return left != right ? left > right : a.layer < b.layer
    }
  }

  private var products: Double { Double(multiplyAccumulates) }

  /// Chooses the layers to compute in floats, and those to compute in integers of 16 bits.
  ///
  /// - Parameters:
  ///   - layers: All convolutions.
  ///   - floatShare: The share of all multiplications that may be in floats, 0...1.
  ///   - int16Share: The share that may be in 16 bits, 0...1. Above 0, dense layers use 16 bits,
  ///     and only depthwise layers use floats.
  /// - Returns: Both lists, in the order of choice.
  /// - Complexity: O(n log n).
  public static func selection(
    of layers: [Self], floatShare: Double, int16Share: Double
  ) -> (float: [Self], int16: [Self]) {
    guard int16Share > 0 else { return (mostSensitive(of: layers, share: floatShare), []) }
    let all = layers.reduce(0.0) { $0 + $1.products }
    return (
      mostSensitive(of: layers.filter(\.isDepthwise), share: floatShare, total: all),
      mostSensitive(of: layers.filter { !$0.isDepthwise }, share: int16Share, total: all)
    )
  }

  /// The layers to compute in floats: those that lose most for what they cost in floats, until their
  /// multiplications are `share` of all.
  ///
  /// - Parameters:
  ///   - layers: All convolutions.
  ///   - share: A part of all multiplications, 0 ... 1.
  /// - Returns: Layers in the order in which they were chosen; none without noise.
  /// - Complexity: O(n log n).
  public static func mostSensitive(of layers: [Self], share: Double) -> [Self] {
    let total = layers.reduce(0.0) { $0 + $1.products }
    return mostSensitive(of: layers, share: share, total: total)
  }

  private static func mostSensitive(of layers: [Self], share: Double, total: Double) -> [Self] {
    var spent = 0.0
    return ordered(layers, by: \.products).filter { layer in
      let sum = spent + layer.products
      guard sum <= share * total else { return false }
      spent = sum
      return true
    }
  }
}

extension BackendOptions {
  /// Calibrated `int8` with what `LayerSensitivity.selection` gives: these layers leave 8 bits, and no
  /// others.
  package static func int8(
    calibration: ActivationRanges,
    computing chosen: (float: [LayerSensitivity], int16: [LayerSensitivity]), floatSums: Bool
  ) -> Self {
    .int8(
      calibration: calibration, floatLayers: Set(chosen.float.map(\.layer)),
      int16Layers: Set(chosen.int16.map(\.layer)), floatSums: floatSums)
  }
}
