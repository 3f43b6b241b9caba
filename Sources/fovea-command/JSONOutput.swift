// Fovea - the JSON documents of the command.
// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import class Foundation.JSONEncoder
#endif

/// Prints JSON documents.
enum JSONOutput {
  /// Prints one document on standard output, its keys sorted.
  static func write(_ document: some Encodable) throws(CommandFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      let data = try encoder.encode(document)
      SystemInterface.writeOutput(String(decoding: data, as: UTF8.self) + "\n")
    } catch {
      throw CommandFailure("the result cannot be written as JSON: \(error)")
    }
  }
}
