// Fovea - reading a catalog of models.
// SPDX-License-Identifier: Apache-2.0

/// Reads a catalog of models. Names of models and files become paths, so they are letters, digits and
/// few signs. Addresses go to another program as an argument.
struct CatalogReader {
  private let name: String
  private var line = 0
  private var models: [CatalogModel] = []
  /// The words of the model that is read.
  private var words: [String: String] = [:]
  private var files: [CatalogModel.File] = []

  /// The models of a text.
  ///
  /// - Throws: `CatalogError`, which names the line.
  static func models(
    in text: [UInt8], name: String
  ) throws(CatalogError) -> [CatalogModel] {
    var reader = CatalogReader(name: name)
    let lines = String(decoding: text, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for line in lines {
      reader.line += 1
      try reader.take(line)
    }
    try reader.endModel()
    return reader.models
  }

  private init(name: String) { self.name = name }

  private static let keys = [
    "license", "classes", "input", "ap", "time", "hash", "from", "why",
  ]

  private mutating func take(_ text: Substring) throws(CatalogError) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard let key = words.first.map(String.init), !key.hasPrefix("#") else { return }
    let value = words.count == 2 ? String(words[1].drop { $0 == " " }) : ""
    guard !value.isEmpty else { throw wrong("'\(key)' says nothing") }
    if key == "model" {
      try endModel()
      guard Self.isName(value), !models.contains(where: { $0.name == value }) else {
        throw wrong("'\(value)' is no name, or is used twice")
      }
      self.words["model"] = value
    } else if key == "file" {
      files.append(try file(value))
    } else {
      guard Self.keys.contains(key), self.words[key] == nil, self.words["model"] != nil else {
        throw wrong("'\(key)' does not belong here")
      }
      if key == "from", !Self.isFolderAddress(value) {
        throw wrong("'\(value)' is no address that ends in a slash")
      }
      self.words[key] = value
    }
  }

  private func file(_ value: String) throws(CatalogError) -> CatalogModel.File {
    let parts = value.split(separator: " ").map(String.init)
    guard parts.count == 3, Self.isName(parts[0]), !files.contains(where: { $0.name == parts[0] })
    else { throw wrong("expected a name, a number of bytes and a hash") }
    if parts[1] == "-", parts[2] == "-" { return .init(name: parts[0]) }
    guard let count = Int(parts[1]), (1...1 << 34).contains(count) else {
      throw wrong("'\(parts[1])' is no number of bytes")
    }
    guard parts[2].utf8.count == 64, parts[2].utf8.allSatisfy(Self.isDigit) else {
      throw wrong("'\(parts[2])' is no SHA-256")
    }
    return .init(name: parts[0], content: .init(byteCount: count, hash: parts[2]))
  }

  /// Keeps the model that is read.
  private mutating func endModel() throws(CatalogError) {
    guard let model = words["model"] else { return }
    func word(_ key: String) throws(CatalogError) -> String {
      guard let value = words[key] else { throw wrong("\(model) has no '\(key)'") }
      return value
    }
    guard !files.isEmpty else { throw wrong("\(model) has no 'file'") }
    let isKnown = files.allSatisfy { $0.content != nil }
    models.append(
      CatalogModel(
        name: model, license: try word("license"), classes: try word("classes"),
        input: try word("input"), precision: try word("ap"), time: try word("time"),
        hashSource: isKnown ? try word("hash") : nil, folder: try word("from"), files: files,
        reason: isKnown ? nil : try word("why")))
    (words, files) = ([:], [])
  }

  private func wrong(_ cause: String) -> CatalogError {
    CatalogError("\(name), line \(line): \(cause)")
  }

  /// Letters, digits and few signs, and no dot at the beginning.
  private static func isName(_ word: String) -> Bool {
    let letters = word.utf8
    return (1...100).contains(letters.count) && !word.hasPrefix(".") && !word.hasPrefix("-")
      && letters.allSatisfy { letter in
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(letter)
        }
      }
  }

  /// Whether a text is an address of a folder: no spaces, and a slash at its end.
  static func isFolderAddress(_ text: String) -> Bool {
    (text.hasPrefix("https://") || text.hasPrefix("http://")) && text.hasSuffix("/")
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && text.utf8.count < 2000
  }

  private static func isDigit(_ letter: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter)
  }
}
