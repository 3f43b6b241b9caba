// Fovea - the images that a stopped job has finished.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaFiles

/// The images that a stopped job has finished.
///
/// Rows stand in the order of the list. As long as the list names what the rows name, row by row,
/// nothing is kept in memory. For a list that has changed, 16 bytes for each row are.
struct FinishedRows {
  private let path: String
  /// The number of bytes of whole lines that were there.
  private let count: Int
  private var lines: LineReader?
  private var digests: Set<Digest>?

  /// The rows in the first `count` bytes of a file.
  ///
  /// - Throws: `CommandFailure`.
  init(path: String, count: Int) throws(CommandFailure) {
    (self.path, self.count) = (path, count)
    lines = count > 0 ? try Self.open(path) : nil
  }

  /// Whether there is a row for the image that comes next.
  ///
  /// - Throws: `CommandFailure` for a file that has something else in it.
  mutating func contains(_ image: String) throws(CommandFailure) -> Bool {
    if let digests { return digests.contains(Digest(image)) }
    guard let lines else { return false }
    guard let next = try Self.next(of: lines, upTo: count, path) else {
      self.lines = nil
      return false
    }
    if next.utf8.elementsEqual(image.utf8) { return true }
    let all = try readAll()
    (digests, self.lines) = (all, nil)
    return all.contains(Digest(image))
  }

  private func readAll() throws(CommandFailure) -> Set<Digest> {
    let lines = try Self.open(path)
    var digests = Set<Digest>()
    while let image = try Self.next(of: lines, upTo: count, path) {
      digests.insert(Digest(image))
    }
    return digests
  }

  private static func open(_ path: String) throws(CommandFailure) -> LineReader {
    do throws(FileError) {
      return try LineReader(path)
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }

  /// The image of the next row.
  private static func next(
    of lines: LineReader, upTo count: Int, _ path: String
  ) throws(CommandFailure) -> String? {
    guard lines.offset < count else { return nil }
    let line: ArraySlice<UInt8>?
    do throws(FileError) {
      line = try lines.next()
    } catch {
      throw CommandFailure("\(path), line \(lines.lineCount + 1): \(error)")
    }
    guard let line else { return nil }
    guard let image = DetectionRow.path(in: line) else {
      throw foreign(path, line: lines.lineCount)
    }
    return image
  }

  /// The failure for a file that has something else in it.
  static func foreign(_ path: String, line: Int?) -> CommandFailure {
    CommandFailure(
      "\(path): \(line.map { "line \($0)" } ?? "its last line") is no row of 'fovea detect --jsonl', "
        + "so nothing was written; name another file")
  }

  /// 128 bits that stand for a path: two paths of a billion have the same with a probability of
  /// 10^-21.
  private struct Digest: Hashable {
    private let halves: (UInt64, UInt64)

    init(_ path: String) { halves = (Self.half(0, path), Self.half(1, path)) }

    private static func half(_ number: UInt8, _ path: String) -> UInt64 {
      var hasher = Hasher()
      hasher.combine(number)
      // Not the string, for which different spellings of one letter are equal.
      for byte in path.utf8 { hasher.combine(byte) }
      return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    static func == (a: Digest, b: Digest) -> Bool { a.halves == b.halves }

    func hash(into hasher: inout Hasher) { hasher.combine(halves.0) }
  }
}
