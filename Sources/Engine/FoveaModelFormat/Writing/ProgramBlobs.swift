// Fovea - files of constants of programs, written anew.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// The files of constants that a written program refers to. `BlobFiles` describes their layout.
///
/// Constants stand in the order in which they are asked for. Equal ones are stored once.
package struct ProgramBlobs {
  private var old: BlobFiles
  private var storages: [String: BlobStorage] = [:]
  /// Where old constants have gone to.
  private var moved: [Place: Place] = [:]

  /// Where a record stands.
  package struct Place: Hashable {
    /// The file's path beside the model file.
    package var file: String
    package var offset: Int
  }

  /// Arrays of fewer elements stand in the model file, as coremltools does it.
  package static let leastCount = 10

  /// Begins with the folder of the old files.
  package init(_ folder: any ModelFolder) { old = BlobFiles(folder) }

  /// The files by their paths beside the model file.
  package var files: [String: [UInt8]] { storages.mapValues(\.bytes) }

  /// The bytes that an array of `count` bytes takes in a file or in the model file.
  package static func byteCount(_ count: Int, elements: Int) -> Int {
    elements < leastCount ? count : BlobFiles.headerSize + (count + 63) / 64 * 64
  }

  /// Copies the constant at an old place.
  ///
  /// - Parameter name: The old file as the program names it.
  /// - Returns: Where it is now, as a program names it.
  package mutating func copy(
    _ name: String, at offset: UInt64
  ) throws(ModelFormatError) -> Place {
    let place = Place(file: name, offset: Int(clamping: offset))
    if let known = moved[place] { return known }
    let blob = try old.blob(of: name, at: offset)
    let written = add(
      blob.bytes.array, type: blob.type, paddingBits: blob.paddingBits, to: Self.path(name))
    moved[place] = written
    return written
  }

  /// Stores elements of a type in the file that a program calls `name`.
  package mutating func add(
    _ bytes: [UInt8], _ element: ElementType, count: Int, to name: String
  ) -> Place {
    let padding = element.bits < 8 ? UInt64(8 * bytes.count - element.bits * count) : 0
    return add(
      bytes, type: element.blobNumber ?? 0, paddingBits: padding, to: Self.path(name))
  }

  private mutating func add(
    _ bytes: [UInt8], type: UInt32, paddingBits: UInt64, to file: String
  ) -> Place {
    let offset = storages[file, default: BlobStorage()].add(
      bytes, type: type, paddingBits: paddingBits)
    return Place(file: BlobFiles.prefix + file, offset: offset)
  }

  /// The path of a written file: all lie in the folder that the manifest names.
  private static func path(_ name: String) -> String {
    let path = name.hasPrefix(BlobFiles.prefix) ? name.dropFirst(BlobFiles.prefix.count) : name[...]
    if path.hasPrefix("weights/") { return String(path) }
    return "weights/" + path.split(separator: "/").joined(separator: "-")
  }
}

/// One file of constants in storage version 2.
private struct BlobStorage {
  private(set) var bytes: [UInt8]
  private var count: UInt32 = 0
  /// The records of constants by a hash of their elements.
  private var known: [Int: [Record]] = [:]

  private struct Record {
    var offset: Int
    var type: UInt32
    var paddingBits: UInt64
    var size: Int
  }

  init() {
    bytes = [UInt8](repeating: 0, count: BlobFiles.headerSize)
    put(UInt32(2), at: 4)
  }

  /// The place of a record with these elements.
  mutating func add(_ content: [UInt8], type: UInt32, paddingBits: UInt64) -> Int {
    var hasher = Hasher()
    hasher.combine(type)
    content.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    for record in known[hash, default: []]
    where record.type == type && record.paddingBits == paddingBits && record.size == content.count {
      let start = record.offset + BlobFiles.headerSize
      if bytes[start..<start + record.size].elementsEqual(content) { return record.offset }
    }
    bytes += [UInt8](repeating: 0, count: (64 - bytes.count % 64) % 64)
    let offset = bytes.count
    bytes += [UInt8](repeating: 0, count: BlobFiles.headerSize)
    put(BlobFiles.sentinel, at: offset)
    put(type, at: offset + 4)
    put(UInt64(content.count), at: offset + 8)
    put(UInt64(offset + BlobFiles.headerSize), at: offset + 16)
    put(paddingBits, at: offset + 24)
    bytes += content
    count += 1
    put(count, at: 0)
    known[hash, default: []].append(
      Record(offset: offset, type: type, paddingBits: paddingBits, size: content.count))
    return offset
  }

  private mutating func put(_ value: some FixedWidthInteger & UnsignedInteger, at offset: Int) {
    for index in 0..<value.bitWidth / 8 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }
}
