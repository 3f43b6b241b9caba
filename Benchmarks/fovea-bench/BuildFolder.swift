// Fovea - where this program and the package that it was built from lie.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Where this program and the package that it was built from lie.
enum BuildFolder {
  /// The folder of this program, where SwiftPM puts the others too; `nil` if the system does not
  /// say.
  static var path: String? {
    guard let path = realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil)
    else { return nil }
    defer { free(path) }
    return parent(of: String(cString: path))
  }

  /// The root of the package: the folder with CSources, at or above the working folder, or above
  /// this program.
  static var packageRoot: String? { folder(with: ["CSources", "Package.swift"]) }

  /// Where files of the package are looked for: the working folder and that of this program.
  static var startingPoints: [String] {
    var points: [String] = []
    if let working = realpath(".", nil) {
      points.append(String(cString: working))
      free(working)
    }
    return points + [path].compactMap(\.self)
  }

  /// The nearest folder at or above a starting point that holds all these files.
  static func folder(with files: [String]) -> String? {
    for point in startingPoints {
      var folder: String? = point
      while let here = folder {
        if files.allSatisfy({ access(here + "/" + $0, R_OK) == 0 }) { return here }
        folder = parent(of: here)
      }
    }
    return nil
  }

  /// The folder that holds a path; `nil` for the root.
  static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
