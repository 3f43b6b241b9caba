// Fovea - a line on standard error that says how far the work is.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc

/// A line on standard error that says how far the work is; silent unless that is a terminal.
struct ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1

  /// Replaces the line.
  func show(_ text: @autoclosure () -> String) {
    if isShown { SystemInterface.writeError("\r\u{1B}[K" + text()) }
  }

  /// Leaves the machine to others, and says so.
  func pause(seconds: Int) {
    guard seconds > 0 else { return }
    show("pausing for \(seconds) s")
    sleep(UInt32(seconds))
  }

  /// Takes the line away.
  func clear() { show("") }
}
