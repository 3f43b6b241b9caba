// Fovea - the images of a large job, one after the other.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaModelCommands

/// An image of a large job.
struct BatchImage {
  /// Its path; inside an archive the archive's path, "/", and the name there.
  var path: String
  var source: Source
  /// The part of the job that is behind it, 0...1; `nil` where nobody knows.
  var fractionDone: Double?

  enum Source {
    case file
    case member(RandomAccessFile, TarReader<RandomAccessFile>.Member)
    /// An archive that ends here, with the reason.
    case failure(String)
  }

  /// The image's file, read.
  func file() throws -> ImageFile {
    switch source {
    case .file: return try ImageFile(toDetectIn: path)
    case .failure(let reason): throw CommandFailure("\(path): \(reason)")
    case .member(let archive, let member):
      guard !member.isSparse else {
        throw CommandFailure("\(path): is stored with holes; make the archive without --sparse")
      }
      let limit = ImageLimits.standard.maximumFileBytes
      guard member.count <= limit else {
        throw CommandFailure("\(path): has more than \(limit) bytes; make it smaller")
      }
      let bytes = try archive.read(at: member.offset, count: member.count)
      return try ImageFile(bytes: bytes, named: path)
    }
  }
}

/// The images of a large job in their order: files, and the images in tar archives. Nothing is kept of
/// those that have been handed out.
struct BatchImages {
  private var paths: BatchPaths
  private var archive: OpenArchive?

  /// An archive and where it stands in the job.
  private struct OpenArchive {
    let path: String
    let file: RandomAccessFile
    var reader: TarReader<RandomAccessFile>
    let position: BatchPaths.Position?

    var fractionDone: Double? {
      position?.fraction(Double(reader.offset) / Double(max(file.count, 1)))
    }
  }

  init(_ paths: BatchPaths) { self.paths = paths }

  /// The next image, or `nil` at the end.
  ///
  /// - Throws: `CommandFailure` for a list that cannot be read.
  mutating func next() throws(CommandFailure) -> BatchImage? {
    while true {
      if let image = nextMember() { return image }
      guard let path = try paths.next() else { return nil }
      guard path.lowercased().hasSuffix(".tar") else {
        return BatchImage(path: path, source: .file, fractionDone: paths.position?.fraction(1))
      }
      do {
        let file = try RandomAccessFile(path)
        archive = OpenArchive(
          path: path, file: file, reader: TarReader(file), position: paths.position)
      } catch {
        return BatchImage(
          path: path, source: .failure("\(error)"), fractionDone: paths.position?.fraction(1))
      }
    }
  }

  /// The next image of the archive that is open. A damaged archive ends with its failure.
  private mutating func nextMember() -> BatchImage? {
    do {
      while let member = try archive?.reader.next() {
        guard let archive, ImageList.isImage(member.name) else { continue }
        return BatchImage(
          path: "\(archive.path)/\(Self.plain(member.name))", source: .member(archive.file, member),
          fractionDone: archive.fractionDone)
      }
      archive = nil
      return nil
    } catch {
      defer { archive = nil }
      return archive.map { archive in
        BatchImage(
          path: archive.path, source: .failure("\(error)"),
          fractionDone: archive.position?.fraction(1))
      }
    }
  }

  /// A name in an archive without the "./" that many begin with.
  private static func plain(_ name: String) -> Substring {
    var name = name[...]
    while name.hasPrefix("./") { name = name.dropFirst(2) }
    return name
  }
}
