// Fovea - text of a file for people.
// SPDX-License-Identifier: Apache-2.0

/// Text of a file for people.
package enum ModelText {
  /// At most 80 characters, without control characters.
  package static func readable(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(80).map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : Character(scalar)
    }
    return String(scalars) + (text.unicodeScalars.count > 80 ? "..." : "")
  }
}
