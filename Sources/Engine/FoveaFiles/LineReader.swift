// Fovea - a text file, read line by line.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A text of any length, read line by line in constant memory.
package final class LineReader {
  /// A line longer than this is an error: the file is no list.
  package static let longestLine = 1 << 24

  private let file: Int32
  private let ownsFile: Bool
  private var buffer: [UInt8] = []
  private var start = 0
  /// The number of bytes of a regular file; `nil` for pipes.
  package let size: Int?
  /// The number of bytes of the lines that were read, with their ends.
  package private(set) var offset = 0
  /// The number of lines that were read.
  package private(set) var lineCount = 0

  /// Opens a file or a pipe.
  ///
  /// - Throws: `.missing`, `.isDirectory` or `.unreadable`.
  package convenience init(_ path: String) throws(FileError) {
    try self.init(file: try FileBytes.openToRead(path), ownsFile: true)
  }

  /// Reads standard input.
  package static func standardInput() throws(FileError) -> LineReader {
    try LineReader(file: STDIN_FILENO, ownsFile: false)
  }

  private init(file: Int32, ownsFile: Bool) throws(FileError) {
    (self.file, self.ownsFile) = (file, ownsFile)
    var status = stat()
    guard fstat(file, &status) == 0 else {
      size = nil
      throw .unreadable(FileBytes.systemMessage())
    }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
  }

  deinit { if ownsFile { close(file) } }

  /// The next line without its end, or `nil` after the last. The last line may lack an end.
  ///
  /// - Throws: `.unreadable`, or `.tooLarge` for a line of more than `maximumCount` bytes.
  package func next(maximumCount: Int = longestLine) throws(FileError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        guard end - start <= maximumCount else { throw .tooLarge(limit: maximumCount) }
        return take(through: end, next: end + 1)
      }
      guard buffer.count - start <= maximumCount else { throw .tooLarge(limit: maximumCount) }
      searched = buffer.count - start
      buffer.removeSubrange(..<start)
      start = 0
      let more = try FileBytes.readSome(file, count: 1 << 16)
      if more.isEmpty {
        return buffer.isEmpty ? nil : take(through: buffer.count, next: buffer.count)
      }
      buffer += more
    }
  }

  private func take(through end: Int, next: Int) -> ArraySlice<UInt8> {
    defer {
      offset += next - start
      start = next
      lineCount += 1
    }
    return buffer[start..<end]
  }
}
