// Fovea - the characters that a network tells apart.
// SPDX-License-Identifier: Apache-2.0

/// The characters that a network of connectionist temporal classification (CTC) tells apart: one for each
/// class, from class 1 on. Class 0 is blank: no character.
package struct CharacterTable: Hashable, Sendable {
  /// The text of each class; "" for blank.
  package let texts: [String]

  /// A table of lines: one character a line, as dictionaries of PP-OCR have them. Where the network has
  /// one class more than blank and these, it is the space.
  ///
  /// - Parameters:
  ///   - lines: The content of a dictionary, or of the metadata "character" of a model.
  ///   - classes: How many classes the network tells apart.
  /// - Returns: `nil` if the number of lines does not fit.
  package init?(lines: some Collection<UInt8>, classes: Int) {
    var characters = lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line in
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      }
    // The end of the last line begins no other one.
    if characters.last == "" { characters.removeLast() }
    switch classes - characters.count {
    case 1: break
    case 2: characters.append(" ")
    default: return nil
    }
    texts = [""] + characters
  }

  /// A table of characters, for tests.
  package init(characters: [String]) { texts = [""] + characters }
}
