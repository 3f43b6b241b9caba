// Fovea - a line on standard error that says how far the work is.
// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import FoveaCommandLine

/// A line on standard error that says how far the work is; silent unless that is a terminal.
struct ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1

  /// Replaces the line.
  func show(_ text: @autoclosure () -> String) {
    if isShown { SystemInterface.writeError("\r\u{1B}[K" + text()) }
  }

  /// Takes the line away.
  func clear() { show("") }
}
