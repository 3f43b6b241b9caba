// Fovea - the file of a large job's rows, which a stopped job goes on with.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaFiles

/// The file of a large job's rows. It grows in the order of the images, a whole line at a time, so
/// that a job that was stopped goes on where it stopped.
struct RowFile {
  let path: String
  /// `nil` for standard output.
  private let file: AppendedFile?
  /// The number of bytes of the rows that were there.
  let finishedCount: Int

  /// Opens a file or makes it, and cuts a half-written line from its end; "-" is standard output.
  ///
  /// - Throws: `CommandFailure`, also for a file that has something else in it.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    guard path != "-" else {
      (file, finishedCount) = (nil, 0)
      return
    }
    do {
      let file = try AppendedFile(path)
      self.file = file
      finishedCount = file.isRegular ? try Self.mend(file, path) : 0
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("\(path): \(error); name a file that can be written for --jsonl")
    }
  }

  /// Appends a line.
  ///
  /// - Throws: `CommandFailure`.
  func append(_ line: String) throws(CommandFailure) {
    guard let file else { return SystemInterface.writeOutput(line) }
    do throws(FileError) {
      try file.append(Array(line.utf8))
    } catch {
      throw CommandFailure("\(path): \(error); free some room and run the same command again")
    }
  }

  /// Cuts what is left of a line whose writing was stopped; returns the number of bytes that stay.
  private static func mend(_ file: AppendedFile, _ path: String) throws -> Int {
    let bytes = try RandomAccessFile(path)
    let end = try endOfLastLine(bytes)
    if end > 0, let line = try LineReader(path).next(), DetectionRow.path(in: line) == nil {
      throw FinishedRows.foreign(path, line: 1)
    }
    let torn = try bytes.read(at: end, count: 64)
    guard torn.isEmpty || DetectionRow.isTornLine(torn[...]) else {
      throw FinishedRows.foreign(path, line: nil)
    }
    if !torn.isEmpty { try file.cut(to: end) }
    return end
  }

  /// The number of bytes up to the last line's end.
  private static func endOfLastLine(_ bytes: RandomAccessFile) throws(FileError) -> Int {
    let step = 1 << 16
    var end = bytes.count
    while end > 0 {
      let start = max(0, end - step)
      let block = try bytes.read(at: start, count: end - start)
      if let newline = block.lastIndex(of: UInt8(ascii: "\n")) { return start + newline + 1 }
      end = start
    }
    return 0
  }
}
