// Fovea - variables of the environment.
// SPDX-License-Identifier: Apache-2.0

/// Variables of the environment.
package enum EnvironmentVariable {
  /// The value of a variable; `nil` where it is not set or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
