// Fovea - the JSON documents of the command.
// SPDX-License-Identifier: Apache-2.0

/// Writes JSON documents.
package enum JSONOutput {
  /// Prints one document on standard output, its keys sorted.
  package static func write(_ document: some Encodable) throws(CommandFailure) {
    SystemInterface.writeOutput(try text(document))
  }

  /// One document, its keys sorted, ended by a newline.
  package static func text(_ document: some Encodable) throws(CommandFailure) -> String {
    try node(document).text() + "\n"
  }

  /// One value on one line, its keys sorted, without a newline.
  package static func line(_ value: some Encodable) throws(CommandFailure) -> String {
    try node(value).line
  }

  private static func node(_ value: some Encodable) throws(CommandFailure) -> JSONNode {
    do {
      return try JSONNode(value)
    } catch {
      throw CommandFailure("the result cannot be written as JSON: \(error)")
    }
  }
}
