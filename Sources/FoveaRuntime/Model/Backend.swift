// Fovea - which arithmetic a model uses.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// Which arithmetic a model uses. All but `int8` give the same values within float rounding.
public enum Backend: String, Sendable, Hashable, Codable, CaseIterable {
  /// The fastest exact backend: `float`, or `reference` where all layers are kept as they are.
  /// `Model.backend` says what was chosen.
  case auto
  /// Scalar loops in float32: the specification; short, obvious, slow.
  case reference
  /// Convolutions as matrix products. Quantized weights stay packed in memory and are looked up
  /// tile by tile while they are multiplied.
  case blas
  /// Fovea's own float32 kernels for the processor. Weights are looked up when they are packed.
  case float
  /// 8-bit activations times 8-bit weights. Integer sums are equal bit for bit on every processor and
  /// number of threads; the cost in accuracy depends on what is known of the activations, see
  /// `ActivationRanges`. Without any, synthetic images are run when the model is loaded, and ranges are
  /// measured in every frame.
  case int8

  /// The backend that `auto` stands for; any other backend itself.
  func resolved(keepsAllLayers: Bool) -> Backend {
    guard self == .auto else { return self }
    return keepsAllLayers ? .blas : .float
  }

  /// The core's word for a resolved backend.
  var core: fov_backend {
    switch self {
    case .reference: .reference
    case .blas: .blas
    case .auto, .float: .float32
    case .int8: .int8
    }
  }
}
