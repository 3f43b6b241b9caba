// Fovea - how the tests were compiled.
// SPDX-License-Identifier: Apache-2.0

/// How the tests were compiled.
public enum BuildConfiguration {
  /// Whether with optimization. Without, a large network takes seconds, and some images take minutes.
  public static var isOptimized: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// Whether Swift, too, with optimization. `Scripts/test` builds with C optimized and Swift as fast
  /// as it compiles: what computes long in Swift does less then.
  public static var isSwiftOptimized: Bool {
    #if DEBUG || FOVEA_UNOPTIMIZED_SWIFT
      false
    #else
      true
    #endif
  }
}
