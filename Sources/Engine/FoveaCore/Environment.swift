// Fovea - variables of the process's environment.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Variables of the process's environment.
enum Environment {
  /// The value of a variable, or `nil`.
  static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
