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
    isRegular = try FileBytes.isRegular(toWrite: path) ?? true
    let mode = isRegular ? O_RDWR | O_CREAT | O_APPEND : O_WRONLY
    file = open(path, mode | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .unwritable(FileBytes.systemMessage()) }
    // File systems without locks are trusted; the lock goes when the process ends, however it ends.
    if isRegular, flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw .unwritable("another process writes to it")
    }
  }

  deinit {
    guard file >= 0 else { return }
    // Closing is not enough: a child that another thread has forked keeps the lock until it starts
    // its program.
    if isRegular { flock(file, LOCK_UN) }
    close(file)
  }

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
    guard bytes.withUnsafeBytes({ FileBytes.writeAll(file, $0) }) else {
      throw .unwritable(FileBytes.systemMessage())
    }
  }
}
