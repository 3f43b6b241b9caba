// Fovea - the pictures of a folder, found by the names that annotations give them.
// SPDX-License-Identifier: Apache-2.0

/// The pictures of a folder, found by the names that annotations give them.
///
/// Only pictures below the folder are ever opened. A path that leads elsewhere stands for the picture
/// below it that has the same name.
struct PictureIndex {
  /// Where a name leads.
  enum Match: Equatable {
    case picture(Int)
    /// A picture that has the same name, though the path leads out of the folder.
    case byNameAlone(Int)
    case none
    case several
  }

  /// The paths below the folder, sorted.
  let names: [String]
  private let root: String
  private var byName: [String: Int] = [:]
  private var byFileName: [String: [Int]] = [:]
  private var byStem: [String: [Int]] = [:]

  init(_ names: [String], root: String) {
    (self.names, self.root) = (names, PathText.normalized(root))
    for (place, name) in names.enumerated() {
      byName[name] = place
      let fileName = String(name.split(separator: "/").last ?? "")
      byFileName[fileName, default: []].append(place)
      byStem[PathText.stem(of: fileName), default: []].append(place)
    }
  }

  /// Finds a picture.
  ///
  /// - Parameters:
  ///   - written: The name, as the annotations write it.
  ///   - folder: The folder of the annotations.
  ///   - isUpload: Whether a server may have put eight hexadecimal digits and a hyphen before the name.
  func match(_ written: String, beside folder: String, isUpload: Bool = false) -> Match {
    let path = Self.cleaned(written)
    guard !path.isEmpty else { return .none }
    if !path.hasPrefix("/") {
      let joined = PathText.normalized(folder.isEmpty ? path : folder + "/" + path)
      if let below = PathText.below(root, joined), let place = byName[below] {
        return .picture(place)
      }
    }
    let plain = PathText.normalized(path)
    if let place = byName[plain] { return .picture(place) }
    if let below = PathText.below(root, plain), let place = byName[below] { return .picture(place) }
    let parts = plain.split(separator: "/").map(String.init)
    let leadsOut = path.hasPrefix("/") || parts.first == ".." || parts.first?.hasSuffix(":") == true
    var match = match(parts)
    if match == .none, isUpload, let last = parts.last, let name = Self.withoutDigits(last) {
      match = self.match(parts.dropLast() + [name])
    }
    if case .picture(let place) = match, leadsOut, !isUpload { return .byNameAlone(place) }
    return match
  }

  /// The picture whose name has this stem; for annotations without a name in them.
  func match(stem: String, beside folder: String) -> Match {
    let places = byStem[stem] ?? []
    if places.count > 1, let below = PathText.below(root, PathText.normalized(folder)) {
      let near = places.filter { PathText.folder(of: names[$0]) == below }
      if near.count == 1 { return .picture(near[0]) }
    }
    return places.count == 1 ? .picture(places[0]) : places.isEmpty ? .none : .several
  }

  /// The picture that has most parts of the path in common, from its end.
  private func match(_ parts: [String]) -> Match {
    guard let last = parts.last else { return .none }
    var places = byFileName[last] ?? []
    if places.isEmpty, !PictureNames.isPicture(last) { places = byStem[last] ?? [] }
    guard places.count > 1 else { return places.first.map { .picture($0) } ?? .none }
    let counts = places.map { place in
      let own = names[place].split(separator: "/").dropLast().reversed()
      return zip(own, parts.dropLast().reversed()).prefix { $0 == $1 }.count
    }
    let most = counts.max() ?? 0
    let best = zip(places, counts).filter { $1 == most }
    return best.count == 1 ? .picture(best[0].0) : .several
  }

  /// The path in a text that may be an address, or a path of Windows.
  private static func cleaned(_ written: String) -> String {
    var text = written
    if let scheme = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[scheme...].hasPrefix("://") {
      let rest = text[scheme...].dropFirst(3)
      text = String(rest[(rest.firstIndex(of: "/") ?? rest.startIndex)...])
    }
    if let question = text.lastIndex(of: "?"), text[question...].hasPrefix("?d=") {
      text = String(text[question...].dropFirst(3))
    }
    text = String(
      decoding: text.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    return text
  }

  /// The name without eight hexadecimal digits and a hyphen before it.
  private static func withoutDigits(_ name: String) -> String? {
    let bytes = Array(name.utf8)
    guard bytes.count > 9, bytes[8] == UInt8(ascii: "-"),
      bytes[..<8].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    return String(decoding: bytes[9...], as: UTF8.self)
  }
}

/// Names that say that a file is a picture.
enum PictureNames {
  private static let endings: Set<String> = [
    "jpg", "jpeg", "png", "webp", "heic", "heif", "avif", "tif", "tiff", "bmp", "gif",
  ]

  static func isPicture(_ name: String) -> Bool { endings.contains(PathText.ending(of: name)) }
}
