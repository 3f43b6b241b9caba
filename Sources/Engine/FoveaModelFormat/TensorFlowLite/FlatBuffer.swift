// Fovea - the tables of a flatbuffer.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The bytes of a flatbuffer.
///
/// Tables, vectors and texts are found by offsets. A file may lead many offsets to one place, so what
/// is copied is counted: a small file cannot ask for much memory.
final class FlatBuffer {
  let bytes: [UInt8]
  private var copied = 0

  /// Takes the bytes of a file, or of a part of it.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The table that the file begins with.
  func root(_ path: String) throws(ModelFormatError) -> FlatTable {
    let offset = Int(try number(at: 0, as: UInt32.self, path))
    return try FlatTable(self, at: offset, path: path)
  }

  /// A little-endian number.
  func number<Number: FixedWidthInteger>(
    at offset: Int, as type: Number.Type, _ path: String
  ) throws(ModelFormatError) -> Number {
    try check(offset, count: MemoryLayout<Number>.size, path)
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }

  /// Refuses bytes that the file does not have.
  func check(_ offset: Int, count: Int, _ path: String) throws(ModelFormatError) {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw ModelFormatError(
        .truncated, byteOffset: min(max(offset, 0), bytes.count), fieldPath: path,
        found: "\(count) bytes from byte \(offset) on", expected: "a file of \(bytes.count) bytes")
    }
  }

  /// Counts what is copied out of the file.
  func spend(_ count: Int, _ path: String) throws(ModelFormatError) {
    copied += count
    guard copied <= Self.copiesOfFile * bytes.count else {
      throw ModelFormatError(
        .limitExceeded, fieldPath: path, found: "parts of the file that are read again and again",
        expected: "each part once")
    }
  }

  private static let copiesOfFile = 8
}

/// A table of a flatbuffer: its fields have numbers, and may be absent.
struct FlatTable {
  private let file: FlatBuffer
  private let offset: Int
  private let size: Int
  private let fieldsOffset: Int
  private let fieldCount: Int
  /// The path of the table, for messages.
  let path: String

  /// The table at an offset. Its first number leads back to the list of its fields:
  ///
  ///     list: bytes of the list, bytes of the table, offset of field 0, of field 1, ... (16 bits)
  init(_ file: FlatBuffer, at offset: Int, path: String) throws(ModelFormatError) {
    self.file = file
    self.offset = offset
    self.path = path
    let list = offset - Int(try file.number(at: offset, as: Int32.self, path))
    let listSize = Int(try file.number(at: list, as: UInt16.self, path))
    size = Int(try file.number(at: list + 2, as: UInt16.self, path))
    try file.check(list, count: listSize, path)
    try file.check(offset, count: size, path)
    guard listSize >= 4, listSize % 2 == 0, size >= 4, list % 2 == 0 else {
      throw ModelFormatError(
        .malformedEncoding, byteOffset: offset, fieldPath: path,
        found: "a table of \(size) bytes whose list of fields has \(listSize)",
        expected: "a table of a flatbuffer")
    }
    fieldsOffset = list + 4
    fieldCount = listSize / 2 - 2
  }

  // MARK: Fields

  /// Where a field begins; `nil` without it.
  private func place(_ field: Int, size fieldSize: Int) throws(ModelFormatError) -> Int? {
    guard field < fieldCount else { return nil }
    let within = Int(try file.number(at: fieldsOffset + 2 * field, as: UInt16.self, path))
    if within == 0 { return nil }
    guard within >= 4, within <= size - fieldSize else {
      throw malformed("field \(field) at byte \(within) of a table of \(size) bytes")
    }
    return offset + within
  }

  /// Whether a field is given.
  func has(_ field: Int) throws(ModelFormatError) -> Bool { try place(field, size: 1) != nil }

  /// An integer.
  func number<Number: FixedWidthInteger>(
    _ field: Int, as type: Number.Type, default value: Number
  ) throws(ModelFormatError) -> Number {
    guard let place = try place(field, size: MemoryLayout<Number>.size) else { return value }
    return try file.number(at: place, as: type, path)
  }

  /// A 32-bit integer.
  func integer(_ field: Int, default value: Int = 0) throws(ModelFormatError) -> Int {
    Int(try number(field, as: Int32.self, default: Int32(value)))
  }

  /// An integer of one byte without sign, such as the number of a type.
  func byte(_ field: Int) throws(ModelFormatError) -> Int {
    Int(try number(field, as: UInt8.self, default: 0))
  }

