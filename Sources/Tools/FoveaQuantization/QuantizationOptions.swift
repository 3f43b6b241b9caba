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
    /// code * scale + bias, a scale and a bias per output channel. In ML Programs, and where a layer
    /// has one scale, the bias is a multiple of the scale, so that a code stands for 0.
    case linear
  }

  /// The meaning of a code.
  public var kind: Kind
  /// The bits of a code, 1...8. With `byteBudget`, the greatest number of bits. ML Programs have
  /// tables of 1, 2, 4, 6 and 8 bits and linear codes of 8 bits, and from iOS 18 on tables of 3 bits
  /// and linear codes of 4 bits as well.
  public var bits: Int
  /// The bits of a code in convolutions with groups; `nil` for 8. Such layers have few weights, and
  /// each matters much.
  public var groupedBits: Int?
  /// Whether linear codes have one scale for a layer instead of one for each output channel.
  public var sharesScale: Bool
  /// Whether biases become codes of 8 bits, too; in neural networks only.
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
    kind: Kind = .table, bits: Int = 8, groupedBits: Int? = nil, sharesScale: Bool = false,
    quantizesBiases: Bool = false, movesScales: Bool = true, byteBudget: Int? = nil
  ) {
    self.kind = kind
    self.bits = bits
    self.groupedBits = groupedBits
    self.sharesScale = sharesScale
    self.quantizesBiases = quantizesBiases
    self.movesScales = movesScales
    self.byteBudget = byteBudget
  }

  /// - Throws: `.invalidOptions`.
  func validate() throws(QuantizationError) {
    for bits in [bits, groupedBits ?? bits] where !(1...8).contains(bits) {
      throw .invalidOptions("codes of \(bits) bits; 1 to 8 are possible")
    }
    if sharesScale, kind != .linear {
      throw .invalidOptions("tables have no scales; one scale for a layer is for linear codes")
    }
    if let byteBudget, byteBudget < 1 {
      throw .invalidOptions("a file of \(byteBudget) bytes cannot be written")
    }
  }

  /// The bits of a layer's codes where no budget says otherwise.
  func bits(isGrouped: Bool) -> Int { isGrouped ? groupedBits ?? 8 : bits }

  /// Whether a model can have such codes.
  ///
  /// - Throws: `.invalidOptions`.
  func validate(for model: QuantizableModel) throws(QuantizationError) {
    guard model.hasPrograms else { return }
    if quantizesBiases {
      throw .invalidOptions("biases of ML Programs stay numbers; only weights become codes")
    }
    for layer in model.layers {
      let possible = layer.storage.bits(kind)
      let wanted = byteBudget == nil ? bits(isGrouped: layer.isGrouped) : bits
      let isPossible = byteBudget == nil ? possible.contains(wanted) : possible[0] <= wanted
      if isPossible { continue }
      throw .invalidOptions(layer.storage.advice(kind, bits: wanted, possible))
    }
  }
}

extension CodeStorage {
  /// What to do about codes of bits that a model cannot have.
  fileprivate func advice(
    _ kind: QuantizationOptions.Kind, bits: Int, _ possible: [Int]
  ) -> String {
    let what = kind == .linear ? "linear codes" : "tables"
    let numbers = possible.map { "\($0)" }.joined(separator: ", ")
    let newer = CodeStorage.program(isHalf: isHalf, hasSmallElements: true).bits(kind)
    let text = "ML Programs have no \(what) of \(bits) bits"
    return newer.contains(bits)
      ? "\(text) before iOS 18, and this one is older; export it for iOS 18, or take one of"
        + " these: \(numbers)"
      : "\(text); take one of these: \(numbers)"
  }
}
