// Fovea - how weights become codes.
// SPDX-License-Identifier: Apache-2.0

/// How the weights of a model become codes.
public struct QuantizationOptions: Sendable, Hashable {
  /// What a code stands for.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An entry of a table with the least squared error, one table per layer.
    case table
    /// An entry of a table of evenly spaced values, one table per layer.
    case linearTable = "linear-table"
    /// code * scale + bias, a scale and a bias per output channel.
    case linear
  }

  /// What a code stands for.
  public var kind: Kind
  /// The bits of a code, 1...8; with `byteBudget` at most so many.
  public var bits: Int
  /// The bits of codes for convolutions in groups; `nil` means 8.
  /// Such layers have few weights, and a lot depends on each of them.
  public var groupedBits: Int?
  /// Whether biases become codes of 8 bits as well. Else they stay as they are.
  public var quantizesBiases: Bool
  /// Whether the scales of a convolution's output channels may move into a batch normalization that alone
  /// reads it, so that one table fits all channels. What the network computes stays the same; gamma and
  /// mean of the normalization get other values.
  public var movesScales: Bool
  /// The most bytes that the file may have. Bits are then chosen for each layer, from 2 up to
  /// `bits`, such that the outputs move least; `groupedBits` is not used. Without calibration a layer's noise
  /// counts as much as that of any other.
  public var byteBudget: Int?

  /// Creates options: tables of 8 bits.
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
