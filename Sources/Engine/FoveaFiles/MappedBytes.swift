// Fovea - bytes that stay where they are: a mapped file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Bytes at one place in memory, which begins at a page, for as long as the object lives.
///
/// The bytes of a mapped file are the file's own: nothing is copied, pages are read when they are
/// touched and shared with other processes. Replace such a file by renaming another over it, as
/// `FileReplacement` does; whoever cuts it short while it is mapped ends the process that reads
/// it (SIGBUS), and whoever writes into it changes what that process computes.
package final class MappedBytes: @unchecked Sendable {  // because the bytes are never written to
  private let start: UnsafeMutableRawPointer
  /// The number of bytes.
  package let count: Int

  /// Maps the file at `path` if it is a regular file that begins with `magic`.
  ///
  /// - Returns: `nil` for other files, and for pipes, from which nothing is taken.
  /// - Throws: `.missing`, `.isDirectory`, `.unreadable` or `.tooLarge`.
  package static func map(
    _ path: String, beginningWith magic: [UInt8], maximumCount: Int
  ) throws(FileError) -> MappedBytes? {
    let file = try FileBytes.openToRead(path)
    defer { close(file) }
    return try map(file, beginningWith: magic, maximumCount: maximumCount)
  }

  /// The same for a file that is open and stays so.
  static func map(
    _ file: Int32, beginningWith magic: [UInt8], maximumCount: Int
  ) throws(FileError) -> MappedBytes? {
    guard let size = try regularSize(of: file), begins(file, with: magic) else { return nil }
    guard size <= maximumCount else { throw .tooLarge(limit: maximumCount) }
    return try MappedBytes(file, count: size)
  }

  private init(_ file: Int32, count: Int) throws(FileError) {
    let mapped = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0)
    guard let mapped, mapped != MAP_FAILED else { throw .unreadable(FileBytes.systemMessage()) }
    start = mapped
    self.count = count
    // A file that has become shorter meanwhile is noticed here; later nobody can.
    guard try Self.regularSize(of: file) == count else {
      throw .unreadable("it changes while it is read")
    }
  }

  /// A copy of bytes that came from elsewhere.
  package init(copying bytes: [UInt8]) throws(FileError) {
    count = bytes.count
    let mapped = mmap(
      nil, max(count, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymousMapping, -1, 0)
    guard let mapped, mapped != MAP_FAILED else { throw .unreadable(FileBytes.systemMessage()) }
    start = mapped
    bytes.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { start.copyMemory(from: base, byteCount: bytes.count) }
    }
  }

  deinit { munmap(start, max(count, 1)) }

  /// Lends the bytes, which stay where they are while the object lives: whoever keeps their address
  /// keeps the object.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The size of a regular file that has bytes, or `nil`.
  private static func regularSize(of file: Int32) throws(FileError) -> Int? {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(FileBytes.systemMessage()) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .isDirectory
    case S_IFREG: return status.st_size > 0 ? Int(status.st_size) : nil
    default: return nil
    }
  }

  private static func begins(_ file: Int32, with magic: [UInt8]) -> Bool {
    var first = [UInt8](repeating: 0, count: magic.count)
    return pread(file, &first, first.count, 0) == magic.count && first == magic
  }
}

#if canImport(Darwin)
  private let anonymousMapping = MAP_ANON
#else
  private let anonymousMapping = Int32(MAP_ANONYMOUS)
#endif
