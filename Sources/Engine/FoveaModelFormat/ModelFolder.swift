// Fovea - the files around a model file.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// A folder of files that belong to a model: a package, a compiled model, or what lies beside a
/// model file.
package protocol ModelFolder: Sendable {
  /// The bytes of the file at a path below the folder.
  ///
  /// - Parameter path: Names of folders and the file's name, checked by `ModelPath`.
  /// - Returns: `nil` where there is no such file.
  /// - Throws: If the path leads to a folder or out of this one, or the file cannot be read.
  func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes?
}

/// A path to a file inside a folder, which cannot lead out of it by its words alone.
package struct ModelPath: Sendable, Hashable, CustomStringConvertible {
  /// The names on the way, the file's own last; none is empty, "." or "..".
  package let names: [String]

  /// A path that a file states, with "/" between names.
  ///
  /// - Throws: Where the path is empty, absolute, has "..", or a null character.
  package init(_ text: String) throws(ModelFormatError) {
    let names = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isSafe = names.allSatisfy { name in
      !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0)
        && !name.contains("\\")
    }
    guard isSafe else {
      throw ModelFormatError(
        .invalidValue, found: "the path \"\(ModelText.readable(text))\"",
        expected: "a path inside the model's folder, without \"..\"")
    }
    self.names = names
  }

  private init(names: [String]) { self.names = names }

  /// The path of a file below a folder.
  package func appending(_ path: ModelPath) -> ModelPath { ModelPath(names: names + path.names) }

  /// The path of the folder that the file is in; empty for a file that lies in no folder.
  package var parent: ModelPath { ModelPath(names: names.dropLast()) }

  /// The names with "/" between them.
  package var description: String { names.joined(separator: "/") }
}

extension StoredBytes {
  /// A copy of a file. A few blocks of a disk can be a file of any size, and no message or text of a
  /// model is longer than 2 GiB.
  func copied(_ name: String) throws(ModelFormatError) -> [UInt8] {
    guard count <= Int(Int32.max) else {
      throw ModelFormatError(
        .limitExceeded, found: "\(count) bytes in \(ModelText.readable(name))",
        expected: "at most \(Int32.max)")
    }
    return array
  }
}

/// No files: what a model file that stands alone has around it.
package struct EmptyFolder: ModelFolder {
  /// Creates the folder.
  package init() {}

  package func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? { nil }
}

/// A part of a folder that is a folder of its own.
package struct ModelSubfolder: ModelFolder {
  private let folder: any ModelFolder
  private let path: ModelPath

  /// The folder at a path.
  package init(_ folder: any ModelFolder, at path: ModelPath) {
    self.folder = folder
    self.path = path
  }

  package func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    try folder.bytes(at: self.path.appending(path))
  }
}
