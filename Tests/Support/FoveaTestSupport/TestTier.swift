// Fovea - how much the tests are asked to do.
// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How much the tests are asked to do.
public enum TestTier {
  /// Whether experiments run as well: `Scripts/test thorough` says so.
  public static let isThorough =
    ProcessInfo.processInfo.environment["FOVEA_TEST_TIER"] == "thorough"
}
