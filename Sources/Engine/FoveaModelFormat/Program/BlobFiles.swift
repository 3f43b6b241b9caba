// Fovea - constants in files beside a program.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// The files of constants that a program refers to, by names that begin with "@model_path/".
///
/// Each is a storage of version 2, little-endian:
///
///     0        u32  number of blobs
///     4        u32  version, 2
///     8...63        reserved
///     offset   u32  0xDEADBEEF          a record, at a multiple of 64
///      + 4     u32  type of the elements
///      + 8     u64  bytes of data
///      + 16    u64  where the data begin in the file
///      + 24    u64  unused bits in the last byte
///      + 32...63    reserved
///
/// The data are used where they lie.
package struct BlobFiles {
  private let folder: any ModelFolder
  private var files: [ModelPath: StoredBytes] = [:]

  /// What the names of the files begin with.
  package static let prefix = "@model_path/"
  /// The bytes of the header, and of a record.
  package static let headerSize = 64
  /// What a record begins with.
  package static let sentinel: UInt32 = 0xDEAD_BEEF

  /// Files below a folder: that of the model file.
  package init(_ folder: any ModelFolder) {
    self.folder = folder
  }

  /// A constant as a file stores it.
  package struct Blob {
    /// The number of the type of the elements.
    package var type: UInt32
    /// The elements.
    package var bytes: StoredBytes
    /// The unused bits at the end of the last byte.
    package var paddingBits: UInt64
  }

  /// The elements of a constant.
  ///
  /// - Parameters:
  ///   - name: The file, as the program names it.
  ///   - offset: Where the record begins.
  ///   - element: The type that the program states.
  ///   - count: The number of elements that the program states.
  mutating func bytes(
    of name: String, at offset: UInt64, element: ElementType, count: Int
  ) throws(ModelFormatError) -> StoredBytes {
    let (file, record) = try record(of: name, at: offset)
    guard ElementType.byBlobNumber[record.type] == element else {
      let stored = ElementType.byBlobNumber[record.type].map { "type \($0.rawValue)" }
      throw error(
        .invalidWeights, name, offset,
        found: "elements of \(stored ?? "the unknown type \(record.type)")",
        expected: "\(element.rawValue), as the program says")
    }
    guard let needed = element.byteCount(count), record.size >= UInt64(needed) else {
      throw error(
        .invalidWeights, name, offset, found: "a constant of \(record.size) bytes",
        expected: "at least \(count) elements of \(element.bits) bits")
    }
    return file[try range(of: record, file, name, offset).prefix(needed)]
  }

  /// What a record holds, whatever its type.
  package mutating func blob(
    of name: String, at offset: UInt64
  ) throws(ModelFormatError) -> Blob {
    let (file, record) = try record(of: name, at: offset)
    return Blob(
      type: record.type, bytes: file[try range(of: record, file, name, offset)],
      paddingBits: record.paddingBits)
  }

  private mutating func record(
    of name: String, at offset: UInt64
  ) throws(ModelFormatError) -> (StoredBytes, Record) {
    let file = try file(name)
    guard offset % 64 == 0, file.count >= 2 * Self.headerSize,
      offset >= UInt64(Self.headerSize), offset <= UInt64(file.count - Self.headerSize)
    else {
      throw error(
        .invalidWeights, name, found: "a constant at byte \(offset) of a file of \(file.count)",
        expected: "a multiple of 64 inside the file")
    }
    let record = Record(file, at: Int(offset))
    guard record.sentinel == Self.sentinel else {
      throw error(
        .invalidWeights, name, offset, found: "no record of a constant", expected: "one")
    }
    return (file, record)
  }

  private func range(
    of record: Record, _ file: StoredBytes, _ name: String, _ offset: UInt64
  ) throws(ModelFormatError) -> Range<Int> {
    let (end, overflow) = record.start.addingReportingOverflow(record.size)
    guard !overflow, record.start >= UInt64(Self.headerSize), end <= UInt64(file.count) else {
      throw error(
        .truncated, name, offset,
        found: "\(record.size) bytes from byte \(record.start) in a file of \(file.count)",
        expected: "data inside the file, behind its header")
    }
    return Int(record.start)..<Int(end)
  }

  private mutating func file(_ name: String) throws(ModelFormatError) -> StoredBytes {
    guard name.hasPrefix(Self.prefix) else {
      throw error(
        .invalidValue, name, found: "a name that does not begin with \(Self.prefix)",
        expected: "a file of the model")
    }
    let path = try ModelPath(String(name.dropFirst(Self.prefix.count)))
    if let known = files[path] { return known }
    guard let file = try folder.bytes(at: path) else {
      throw error(
        .missingField, name, found: "no such file", expected: "the weights of the program",
        remedy: "Copy the whole folder of the model, or export the model again.")
    }
    guard file.count >= Self.headerSize else {
      throw error(
        .truncated, name, found: "\(file.count) bytes",
        expected: "a header of \(Self.headerSize) bytes")
    }
    let version: UInt32 = file.littleEndian(at: 4)
    guard version == 2 else {
      throw error(
        .unsupportedVersion, name, found: "constants stored in version \(version)",
        expected: "version 2")
    }
    files[path] = file
    return file
  }

  private func error(
    _ code: ModelFormatError.Code, _ file: String, _ offset: UInt64? = nil, found: String,
    expected: String, remedy: String = ModelFormatError.exportAgain
  ) -> ModelFormatError {
    let place = offset.map { " at byte \($0)" } ?? ""
    return ModelFormatError(
      code, fieldPath: "\(ModelText.readable(file))\(place)", found: found, expected: expected,
      remedy: remedy)
  }
}

/// What a record of a constant says.
private struct Record {
  let sentinel: UInt32
  let type: UInt32
  let size: UInt64
  let start: UInt64
  let paddingBits: UInt64

  /// The record at an offset at which 64 bytes stand.
  init(_ file: StoredBytes, at offset: Int) {
    sentinel = file.littleEndian(at: offset)
    type = file.littleEndian(at: offset + 4)
    size = file.littleEndian(at: offset + 8)
    start = file.littleEndian(at: offset + 16)
    paddingBits = file.littleEndian(at: offset + 24)
  }
}

extension StoredBytes {
  /// The little-endian number at an offset.
  func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Number {
    withBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
  }
}
