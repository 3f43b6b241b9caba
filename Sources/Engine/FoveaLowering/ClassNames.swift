// Fovea - the names of the classes that a model tells apart.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// Where the names of classes are found.
package enum ClassNames {
  /// Of a list with a name on each line.
  private static let mostLines = 1000

  /// Those of the suppression, else of a classifier, else of the metadata.
  ///
  /// - Parameter recorded: What a compiled file has noted: its outline has lost the program that
  ///   names the classes of a classifier.
  package static func find(
    in file: ModelDescription, _ stages: ModelStages, recorded: [String]? = nil
  ) -> [String]? {
    if let names = stages.suppression?.classLabels.names { return names }
    for stage in stages.networks.reversed() {
      if let names = stage.classLabels.names { return names }
    }
    if let recorded { return recorded }
    return inMetadata(file.metadata.userDefined)
  }

  /// "classes" is a list with commas; "names" is such a list, or a Python dictionary,
  /// `{0: 'person', 1: 'bicycle'}`, as Ultralytics writes it; "character" has one on each line, as
  /// networks of PaddlePaddle have it in ONNX files. Those that read text have thousands of characters
  /// there, which are no classes.
  package static func inMetadata(_ entries: [String: String]) -> [String]? {
    if let classes = entries["classes"], !classes.isEmpty {
      return list(classes[...])
    }
    guard let names = entries["names"], !names.isEmpty else {
      return entries["character"].flatMap(lines)
    }
    if names.first == "{", names.last == "}" { return dictionary(names.dropFirst().dropLast()) }
    if names.first == "[", names.last == "]" {
      let inner = names.dropFirst().dropLast()
      return quotedList(inner) ?? list(inner).map { unquoted($0[...]) }
    }
    return list(names[...])
  }

  /// The text of names under "names": a Python dictionary, which allows commas.
  package static func text(_ names: [String]) -> String { WrittenName.dictionary(names) }

  private static func lines(_ text: String) -> [String]? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return text.isEmpty || lines.count > mostLines ? nil : lines.map(String.init)
  }

  private static func list(_ text: Substring) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
  }

  /// Names in quotes, with commas between them.
  private static func quotedList(_ text: Substring) -> [String]? {
    var names: [String] = []
    var rest = text.drop(while: \.isWhitespace)
    while !rest.isEmpty {
      guard let name = WrittenName(&rest) else { return nil }
      names.append(name.text)
      rest = rest.drop { $0 == "," || $0.isWhitespace }
    }
    return names.isEmpty ? nil : names
  }

  /// Entries in the order of their keys, which have to be 0, 1, 2, ...
  private static func dictionary(_ text: Substring) -> [String]? {
    var entries: [Int: String] = [:]
    var rest = text
    while let colon = rest.firstIndex(of: ":") {
      guard let key = Int(unquoted(Substring(trimmed(rest[..<colon])))) else { return nil }
      rest = rest[rest.index(after: colon)...].drop(while: \.isWhitespace)
      guard let name = WrittenName(&rest) else { return nil }
      entries[key] = name.text
      rest = rest.drop { $0 == "," || $0.isWhitespace }
    }
    let names = (0..<entries.count).compactMap { entries[$0] }
    return names.count == entries.count && !names.isEmpty ? names : nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, let quote = text.first, quote == "'" || quote == "\"",
      text.last == quote
    else { return String(text) }
    return String(text.dropFirst().dropLast())
  }
}
