// Fovea - how weights become codes.
// SPDX-License-Identifier: Apache-2.0

/// How the weights of a model are quantized.
public struct QuantizationOptions: Sendable, Hashable {
  /// The meaning of a code.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An entry of a table with the least squared error, one table per layer.
    case table
    /// An entry of a table of evenly spaced values, one table per layer.
    case linearTable = "linear-table"
    /// code * scale + bias, a scale and a bias per output channel.
    case linear
  }

  /// The meaning of a code.
  public var kind: Kind
  /// The bits of a code, 1...8. With `byteBudget`, the greatest number of bits.
  public var bits: Int
  /// The bits of a code in convolutions with groups; `nil` for 8. Such layers have few weights, and
  /// each matters much.
  public var groupedBits: Int?
  /// Whether biases become codes of 8 bits, too.
  public var quantizesBiases: Bool
  /// Whether the scales of the output channels may move from a convolution into the batch
  /// normalization behind it, so that one table fits all channels. The normalization must be the
  /// only reader of the convolution; its gamma and mean change. The network computes the same.
  public var movesScales: Bool
  /// The greatest size of the file in bytes. Bits are then chosen for each layer, from 2 to `bits`,
  /// so that the outputs change least; `groupedBits` is ignored. Without calibration, the noise of
  /// all layers counts alike.
  public var byteBudget: Int?

  /// Creates options. The default is tables of 8 bits.
  public init(
    kind: Kind = .table, bits: Int = 8, groupedBits: Int? = nil, quantizesBiases: Bool = false,
    movesScales: Bool = true, byteBudget: Int? = nil
  ) {
    self.kind = kind
    self.bits = bits
    self.groupedBits = groupedBits
    self.quantizesBiases = quantizesBiases
    self.movesScales = movesScales
    self.byteBudget = byteBudget
  }

  /// - Throws: `.invalidOptions`.
  func validate() throws(QuantizationError) {
    for bits in [bits, groupedBits ?? bits] where !(1...8).contains(bits) {
      throw .invalidOptions("codes of \(bits) bits; 1 to 8 are possible")
    }
    if let byteBudget, byteBudget < 1 {
      throw .invalidOptions("a file of \(byteBudget) bytes cannot be written")
    }
  }

  /// The bits of a layer's codes where no budget says otherwise.
  func bits(isGrouped: Bool) -> Int { isGrouped ? groupedBits ?? 8 : bits }
}
