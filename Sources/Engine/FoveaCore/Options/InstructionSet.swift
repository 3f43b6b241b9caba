// Fovea - which instructions of the processor the kernels use.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// The instruction sets that `float` and `int8` have kernels for.
public enum InstructionSet: String, Sendable, Hashable, Codable, CaseIterable {
  /// The best one of the processor.
  case automatic
  /// Plain C: the specification.
  case scalar
  /// x86-64 with AVX2 and FMA.
  case avx2
  /// AVX2 and 256-bit dot products of bytes.
  case avxVNNI = "avx-vnni"
  /// AVX-512 F, BW, VL and DQ.
  case avx512
  /// AVX-512 and 512-bit dot products of bytes.
  case avx512VNNI = "avx512-vnni"
  /// AArch64.
  case neon
  /// AArch64 with dot products of bytes.
  case dotprod
  /// AArch64 with matrix products of bytes.
  case i8mm

  /// Whether the processor has the instructions, and the library has kernels for them.
  package var isAvailable: Bool { fov_instruction_set_is_available(core) }

  /// The instruction set that `automatic` chooses on this processor.
  package static var best: InstructionSet {
    let best = fov_instruction_set_best()
    return allCases.first { $0.core == best } ?? .scalar
  }

  var core: fov_instruction_set {
    switch self {
    case .automatic: .automatic
    case .scalar: .scalar
    case .avx2: .avx2
    case .avxVNNI: .avx_vnni
    case .avx512: .avx512
    case .avx512VNNI: .avx512_vnni
    case .neon: .neon
    case .dotprod: .dotprod
    case .i8mm: .i8mm
    }
  }
}
