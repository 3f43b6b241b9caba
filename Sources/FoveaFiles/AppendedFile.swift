// Fovea - a file that grows at its end.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A file that grows at its end, by one process at a time.
package final class AppendedFile {
  private let file: Int32
  /// Whether it is a regular file, which can be read and cut; pipes and devices cannot.
  package let isRegular: Bool

  /// Opens a file, or makes it.
  ///
  /// - Throws: `.isDirectory` or `.unwritable`, also for a file that another process has open so.
  package init(_ path: String) throws(FileError) {
    guard !path.utf8.contains(0) else { throw .unwritable("the path has a zero byte") }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
    isRegular = !exists || status.st_mode & S_IFMT == S_IFREG
    let mode = isRegular ? O_RDWR | O_CREAT | O_APPEND : O_WRONLY
    file = open(path, mode | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .unwritable(FileBytes.systemMessage()) }
    // File systems without locks are trusted; the lock goes when the process ends, however it ends.
    if isRegular, flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw .unwritable("another process writes to it")
    }
  }

  deinit { if file >= 0 { close(file) } }

  /// Cuts the file after `count` bytes.
  ///
  /// - Throws: `.unwritable`.
  package func cut(to count: Int) throws(FileError) {
    guard ftruncate(file, off_t(count)) == 0 else {
      throw .unwritable(FileBytes.systemMessage())
    }
  }

  /// Appends bytes.
  ///
  /// - Throws: `.unwritable`; a part of the bytes may have been written.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let written = bytes[done...].withUnsafeBytes { FileBytes.writeSome(file, $0) }
      guard written > 0 else { throw .unwritable(FileBytes.systemMessage()) }
      done += written
    }
  }
}
