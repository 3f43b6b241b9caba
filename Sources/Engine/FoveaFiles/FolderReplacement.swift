// Fovea - a folder that is complete or not there.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A folder that is complete or not there: files go to a new folder beside it, which takes the name
/// at the end. An older folder stands under its name until then.
package final class FolderReplacement {
  private let target: String
  private let temporary: String
  private var isPending = true

  /// Begins a folder.
  ///
  /// - Parameter marker: The name of a file that an older folder must have to be replaced.
  /// - Throws: `.unwritable`.
  package init(_ path: String, replacing marker: String) throws(FileError) {
    var name = path[...]
    while name.count > 1, name.last == "/" { name.removeLast() }
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw .unwritable("the path is empty or has a zero byte")
    }
    target = FilePath.resolved(String(name)) ?? String(name)
    if FilePath.exists(target), !FilePath.exists("\(target)/\(marker)") {
      throw .unwritable("something else than a folder with \(marker) is there")
    }
    temporary = try Self.makeTemporary(beside: target)
  }

  deinit { abandon() }

  /// Writes a file at a path below the folder, and the folders on the way.
  ///
  /// - Throws: `.unwritable`.
  package func write(_ bytes: [UInt8], to names: [String]) throws(FileError) {
    var path = temporary
    for name in names.dropLast() {
      path += "/" + name
      guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
        throw .unwritable(FileBytes.systemMessage())
      }
    }
    let file = try FileReplacement("\(path)/\(names.last ?? "")")
    var failure: FileError?
    bytes.withUnsafeBytes { bytes in
      do throws(FileError) { try file.write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    try file.commit()
  }

  /// Gives the new folder its name.
  ///
  /// - Throws: `.unwritable`; an older folder is then where it was.
  package func commit() throws(FileError) {
    let old = FilePath.exists(target) ? "\(temporary)-old" : nil
    if let old, rename(target, old) != 0 { throw .unwritable(FileBytes.systemMessage()) }
    guard rename(temporary, target) == 0 else {
      let message = FileBytes.systemMessage()
      if let old { _ = rename(old, target) }
      throw .unwritable(message)
    }
    isPending = false
    if let old { FilePath.remove(old) }
  }

  private func abandon() {
    if isPending { FilePath.remove(temporary) }
  }

  /// A new folder, named after the process.
  private static func makeTemporary(beside path: String) throws(FileError) -> String {
    for number in 0..<100 {
      let name = "\(path).\(getpid())-\(number).tmp"
      if mkdir(name, 0o777) == 0 { return name }
      guard errno == EEXIST else { break }
    }
    throw .unwritable(FileBytes.systemMessage())
  }
}
