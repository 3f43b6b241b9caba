// Fovea - the version of the command.
// SPDX-License-Identifier: Apache-2.0

/// The version of the command.
enum FoveaVersion {
  /// Semantic version of this source.
  static let current = "0.1.0"
}