  /// A number of 32 bits.
  func float(_ field: Int, default value: Float = 0) throws(ModelFormatError) -> Float {
    Float(bitPattern: try number(field, as: UInt32.self, default: value.bitPattern))
  }

  /// A table.
  func table(_ field: Int, _ name: String) throws(ModelFormatError) -> FlatTable? {
    guard let target = try target(field) else { return nil }
    return try FlatTable(file, at: target, path: "\(path).\(name)")
  }

  /// A text.
  func text(_ field: Int) throws(ModelFormatError) -> String {
    guard let range = try vector(field, elementSize: 1) else { return "" }
    try file.spend(range.count, path)
    return String(decoding: file.bytes[range], as: UTF8.self)
  }

  /// The place of a list of bytes, which are not copied.
  func bytes(_ field: Int) throws(ModelFormatError) -> Range<Int>? {
    try vector(field, elementSize: 1)
  }

  /// A list of integers; empty without the field.
  func numbers<Number: FixedWidthInteger>(
    _ field: Int, as type: Number.Type
  ) throws(ModelFormatError) -> [Int] {
    let size = MemoryLayout<Number>.size
    guard let range = try vector(field, elementSize: size) else { return [] }
    try file.spend(range.count, path)
    return file.bytes.withUnsafeBytes { bytes in
      stride(from: range.lowerBound, to: range.upperBound, by: size).map {
        Int(
          clamping: Number(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Number.self)))
      }
    }
  }

  /// A list of 32-bit integers.
  func integers(_ field: Int) throws(ModelFormatError) -> [Int] {
    try numbers(field, as: Int32.self)
  }

  /// A list of numbers of 32 bits.
  func floats(_ field: Int) throws(ModelFormatError) -> [Float] {
    try numbers(field, as: UInt32.self).map { Float(bitPattern: UInt32($0)) }
  }

  /// A list of tables.
  func tables(
    _ field: Int, _ name: String, most: Int
  ) throws(ModelFormatError) -> FlatTables {
    let range = try vector(field, elementSize: 4) ?? 0..<0
    guard range.count / 4 <= most else {
      throw ModelFormatError(
        .limitExceeded, byteOffset: range.lowerBound, fieldPath: "\(path).\(name)",
        found: "\(range.count / 4) entries", expected: "at most \(most)")
    }
    return FlatTables(file: file, range: range, path: "\(path).\(name)")
  }

  /// Where the elements of a list lie; `nil` without the field.
  private func vector(
    _ field: Int, elementSize: Int
  ) throws(ModelFormatError) -> Range<Int>? {
    guard let target = try target(field) else { return nil }
    let count = Int(try file.number(at: target, as: UInt32.self, path))
    let (size, overflow) = count.multipliedReportingOverflow(by: elementSize)
    try file.check(target + 4, count: overflow ? .max : size, path)
    return target + 4..<target + 4 + size
  }

  /// Where an offset leads.
  private func target(_ field: Int) throws(ModelFormatError) -> Int? {
    guard let place = try place(field, size: 4) else { return nil }
    return try file.target(at: place, path)
  }

  func malformed(_ found: String) -> ModelFormatError {
    ModelFormatError(
      .malformedEncoding, byteOffset: offset, fieldPath: path, found: found,
      expected: "a table of a flatbuffer")
  }
}

extension FlatBuffer {
  /// Where the offset at a place leads: forward, to a whole multiple of 4 bytes as all lists and
  /// tables lie.
  fileprivate func target(at place: Int, _ path: String) throws(ModelFormatError) -> Int {
    let distance = Int(try number(at: place, as: UInt32.self, path))
    guard distance >= 4, (place + distance) % 4 == 0 else {
      throw ModelFormatError(
        .malformedEncoding, byteOffset: place, fieldPath: path,
        found: "an offset of \(distance) bytes at byte \(place)",
        expected: "an offset to a multiple of 4")
    }
    return place + distance
  }
}

/// A list of tables.
struct FlatTables {
  fileprivate let file: FlatBuffer
  fileprivate let range: Range<Int>
  fileprivate let path: String

  /// The number of tables.
  var count: Int { range.count / 4 }

  /// A table.
  ///
  /// - Precondition: The index is one of the list.
  func table(_ index: Int) throws(ModelFormatError) -> FlatTable {
    let place = range.lowerBound + 4 * index
    return try FlatTable(file, at: file.target(at: place, path), path: "\(path)[\(index)]")
  }
}
