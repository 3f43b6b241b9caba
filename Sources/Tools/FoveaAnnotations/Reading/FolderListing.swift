// Fovea - all files below a folder, by their paths.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// All files below a folder, sorted by their paths. Hidden ones are left out, and so are folders that
/// links lead to again.
struct FolderListing {
  /// A file by its path below the folder, with "/" between its parts.
  private(set) var names: [String] = []
  /// The folder, as it was given.
  let root: String

  static let greatestDepth = 12
  static let greatestCount = 2_000_000

  /// Lists a folder.
  ///
  /// - Throws: `.file` for what is no folder, or has too many files.
  init(_ root: String) throws(AnnotationError) {
    self.root = root.hasSuffix("/") && root.count > 1 ? String(root.dropLast()) : root
    guard FilePath.isFolder(root) else {
      throw AnnotationError(
        .file, root,
        FilePath.exists(root) ? "is no folder" : "there is no such folder",
        "name the folder of the pictures")
    }
    var visited: Set<String> = []
    try add("", 0, &visited)
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Lists files at any paths.
  init(paths: [String]) {
    root = ""
    names = Set(paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The path that opens a file.
  func path(_ name: String) -> String { PathText.joined(root, name) }

  private mutating func add(
    _ folder: String, _ depth: Int, _ visited: inout Set<String>
  ) throws(AnnotationError) {
    let path = folder.isEmpty ? root : root + "/" + folder
    guard depth < Self.greatestDepth, let real = FilePath.resolved(path),
      visited.insert(real).inserted
    else { return }
    for name in FilePath.names(in: path) where !name.hasPrefix(".") {
      let below = folder.isEmpty ? name : folder + "/" + name
      if FilePath.isFolder(root + "/" + below) {
        try add(below, depth + 1, &visited)
      } else {
        names.append(below)
      }
    }
    guard names.count <= Self.greatestCount else {
      throw AnnotationError(
        .file, root, "has more than \(Self.greatestCount) files", "name a smaller folder")
    }
  }
}

/// Paths as texts.
enum PathText {
  /// The path without "." and "..", or with the latter at its beginning only.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// A path in a folder, which may be empty.
  static func joined(_ folder: String, _ path: String) -> String {
    folder.isEmpty || path.hasPrefix("/") ? path : folder + "/" + path
  }

  /// The way from a folder to a file; `nil` where the texts do not tell. Both are normalized.
  static func relative(from folder: String, to path: String) -> String? {
    guard folder.hasPrefix("/") == path.hasPrefix("/"), !folder.hasPrefix(".."),
      !path.hasPrefix("..")
    else { return nil }
    let (from, to) = (folder.split(separator: "/"), path.split(separator: "/"))
    let common = zip(from, to).prefix { $0 == $1 }.count
    let up = Array(repeating: Substring(".."), count: from.count - common)
    return (up + to[common...]).joined(separator: "/")
  }

  /// The folder of a path; empty for a bare name.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path without the ending of its name.
  static func stem(of path: String) -> String {
    guard let dot = path.lastIndex(of: "."), dot != path.startIndex,
      !path[dot...].utf8.contains(UInt8(ascii: "/"))
    else { return path }
    return String(path[..<dot])
  }

  /// What follows the last "." of the name, in small letters.
  static func ending(of path: String) -> String {
    String(path.dropFirst(stem(of: path).count + 1)).lowercased()
  }

  /// What stands below a folder; `nil` for a path that leads elsewhere. Both are normalized.
  static func below(_ folder: String, _ path: String) -> String? {
    if folder.isEmpty || folder == "." {
      return path.hasPrefix("/") || path.hasPrefix("..") ? nil : path
    }
    guard path.hasPrefix(folder + "/") else { return nil }
    return String(path.dropFirst(folder.count + 1))
  }
}
