// Fovea - the JSON documents of the command.
// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import class Foundation.JSONEncoder
#endif

/// Writes JSON documents.
package enum JSONOutput {
  /// Prints one document on standard output, its keys sorted.
  package static func write(_ document: some Encodable) throws(CommandFailure) {
    SystemInterface.writeOutput(try text(document))
  }

  /// One document, its keys sorted, ended by a newline.
  package static func text(_ document: some Encodable) throws(CommandFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      throw CommandFailure("the result cannot be written as JSON: \(error)")
    }
  }
}
