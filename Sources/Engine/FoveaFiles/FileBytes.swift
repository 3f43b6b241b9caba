// Fovea - the bytes of a file, without Foundation.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Why a file cannot be read or written. Who asked knows the path and says it. All modules use these
/// words; one that knows a better remedy says it behind the description.
package enum FileError: Error {
  /// Nothing is there.
  case missing
  /// The path leads to a directory.
  case isDirectory
  /// The system refuses to open or read it, in its own words.
  case unreadable(String)
  /// It has more bytes than the caller is ready to take.
  case tooLarge(limit: Int)
  /// The system refuses to write it, in its own words.
  case unwritable(String)
}

extension FileError: CustomStringConvertible {
  /// The cause, in words.
  package var description: String {
    switch self {
    case .missing: "there is no such file"
    case .isDirectory: "is a folder"
    case .unreadable(let words): "cannot be read: \(words)"
    case .tooLarge(let limit): "has more than \(limit) bytes"
    case .unwritable(let words): "cannot be written: \(words)"
    }
  }

  /// What to do.
  package var remedy: String {
    switch self {
    case .missing: "check the path"
    case .isDirectory: "name a file"
    case .unreadable: "check the file's permissions"
    case .tooLarge: "make it smaller"
    case .unwritable: "check that the folder exists and has room"
    }
  }

  /// The cause and the remedy.
  package var explanation: String { "\(self); \(remedy)" }
}

/// Reads and writes whole files.
package enum FileBytes {
  /// All bytes of the file at `path`. Pipes are read to their end.
  ///
  /// - Throws: `.missing`, `.isDirectory`, `.unreadable` or `.tooLarge`.
  package static func read(_ path: String, maximumCount: Int) throws(FileError) -> [UInt8] {
    let file = try openToRead(path)
    defer { close(file) }
    return try read(file, maximumCount: maximumCount)
  }

  /// The same for a file that is open and stays so.
  static func read(_ file: Int32, maximumCount: Int) throws(FileError) -> [UInt8] {
    try readAll(file, expectedCount: size(of: file), maximumCount: maximumCount)
  }

  /// Makes or replaces the file at `path`.
  ///
  /// - Throws: `.unwritable`.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    guard !path.utf8.contains(0) else {
      throw .unwritable("the path has a zero byte")
    }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .unwritable(systemMessage()) }
    guard bytes.withUnsafeBytes({ writeAll(file, $0) }) else {
      let message = systemMessage()
      close(file)
      throw .unwritable(message)
    }
    // Some file systems report a full disk only now.
    guard close(file) == 0 else { throw .unwritable(systemMessage()) }
  }

  /// Size of a regular file, 0 for what has no size of its own (a pipe, a device).
  private static func size(of file: Int32) throws(FileError) -> Int {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(systemMessage()) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .isDirectory
    case S_IFREG: return Int(status.st_size)
    default: return 0
    }
  }

  /// Reads to the end of the file. The expected count only spares growing: files change.
  private static func readAll(
    _ file: Int32, expectedCount: Int, maximumCount: Int
  ) throws(FileError) -> [UInt8] {
    guard expectedCount <= maximumCount else {
      throw .tooLarge(limit: maximumCount)
    }
    // One byte more than expected, so that the end is met without growing.
    var wanted = max(expectedCount + 1, 4096)
    var bytes = try readNext(file, count: wanted)
    var got = bytes.count
    while got == wanted {
      guard bytes.count <= maximumCount else { throw .tooLarge(limit: maximumCount) }
      wanted = bytes.count
      let next = try readNext(file, count: wanted)
      bytes += next
      got = next.count
    }
    guard bytes.count <= maximumCount else { throw .tooLarge(limit: maximumCount) }
    return bytes
  }

  /// The next bytes of a file: fewer than `count` at its end only.
  private static func readNext(_ file: Int32, count wanted: Int) throws(FileError) -> [UInt8] {
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { target, count in
      while count < wanted {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(target)[count...])
        let got = readSome(file, rest)
        hasFailed = got < 0
        if got <= 0 { break }
        count += got
      }
    }
    guard !hasFailed else { throw .unreadable(systemMessage()) }
    return bytes
  }

  /// What a file or a pipe has ready, at most `count` bytes; none at its end.
  static func readSome(_ file: Int32, count wanted: Int) throws(FileError) -> [UInt8] {
    var got = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { target, count in
      got = readSome(file, UnsafeMutableRawBufferPointer(target))
      count = max(got, 0)
    }
    guard got >= 0 else { throw .unreadable(systemMessage()) }
    return bytes
  }

  private static func readSome(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let got = systemRead(file, buffer)
      if got >= 0 || errno != EINTR { return got }
    }
  }

  /// Opens a file; the caller closes it.
  ///
  /// - Throws: `.missing` or `.unreadable`.
  static func openToRead(_ path: String, _ flags: Int32 = 0) throws(FileError) -> Int32 {
    // A C string ends at a zero byte: the system would open another file than the one named.
    guard !path.utf8.contains(0) else { throw .missing }
    let file = open(path, O_RDONLY | O_CLOEXEC | flags)
    guard file >= 0 else { throw errno == ENOENT ? .missing : .unreadable(systemMessage()) }
    return file
  }

  /// Whether what is at a path is a regular file; `nil` where nothing is.
  ///
  /// - Throws: `.isDirectory`, or `.unwritable` for a path that no file can have.
  package static func isRegular(toWrite path: String) throws(FileError) -> Bool? {
    guard !path.utf8.contains(0) else { throw .unwritable("the path has a zero byte") }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isDirectory }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Writes all bytes; `false` where the system refuses, which may be after some of them.
  static func writeAll(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Bool {
    var rest = buffer[...]
    while !rest.isEmpty {
      let written = systemWrite(file, UnsafeRawBufferPointer(rebasing: rest))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }

  /// The system's words for the last error.
  static func systemMessage() -> String { String(cString: strerror(errno)) }
}

// Outside `FileBytes`, where `read` and `write` mean those of the C library.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(file, buffer.baseAddress!, buffer.count)
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
  write(file, buffer.baseAddress!, buffer.count)
}
