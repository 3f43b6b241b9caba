// Fovea - fetching a model of the catalog.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaLibc

/// Fetches the files of a model. None gets its name before all have their sizes and hashes.
package struct ModelDownload {
  /// What became of it.
  package enum Outcome: Sendable {
    /// All files were there and are those that were meant.
    case wasThere
    case fetched
  }

  private let model: CatalogModel
  private let folder: CachedModel
  private let from: String
  private let patience: Int
  private let progress: (String) -> Void

  /// Prepares a download.
  ///
  /// - Parameters:
  ///   - from: An address that stands for the maker's, ended by a slash.
  ///   - patience: Seconds without a byte after which it gives up.
  ///   - progress: Is told in a line how far it is.
  /// - Throws: `CatalogError`, also for a model without hashes.
  package init(
    _ model: CatalogModel, from: String? = nil, patience: Int,
    progress: @escaping (String) -> Void
  ) throws(CatalogError) {
    (self.model, folder) = (model, try CachedModel(model))
    (self.from, self.patience, self.progress) = (from ?? model.folder, patience, progress)
    guard model.byteCount != nil else {
      let names = model.files.map { model.folder + $0.name }.joined(separator: " ")
      throw CatalogError(
        "\(model.name) is not fetched: \(model.reason ?? "its hash is not known"). License: "
          + "\(model.license). Address: \(names). Name the file that you make of it by --model FILE"
      )
    }
    guard CatalogReader.isFolderAddress(self.from) else {
      throw CatalogError("'\(self.from)' is no address that ends in a slash, such as https://host/")
    }
  }

  /// Fetches what is missing.
  ///
  /// - Throws: `CatalogError`; then no file of the model is there that was not there before, unless the
  ///   folder stops to take names between two of them.
  package func run() throws(CatalogError) -> Outcome {
    if try isThere() { return .wasThere }
    try folder.make()
    let lock = folder.lock { progress("another process is fetching \(model.name); waiting for it") }
    defer { withExtendedLifetime(lock) {} }
    // Whoever had the lock may have fetched it.
    if try isThere() { return .wasThere }
    if lock != nil { folder.removeRemains() }
    var replacements: [FileReplacement] = []
    for file in model.files {
      guard let content = file.content else { continue }
      replacements.append(try fetch(file, content))
    }
    // The file that is opened comes last: where it is, all are.
    for (file, replacement) in zip(model.files, replacements).reversed() {
      do throws(FileError) { try replacement.commit() } catch { throw unwritable(file, error) }
    }
    return .fetched
  }

  /// Whether all files are there.
  ///
  /// - Throws: `CatalogError` for one with another hash: somebody may need it.
  private func isThere() throws(CatalogError) -> Bool {
    var isComplete = true
    for file in model.files {
      guard let found = try folder.hash(of: file) else {
        isComplete = false
        continue
      }
      guard found == file.content?.hash else {
        throw otherHash(folder.path(of: file), file, found, remedy: "remove it and try again")
      }
    }
    return isComplete
  }

  /// A file with its bytes, which has no name yet.
  private func fetch(
    _ file: CatalogModel.File, _ content: CatalogModel.Content
  ) throws(CatalogError) -> FileReplacement {
    let address = from + file.name
    let target: FileReplacement
    do throws(FileError) {
      target = try FileReplacement(folder.path(of: file))
    } catch {
      throw unwritable(file, error)
    }
    let child: DownloadChild
    do throws(DownloadChild.StartFailure) {
      child = try DownloadChild(address)
    } catch {
      switch error {
      case .missing: throw byHand(file, "the program curl is not installed")
      case .refused(let words): throw byHand(file, "the program curl cannot be started: \(words)")
      }
    }
    var hash = SHA256()
    var count = 0
    while true {
      switch child.next(patience: patience) {
      case .bytes(let bytes):
        count += bytes.count
        guard count <= content.byteCount else {
          child.stop()
          throw CatalogError(
            "\(address): has more than the \(content.byteCount) bytes of the catalog; nothing is kept"
          )
        }
        hash.add(bytes[...])
        do throws(FileError) {
          try target.write(bytes)
        } catch {
          throw unwritable(file, error)
        }
        progress("\(file.name): \(count * 100 / content.byteCount) % of \(content.byteCount) bytes")
      case .silence:
        child.stop()
        throw byHand(file, "no byte came for \(patience) seconds")
      case .end(0):
        try check(file, content, count: count, hash: hash.text(), address)
        return target
      case .end(let status):
        throw byHand(file, Self.words(child.complaint, status))
      }
    }
  }

  private func check(
    _ file: CatalogModel.File, _ content: CatalogModel.Content, count: Int, hash: String,
    _ address: String
  ) throws(CatalogError) {
    guard count == content.byteCount else {
      throw byHand(file, "only \(count) of \(content.byteCount) bytes came")
    }
    guard hash == content.hash else {
      throw otherHash(
        address, file, hash, remedy: "nothing is kept: the file is not the one that was meant")
    }
  }

  private func otherHash(
    _ place: String, _ file: CatalogModel.File, _ found: String, remedy: String
  ) -> CatalogError {
    CatalogError(
      "\(place): its SHA-256 is \(found), and that of the catalog is \(file.content?.hash ?? "-"); "
        + remedy)
  }

  private func unwritable(_ file: CatalogModel.File, _ error: FileError) -> CatalogError {
    CatalogError("\(folder.path(of: file)): \(error.explanation), or set XDG_CACHE_HOME")
  }

  /// The cause, and how to go on without it.
  private func byHand(_ file: CatalogModel.File, _ cause: String) -> CatalogError {
    let addresses = model.files.map { from + $0.name }.joined(separator: " ")
    return CatalogError(
      "\(file.name) was not fetched: \(cause). Try again, or put these into \(folder.path)/ yourself "
        + "and run the same command, which checks them: \(addresses)")
  }

  /// What curl said, without its name.
  private static func words(_ complaint: [UInt8], _ status: Int32) -> String {
    let text = String(decoding: complaint, as: UTF8.self).split(whereSeparator: \.isNewline).first
    guard let text else { return "curl ended with \(status)" }
    return "curl says: " + (text.hasPrefix("curl: ") ? text.dropFirst(6) : text)
  }
}
