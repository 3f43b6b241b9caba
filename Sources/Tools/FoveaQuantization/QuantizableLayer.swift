// Fovea - weights that can become codes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// The normalization that alone reads what a convolution writes.
///
/// Such a convolution may be written at any scale per output channel, and with any mean: gamma and mean
/// undo both exactly.
struct FollowingNormalization {
  var address: WeightAddress
  var gamma: [Float]
  var mean: [Float]
  /// gamma / sqrt(variance + epsilon), the factor on the output.
  var gain: [Float]
  /// Whether gamma and mean are stored as halves.
  var isHalf: (gamma: Bool, mean: Bool)
}

/// A matrix of weights that can become codes, in the layout of its file.
struct QuantizableLayer {
  /// The layer's name for people.
  var name: String
  /// The layer's type as the specification spells it.
  var typeName: String
  /// The network or program it belongs to, as `WeightAddress.path`.
  var path: [Int] { address.path }
  var address: WeightAddress
  /// The weights, row-major as stored.
  var weights: [Float]
  /// How channels run through them.
  var layout: WeightLayout
  /// The bits of one weight in the file.
  var storedBits: Int
  /// The bytes of the weights in the file.
  var storedByteCount: Int
  /// How the file stores codes.
  var storage = CodeStorage.network
  /// Where the bias stands, with its values; `nil` without one.
  var bias: (address: WeightAddress, values: [Float], isHalf: Bool)?
  /// What undoes scales and means; `nil` where nothing does.
  var normalization: FollowingNormalization?
  /// What multiplies the weights. In programs several operations may, also of several functions.
  var uses: [WeightUse]

  /// The number of weights of an output channel.
  var rowSize: Int { layout.count / max(layout.channelCount, 1) }
  /// Groups of channels that do not see each other.
  var groups: Int { uses.first?.convolution?.groups ?? 1 }
  /// Whether output channels see only a part of the input's.
  var isGrouped: Bool { groups > 1 }
}

/// Where weights are multiplied.
struct WeightUse {
  /// The function of a program; empty for a network.
  var function = ""
  /// The value that is read; empty where none is known.
  var input: String
  /// A convolution's parameters; `nil` for a dense layer or a deconvolution.
  var convolution: ConvolutionLayer?
  /// Whether the weights multiply vectors that lie in the input one after another.
  var readsVectors = false
  /// Whether the input has one spatial dimension instead of two.
  var readsSignals = false
}
