// Fovea - which arithmetic a model uses.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// The arithmetic of a model. All backends but `int8` give the same values within float rounding.
public enum Backend: String, Sendable, Hashable, Codable, CaseIterable {
  /// Never that of a model, see `Model.backend`: a name for `float`, or for whatever a file was
  /// compiled for.
  case auto
  /// Scalar loops in float32: the specification of the other backends; simple and slow.
  case reference
  /// Convolutions as matrix products. Weights that are codes stay so in memory, and are looked up
  /// tile by tile while they are multiplied.
  case blas
  /// Fovea's own float32 kernels for the processor.
  case float
  /// Activations of 8 bits times weights of 8 bits. Integer sums are equal bit for bit on every
  /// processor and number of threads. The cost in accuracy depends on what is known of the
  /// activations, see `ActivationRanges`.
  case int8

  /// The backend that `auto` stands for; any other backend itself.
  package var resolved: Backend { self == .auto ? .float : self }

  /// The core's name for a backend.
  var core: fov_backend {
    switch self {
    case .reference: .reference
    case .blas: .blas
    case .auto, .float: .float32
    case .int8: .int8
    }
  }
}
