// Fovea - the version of the library.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// The version of the library, which is that of the C core.
package enum CoreVersion {
  /// The semantic version, such as "0.2.0".
  package static var text: String { String(cString: fov_version_string()) }
}
