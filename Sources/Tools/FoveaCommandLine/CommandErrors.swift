// Fovea - how a command ends when it cannot do its work.
// SPDX-License-Identifier: Apache-2.0

/// The work failed; exit code 1. The message names the file, the cause and the remedy.
package struct CommandFailure: Error, CustomStringConvertible {
  /// One line without a full stop at its end.
  package var message: String

  package var description: String { message }

  /// A failure with its message.
  package init(_ message: String) { self.message = message }

  /// A failure with a file's name before it, unless the message begins with it.
  package init(_ error: any Error, file: String) {
    let text = "\(error)"
    self.init(text.hasPrefix(file) ? text : "\(file): \(text)")
  }
}

/// The command was used wrongly; exit code 2.
package struct UsageError: Error {
  /// What is wrong, in one line.
  package var message: String

  /// An error with its message.
  package init(_ message: String) { self.message = message }
}
