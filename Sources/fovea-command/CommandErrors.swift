// Fovea - how a command ends when it cannot do its work.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea

/// The work failed; exit code 1. The message names the file, the cause and the remedy.
struct CommandFailure: Error {
  /// One line without a full stop at its end.
  var message: String

  init(_ message: String) { self.message = message }

  /// A failure with a file's name before it, unless the message begins with it.
  init(_ error: any Error, file: String) {
    let text = "\(error)"
    self.init(text.hasPrefix(file) ? text : "\(file): \(text)")
  }
}

/// The command was used wrongly; exit code 2.
struct UsageError: Error {
  /// What is wrong, in one line.
  var message: String

  init(_ message: String) { self.message = message }
}

extension DetectionError {
  /// The error as the command reports it: a wrong request is wrong usage, the rest a failure.
  func reported(file: String) -> any Error {
    if case .invalidRequest(let text) = self { return UsageError(text) }
    return CommandFailure(self, file: file)
  }
}
