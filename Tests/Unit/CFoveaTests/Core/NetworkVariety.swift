// Fovea - how many networks the tests of whole networks run.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport

/// How many networks, and on how many instruction sets, the tests of whole networks run.
///
/// Kernels that are not optimized take seconds for a large network, and more under a sanitizer.
/// Weights and expected numbers come from Swift, which takes seconds without optimization, too.
enum NetworkVariety {
  private static let isOptimized = BuildConfiguration.isOptimized
  private static let isSwiftOptimized = BuildConfiguration.isSwiftOptimized

  /// Of networks with few channels.
  static let seeds = Array(
    UInt64(1)...(isSwiftOptimized ? 60 : isOptimized ? 4 : TestTier.isThorough ? 2 : 1))
  /// Of networks with many channels.
  static let largeSeeds = Array(UInt64(1)...(isSwiftOptimized ? 10 : 1))
  static let largeKinds: [RandomNetwork.Kind] =
    isSwiftOptimized || TestTier.isThorough ? [.wide, .deep] : [.wide]

  static let availableSets = (0..<UInt32(FOV_INSTRUCTION_SET_COUNT))
    .map { fov_instruction_set(rawValue: $0)! }.filter(fov_instruction_set_is_available)
  static let instructionSets =
    isOptimized || TestTier.isThorough ? availableSets : [fov_instruction_set_best()]
}
