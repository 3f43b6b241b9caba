// Fovea - paths of files without links.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Questions about paths.
package enum FilePath {
  /// The path without links and dots; `nil` where nothing is, or links lead in a circle.
  package static func resolved(_ path: String) -> String? {
    guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What stands behind the last slash, or the path itself where nothing does.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// What stands behind the last slash, without its ending.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Whether something is at a path, be it a link that leads nowhere.
  package static func exists(_ path: String) -> Bool {
    guard !path.utf8.contains(0) else { return false }
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether a path leads to a regular file or a folder: opening others, such as pipes, may wait.
  package static func isFileOrFolder(_ path: String) -> Bool {
    guard !path.utf8.contains(0) else { return false }
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    guard !path.utf8.contains(0) else { return false }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes a folder, and those around it, unless they are there.
  ///
  /// - Throws: `.unwritable`.
  package static func makeFolders(_ path: String) throws(FileError) {
    guard !path.utf8.contains(0) else { throw .unwritable("the path has a zero byte") }
    guard !isFolder(path) else { return }
    if let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex {
      try makeFolders(String(path[..<slash]))
    }
    // Another process may have made it meanwhile.
    guard mkdir(path, 0o777) == 0 || isFolder(path) else {
      throw .unwritable(FileBytes.systemMessage())
    }
  }

  /// The bytes of a file, or of all files below a folder, where links are not followed.
  package static func byteCount(below path: String) -> Int {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
      return Int(status.st_size)
    }
    return byteCount(below: path, depth: 0)
  }

  /// Models have three folders inside each other; deeper ones are not looked at.
  private static let greatestDepth = 8

  private static func byteCount(below path: String, depth: Int) -> Int {
    guard depth < greatestDepth else { return 0 }
    var total = 0
    for name in names(in: path) {
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: total += byteCount(below: path + "/" + name, depth: depth + 1)
      case S_IFREG: total += Int(status.st_size)
      default: break
      }
    }
    return total
  }

  /// Removes a file, or a folder with all that is in it. Links are removed, not followed.
  static func remove(_ path: String) { remove(path, depth: 0) }

  private static func remove(_ path: String, depth: Int) {
    var status = stat()
    guard depth < greatestDepth, lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in names(in: path) { remove(path + "/" + name, depth: depth + 1) }
    rmdir(path)
  }

  /// The names in a folder, its own and its parent's left out; none where it cannot be opened.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
