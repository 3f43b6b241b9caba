// Fovea - a file that is complete or not there.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A file that is complete or not there: bytes go to a new file in the same folder, which takes the
/// name at the end. Until then whoever reads the name, or has it mapped, has the old file.
///
/// What is no regular file, such as a pipe or a device, is written to directly.
package final class FileReplacement {
  private let target: String
  /// `nil` when the target is written to directly.
  private let temporary: String?
  private var file: Int32

  /// Begins a file.
  ///
  /// - Throws: `.isDirectory` or `.unwritable`.
  package init(_ path: String) throws(FileError) {
    let isRegular = try FileBytes.isRegular(toWrite: path)
    if isRegular == false {
      (target, temporary) = (path, nil)
      file = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      target = isRegular == nil ? path : Self.resolved(path)
      (temporary, file) = Self.makeTemporary(beside: target)
    }
    guard file >= 0 else { throw .unwritable(FileBytes.systemMessage()) }
  }

  deinit { abandon() }

  /// Appends bytes.
  ///
  /// - Throws: `.unwritable`; then nothing is left of the new file.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    guard FileBytes.writeAll(file, bytes) else { throw failure() }
  }

  /// The same for an array.
  ///
  /// - Throws: `.unwritable`; then nothing is left of the new file.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    guard bytes.withUnsafeBytes({ FileBytes.writeAll(file, $0) }) else { throw failure() }
  }

  /// Gives the new file its name.
  ///
  /// - Throws: `.unwritable`; then nothing is left of the new file.
  package func commit() throws(FileError) {
    // Names must not reach the disk before bytes do; pipes have no disk.
    guard temporary == nil || fsync(file) == 0 else { throw failure() }
    let closed = close(file)
    file = -1
    guard closed == 0 else { throw failure() }
    if let temporary, rename(temporary, target) != 0 { throw failure() }
  }

  private func failure() -> FileError {
    let message = FileBytes.systemMessage()
    abandon()
    return .unwritable(message)
  }

  /// After `commit` the temporary name leads nowhere.
  private func abandon() {
    if file >= 0 { close(file) }
    file = -1
    if let temporary { unlink(temporary) }
  }

  /// A new file that nobody else has opened, named after the process.
  private static func makeTemporary(beside path: String) -> (String, Int32) {
    var name = ""
    for number in 0..<100 {
      name = "\(path).\(getpid())-\(number).tmp"
      let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if file >= 0 || errno != EEXIST { return (name, file) }
    }
    return (name, -1)
  }

  /// The file that a link leads to: the link stays.
  private static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }
}
