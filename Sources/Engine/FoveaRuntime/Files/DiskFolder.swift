// Fovea - a folder of model files on a disk.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaModelFormat

extension MappedBytes: ByteOwner {}

/// A folder on a disk. Its files are mapped; no link leads out of it.
struct DiskFolder: ModelFolder {
  /// The folder's own path, without links.
  private let root: String

  /// The folder at a path; `nil` if nothing is there.
  init?(_ path: String) {
    guard let root = FilePath.resolved(path) else { return nil }
    self.root = root.hasSuffix("/") ? root : root + "/"
  }

  /// Whether the folder has something of a name.
  func has(_ name: String) -> Bool { FilePath.exists(root + name) }

  /// The number of bytes of a file in the folder; `nil` if it cannot be read.
  func byteCount(of name: String) -> Int? {
    guard let path = try? ModelPath(name) else { return nil }
    return (try? bytes(at: path))?.count
  }

  /// The bytes of all files below the folder.
  var byteCount: Int { FilePath.byteCount(below: root) }

  func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    let whole = root + path.description
    guard FilePath.exists(whole) else { return nil }
    guard let resolved = FilePath.resolved(whole) else {
      throw Self.error(path, "is a link that leads nowhere")
    }
    guard resolved.hasPrefix(root) else {
      throw ModelFormatError(
        .invalidValue, found: "a link that leads out of the model's folder at \(path)",
        expected: "a file inside",
        remedy: "Copy the folder with its links replaced by their files (cp -rL).")
    }
    guard FilePath.isFileOrFolder(resolved) else { throw Self.error(path, "is no regular file") }
    do throws(FileError) {
      let mapped = try MappedBytes.map(resolved, beginningWith: [], maximumCount: .max)
      return mapped.map { StoredBytes($0) } ?? StoredBytes([])
    } catch {
      throw Self.error(path, Self.words(error))
    }
  }

  private static func error(_ path: ModelPath, _ words: String) -> ModelFormatError {
    ModelFormatError(
      .missingField, found: "\(path), which \(words)", expected: "a file",
      remedy: "Copy the model's folder whole.")
  }

  private static func words(_ error: FileError) -> String {
    switch error {
    case .missing: "is missing"
    case .isDirectory: "is a folder"
    case .unreadable(let words), .unwritable(let words): "cannot be read: \(words)"
    case .tooLarge(let limit): "has more than \(limit) bytes"
    }
  }
}
