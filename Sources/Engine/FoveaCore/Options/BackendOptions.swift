// Fovea - a backend with what can be chosen for it.
// SPDX-License-Identifier: Apache-2.0

/// A backend with what can be chosen for it.
///
/// ```swift
/// let exact = try Model(contentsOf: path, options: .init(backend: .float))
/// let fast = try Model(contentsOf: path, options: .init(backend: .int8(calibration: ranges)))
/// ```
public struct BackendOptions: Sendable, Hashable {
  /// The backend, with those choices that have a meaning for it.
  package enum Choice: Sendable, Hashable {
    case auto
    /// `keepsAllLayers`: nothing is folded or fused; for comparing layer by layer.
    case reference(keepsAllLayers: Bool)
    case blas(keepsAllLayers: Bool)
    case float(WeightForm)
    case int8(Int8)
  }

  /// What can be chosen for `int8`.
  package struct Int8: Sendable, Hashable {
    /// What a calibration measured; `nil` measures ranges in every frame.
    package var calibration: ActivationRanges?
    package var floatLayers: Set<String> = []
    /// Needs a calibration, as `floatSums` does.
    package var int16Layers: Set<String> = []
    package var floatSums = false
  }

  package var choice: Choice

  /// `float`; for a compiled file, the backend that it was compiled for. The default.
  public static var auto: Self { Self(choice: .auto) }
  /// Scalar loops in float32: the specification. 10 to 100 times slower than `float`.
  public static var reference: Self { reference(keepsAllLayers: false) }
  /// Convolutions as matrix products by OpenBLAS, which keep weights as the file stores them. Slower
  /// than `float`.
  public static var blas: Self { blas(keepsAllLayers: false) }
  /// Fovea's own float32 kernels, with weights as floats: 4 bytes a weight.
  public static var float: Self { float(weights: .expanded) }
  /// 8-bit integers, with ranges of activations measured in every frame. Loading runs the network on
  /// four synthetic images first. Small networks may be slower than with `float`.
  public static var int8: Self { Self(choice: .int8(Int8())) }

  /// Fovea's own float32 kernels.
  ///
  /// - Parameter weights: How weights that are codes in the file are kept. Results are the same bits.
  public static func float(weights: WeightForm) -> Self { Self(choice: .float(weights)) }

  /// `int8` with ranges measured in every frame, and some layers in float.
  ///
  /// - Parameter floatLayers: Convolutions to compute in float32, by the names in `Model.nodes`.
  ///   Each takes the time it takes with `float`.
  public static func int8(floatLayers: Set<String>) -> Self {
    Self(choice: .int8(Int8(floatLayers: floatLayers)))
  }

  /// `int8` with ranges of activations that a calibration measured.
  ///
  /// A name that no convolution has is an error when the model is loaded, and so is a depthwise
  /// convolution among `int16Layers`.
  ///
  /// - Parameters:
  ///   - calibration: What the activations take on, see `ActivationRanges`.
  ///   - floatLayers: Convolutions to compute in float32, because codes of 8 bits lose too much
  ///     there; by the names in `Model.nodes`. Each takes the time it takes with `float`.
  ///   - int16Layers: Dense convolutions to compute in integers of 16 bits, which lose next to
  ///     nothing, in half to three quarters of the time of `float`.
  ///   - floatSums: Whether the sums of narrow bottlenecks stay in float32, so that they are not
  ///     rounded again in each: some decibels more exact, for a third more time.
  public static func int8(
    calibration: ActivationRanges, floatLayers: Set<String> = [], int16Layers: Set<String> = [],
    floatSums: Bool = false
  ) -> Self {
    Self(
      choice: .int8(
        Int8(
          calibration: calibration, floatLayers: floatLayers, int16Layers: int16Layers,
          floatSums: floatSums)))
  }

  /// A backend by its name, with the defaults.
  public init(_ backend: Backend) {
    self =
      switch backend {
      case .auto: .auto
      case .reference: .reference
      case .blas: .blas
      case .float: .float
      case .int8: .int8
      }
  }

  package init(choice: Choice) { self.choice = choice }

  package static func reference(keepsAllLayers: Bool) -> Self {
    Self(choice: .reference(keepsAllLayers: keepsAllLayers))
  }

  package static func blas(keepsAllLayers: Bool) -> Self {
    Self(choice: .blas(keepsAllLayers: keepsAllLayers))
  }
}

// MARK: Reading

extension BackendOptions {
  /// The name of the backend.
  package var backend: Backend {
    switch choice {
    case .auto: .auto
    case .reference: .reference
    case .blas: .blas
    case .float: .float
    case .int8: .int8
    }
  }

  /// What was chosen for `int8`; `nil` for other backends.
  package var int8: Int8? {
    if case .int8(let options) = choice { options } else { nil }
  }

  /// Whether nothing is folded or fused.
  var keepsAllLayers: Bool {
    switch choice {
    case .reference(let keepsAllLayers), .blas(let keepsAllLayers): keepsAllLayers
    case .auto, .float, .int8: false
    }
  }

  /// How weights that are codes are kept.
  package var weights: WeightForm {
    if case .float(let form) = choice { form } else { .expanded }
  }
}
