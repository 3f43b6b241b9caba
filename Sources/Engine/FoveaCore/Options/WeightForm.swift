// Fovea - how weights that are codes are kept in memory.
// SPDX-License-Identifier: Apache-2.0

/// How the `float` backend keeps weights that are codes in the file: look-up tables or linear codes
/// of up to 8 bits. Other weights are always kept as floats.
///
/// Both forms give the same results, bit for bit. `int8` always has weights of one byte, and `blas`
/// keeps weights as in the file.
public enum WeightForm: String, Hashable, Codable, Sendable, CaseIterable {
  /// Expanded to floats when the model is loaded: 4 bytes for a weight, and the least time.
  case expanded
  /// One byte for a weight, expanded in every frame shortly before it is multiplied. For little
  /// memory, and for machines whose memory is slower than a look-up.
  case coded
}
