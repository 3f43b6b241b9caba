// Fovea - the files in a tar archive.
// SPDX-License-Identifier: Apache-2.0
//
// Why not a library: libarchive reads archives from front to back. Here several threads read their
// files at the same time, and a run that goes on passes over files without reading them. The format
// is a chain of headers of 512 bytes.

/// Why an archive cannot be read, and where.
package struct TarError: Error, Equatable, CustomStringConvertible {
  /// The byte of the archive.
  package var offset: Int
  /// The cause and the remedy.
  package var reason: String

  /// The place, the cause and the remedy.
  package var description: String { "at byte \(offset): \(reason)" }
}

/// The files in a tar archive, in their order: POSIX (ustar, pax), GNU and old archives.
///
/// Memory is bounded, whatever the archive says: a header, and names of at most 64 KiB.
package struct TarReader<Bytes: RandomAccessBytes> {
  private let bytes: Bytes
  /// Where the next header is.
  package private(set) var offset = 0

  /// A regular file of the archive.
  package struct Member: Equatable {
    /// Its name as the archive has it; bytes that are no UTF-8 are replaced.
    package var name: String
    /// Its first byte in the archive.
    package var offset: Int
    /// Its number of bytes.
    package var count: Int
    /// Whether holes were left out, so that the bytes are not the file's.
    package var isSparse: Bool
  }

  /// An archive that begins with the first of `bytes`.
  package init(_ bytes: Bytes) { self.bytes = bytes }

  /// What extended headers say about the member that follows.
  private struct Extension {
    var name: [UInt8]?
    var count: Int?
    var isSparse = false
  }

  /// The next regular file, or `nil` at the end. Folders, links and devices are passed over.
  ///
  /// - Throws: `TarError`, after which there is no next.
  package mutating func next() throws(TarError) -> Member? {
    var said = Extension()
    while let header = try header() {
      let start = offset + TarHeader.byteCount
      switch header.kind {
      case .longName: said.name = try content(of: header).prefix { $0 != 0 }.map(\.self)
      case .extended: try read(try content(of: header), at: start, into: &said)
      case .file, .sparseFile:
        let first = header.kind == .sparseFile ? try endOfSparseMap(header) : start
        let count = said.count ?? header.count
        try pass(count, from: first)
        return Member(
          name: String(decoding: said.name ?? header.name, as: UTF8.self), offset: first,
          count: count, isSparse: said.isSparse || header.kind == .sparseFile)
      case .withoutContent:
        offset = start
        said = Extension()
      case .other:
        try pass(said.count ?? header.count, from: start)
        if !header.precedesMember { said = Extension() }
      }
    }
    return nil
  }

  // MARK: Headers

  /// The header at the current place; `nil` at the end of the archive.
  private func header() throws(TarError) -> TarHeader? {
    guard offset < bytes.count else { return nil }
    let block = try read(at: offset, count: TarHeader.byteCount)
    guard block.count == TarHeader.byteCount else {
      if offset == 0 { throw TarHeader.notAnArchive(block) }
      throw error("the archive ends in a header; copy or download it again")
    }
    guard block.contains(where: { $0 != 0 }) else { return nil }
    return try TarHeader(block, at: offset)
  }

  /// The bytes of an extended header.
  private mutating func content(of header: TarHeader) throws(TarError) -> [UInt8] {
    let start = offset + TarHeader.byteCount
    guard header.count <= TarHeader.longestExtension else {
      throw error(
        "an extended header has \(header.count) bytes, more than \(TarHeader.longestExtension); "
          + "make the archive without extended attributes")
    }
    try pass(header.count, from: start)
    return try read(at: start, count: header.count)
  }

  private mutating func read(
    _ records: [UInt8], at start: Int, into said: inout Extension
  ) throws(TarError) {
    var parser = PaxRecords(records[...])
    while let (key, value) = try parser.next(at: start) {
      switch key {
      case "path": said.name = Array(value)
      case "size":
        guard let count = TarHeader.decimal(value) else {
          throw TarError(
            offset: start, reason: "the size of a member is no number; \(TarHeader.remedy)")
        }
        said.count = count
      case "GNU.sparse.name":
        said.name = Array(value)
        said.isSparse = true
      default: if key.hasPrefix("GNU.sparse.") { said.isSparse = true }
      }
    }
  }

  /// Where the bytes of a sparse file of the old GNU form begin: blocks of its map come first.
  private func endOfSparseMap(_ header: TarHeader) throws(TarError) -> Int {
    var end = offset + TarHeader.byteCount
    var isLast = !header.continuesSparseMap
    while !isLast {
      let block = try read(at: end, count: TarHeader.byteCount)
      guard block.count == TarHeader.byteCount else {
        throw error("the archive ends in the map of a sparse file; copy or download it again")
      }
      end += TarHeader.byteCount
      isLast = block[TarHeader.sparseMapContinues] == 0
    }
    return end
  }

  // MARK: Bytes

  /// Goes to the header behind `count` bytes that begin at `first`, which must be there.
  private mutating func pass(_ count: Int, from first: Int) throws(TarError) {
    guard first <= bytes.count, count <= bytes.count - first else {
      throw error("the archive ends before the member is complete; copy or download it again")
    }
    let rest = count % TarHeader.byteCount
    // The filling behind the last member may be missing.
    offset = first + count + (rest == 0 ? 0 : TarHeader.byteCount - rest)
  }

  private func read(at place: Int, count: Int) throws(TarError) -> [UInt8] {
    do throws(FileError) {
      return try bytes.read(at: place, count: count)
    } catch {
      throw TarError(offset: place, reason: "\(error)")
    }
  }

  private func error(_ reason: String) -> TarError { TarError(offset: offset, reason: reason) }
}
