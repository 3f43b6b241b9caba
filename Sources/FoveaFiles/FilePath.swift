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

  /// The bytes of all files below a folder. Links are not followed.
  package static func byteCount(below path: String) -> Int { byteCount(below: path, depth: 0) }

  /// Models have three folders inside each other; deeper ones are not looked at.
  private static let greatestDepth = 8

  private static func byteCount(below path: String, depth: Int) -> Int {
    guard depth < greatestDepth, let folder = opendir(path) else { return 0 }
    defer { closedir(folder) }
    var total = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
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
}
