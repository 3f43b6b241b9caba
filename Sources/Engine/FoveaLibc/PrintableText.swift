// Fovea - text that cannot steer a terminal.
// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text on one line and without control characters: names come from files, and a file must
  /// not steer the reader's terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.isControl ? "\u{FFFD}" : scalar) }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// Whether the character is of the general category Cc.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
