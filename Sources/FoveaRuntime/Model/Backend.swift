// Fovea - which arithmetic a model uses.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// Which arithmetic a model uses. All give the same values within float rounding.
public enum Backend: String, Sendable, Hashable, Codable, CaseIterable {
  /// The fastest exact backend; today `blas`. `Model.backend` says what was chosen.
  case auto
  /// Scalar loops in float32: the specification; short, obvious, slow.
  case reference
  /// Convolutions as matrix products. Quantised weights stay packed in memory and are looked up
  /// tile by tile while they are multiplied.
  case blas

  /// The backend that `auto` stands for; any other backend itself.
  var resolved: Backend { self == .auto ? .blas : self }

  /// The core's word for the resolved backend.
  var core: fov_backend {
    resolved == .reference ? .reference : .blas
  }
}
