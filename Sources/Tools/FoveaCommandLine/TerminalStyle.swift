// Fovea - styles of letters on a terminal.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Styles of letters, where a person reads and wants them: on a terminal, without `NO_COLOR`.
package enum TerminalStyle: String {
  /// What a block of lines is about.
  case heading = "1"
  /// What failed.
  case failure = "1;31"

  /// A text for standard output.
  package func output(_ text: String) -> String { styled(text, STDOUT_FILENO) }

  /// A text for standard error.
  package func error(_ text: String) -> String { styled(text, STDERR_FILENO) }

  private func styled(_ text: String, _ stream: Int32) -> String {
    guard isatty(stream) == 1, Self.areWanted else { return text }
    return "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }

  /// See no-color.org: any value but an empty one says no.
  private static var areWanted: Bool {
    guard EnvironmentVariable.value("NO_COLOR") == nil else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }
}
