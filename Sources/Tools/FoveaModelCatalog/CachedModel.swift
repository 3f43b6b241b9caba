// Fovea - where models that were fetched lie.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaLibc

/// Where models that were fetched lie: a folder for each below `$XDG_CACHE_HOME/fovea`.
package struct CachedModel: Sendable {
  /// The path of the folder; nothing need be there.
  package let path: String
  private let model: CatalogModel

  /// The folder of a model.
  ///
  /// - Throws: `CatalogError` where no folder is known.
  package init(_ model: CatalogModel) throws(CatalogError) {
    self.model = model
    path = try Self.root() + "/" + model.name
  }

  /// The folder of all models.
  private static func root() throws(CatalogError) -> String {
    // The specification of these folders passes over relative paths.
    if let cache = EnvironmentVariable.value("XDG_CACHE_HOME"), cache.hasPrefix("/") {
      return cache + "/fovea"
    }
    guard let home = EnvironmentVariable.value("HOME") else {
      throw CatalogError("no folder for models is known; set XDG_CACHE_HOME or HOME")
    }
    return home + "/.cache/fovea"
  }

  /// The file that is opened.
  package var mainFile: String { path(of: model.files[0]) }

  /// Where a file of the model belongs.
  package func path(of file: CatalogModel.File) -> String { path + "/" + file.name }

  /// Whether all files are there and have their sizes. Their bytes were checked before they got their
  /// names.
  package var isComplete: Bool {
    model.files.allSatisfy { file in
      var status = stat()
      guard let content = file.content, stat(path(of: file), &status) == 0 else { return false }
      return status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) == content.byteCount
    }
  }

  /// The SHA-256 of a file that is there; `nil` where none is.
  ///
  /// - Throws: `CatalogError` for one that cannot be read.
  func hash(of file: CatalogModel.File) throws(CatalogError) -> String? {
    let path = path(of: file)
    guard FilePath.exists(path) else { return nil }
    do throws(FileError) {
      let bytes = try RandomAccessFile(path)
      var hash = SHA256()
      var place = 0
      while true {
        let part = try bytes.read(at: place, count: 1 << 20)
        guard !part.isEmpty else { return hash.text() }
        hash.add(part[...])
        place += part.count
      }
    } catch {
      throw CatalogError("\(path): \(error.explanation)")
    }
  }

  /// Makes the folder and those above it.
  ///
  /// - Throws: `CatalogError`.
  func make() throws(CatalogError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      var status = stat()
      if stat(made, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
      guard mkdir(made, 0o777) == 0 || errno == EEXIST else {
        let words = String(cString: strerror(errno))
        throw CatalogError(
          "\(made): the folder cannot be made: \(words); set XDG_CACHE_HOME to one that can be written"
        )
      }
    }
  }

  /// Removes what downloads that were killed have left. To be called under the lock.
  func removeRemains() {
    for name in FilePath.names(in: path) where name.hasSuffix(".tmp") { unlink(path + "/" + name) }
  }

  /// Waits until no other process fetches the model. The lock ends with the result, or the process.
  ///
  /// - Parameter waits: Called when another one does.
  func lock(_ waits: () -> Void) -> FolderLock? {
    let file = open(path + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { return nil }
    let lock = FolderLock(file)
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return lock }
    guard errno == EWOULDBLOCK else { return nil }
    waits()
    while flock(file, LOCK_EX) != 0 { guard errno == EINTR else { return nil } }
    return lock
  }
}

/// A folder that no other process writes to as long as this lives.
final class FolderLock {
  private let file: Int32

  init(_ file: Int32) { self.file = file }

  deinit { close(file) }
}
