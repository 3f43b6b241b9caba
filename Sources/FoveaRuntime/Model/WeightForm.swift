// Fovea - how weights that are codes are kept in memory.
// SPDX-License-Identifier: Apache-2.0

/// How the `float` backend keeps weights that are codes of up to 8 bits in the file: look-up tables
/// and linear quantization. Other weights are kept as floats either way.
///
/// Both give the same results, bit for bit. `int8` has weights of one byte of its own, and `blas`
/// keeps every weight as it is in the file.
public enum WeightForm: String, Hashable, Codable, Sendable, CaseIterable {
  /// Looked up once, when the model is loaded: 4 bytes a weight, and the least time.
  case expanded
  /// One byte a weight, looked up in every frame shortly before it is multiplied. For small
  /// memories, and for machines whose memory is slower than a look-up.
  case coded
}
