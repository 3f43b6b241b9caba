// Fovea - variables of the environment.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Variables of the environment.
enum EnvironmentVariable {
  /// The value of a variable; `nil` where it is not set or empty.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
