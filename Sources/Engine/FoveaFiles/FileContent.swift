// Fovea - the content of a file, which is opened once to map or to read it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The content of a file, which is opened once to map or to read it.
package enum FileContent {
  /// Bytes that stay in the file.
  case mapped(MappedBytes)
  /// A copy.
  case read([UInt8])

  /// Maps the file at `path` if it is a regular file that begins with `magic`, and reads any other, at
  /// most `maximumReadCount` bytes of it. Pipes are read to their end.
  ///
  /// - Throws: `.missing`, `.isDirectory`, `.unreadable` or `.tooLarge`.
  package init(
    _ path: String, mappedIfBeginningWith magic: [UInt8], maximumReadCount: Int
  ) throws(FileError) {
    let file = try FileBytes.openToRead(path)
    defer { close(file) }
    if let bytes = try MappedBytes.map(file, beginningWith: magic, maximumCount: .max) {
      self = .mapped(bytes)
    } else {
      self = .read(try FileBytes.read(file, maximumCount: maximumReadCount))
    }
  }

  /// Lends the bytes.
  package func withBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    switch self {
    case .mapped(let bytes): return try bytes.withBytes(body)
    case .read(let bytes):
      // The array's own function knows no typed errors.
      return try bytes.withUnsafeBytes { bytes in
        Result { () throws(Failure) in try body(bytes) }
      }.get()
    }
  }
}
