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
}
