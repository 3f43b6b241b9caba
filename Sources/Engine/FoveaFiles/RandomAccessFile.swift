// Fovea - bytes that are read at any place.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Bytes that are read at any place.
package protocol RandomAccessBytes {
  /// The number of bytes.
  var count: Int { get }
  /// The bytes that begin at `offset`: fewer than `count` where the end comes first.
  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8]
}

/// An open regular file that several threads read at the same time, each where it wants.
package final class RandomAccessFile: RandomAccessBytes, Sendable {
  private let file: Int32
  /// The number of bytes when it was opened.
  package let count: Int

  /// Opens a regular file.
  ///
  /// - Throws: `.missing`, `.isDirectory` or `.unreadable`; pipes and devices are unreadable.
  package init(_ path: String) throws(FileError) {
    // Opening a pipe would wait for whoever writes into it.
    let file = try FileBytes.openToRead(path, O_NONBLOCK)
    var status = stat()
    var failure: FileError?
    if fstat(file, &status) != 0 {
      failure = .unreadable(FileBytes.systemMessage())
    } else if status.st_mode & S_IFMT == S_IFDIR {
      failure = .isDirectory
    } else if status.st_mode & S_IFMT != S_IFREG {
      failure = .unreadable("it is no regular file")
    }
    if let failure {
      close(file)
      throw failure
    }
    (self.file, count) = (file, Int(status.st_size))
  }

  deinit { close(file) }

  /// The bytes that begin at `offset`: fewer than `count` where the file ends first.
  ///
  /// - Throws: `.unreadable`.
  package func read(at offset: Int, count wanted: Int) throws(FileError) -> [UInt8] {
    // No more memory than there are bytes, whatever a damaged file claims.
    let wanted = max(0, min(wanted, count - offset))
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { target, count in
      while count < wanted {
        let got = pread(
          file, target.baseAddress! + count, wanted - count, off_t(offset + count))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = .unreadable(FileBytes.systemMessage()) }
        if got <= 0 { break }
        count += got
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
