// Fovea - the paths of a large job, from the command line or a list.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFiles

/// The paths of a large job: arguments, or the lines of a file or of standard input.
struct BatchPaths {
  /// No path is longer.
  private static let longestPath = 1 << 16

  private var source: Source
  /// Where the last path stands; `nil` in a pipe, whose length nobody knows.
  private(set) var position: Position?

  private enum Source {
    case arguments([String], next: Int)
    case list(LineReader, name: String)
  }

  /// The part of a job that a path is.
  struct Position {
    var start: Double
    var end: Double

    /// The part of the job that is done when `part` of the path is, 0...1.
    func fraction(_ part: Double) -> Double { start + (end - start) * part }
  }

  /// The arguments of a command.
  init(_ arguments: [String]) { source = .arguments(arguments, next: 0) }

  /// The lines of a text file, or of standard input for "-". Empty lines, and those that begin with #,
  /// are passed over.
  ///
  /// - Throws: `CommandFailure`.
  init(list: String) throws(CommandFailure) {
    do {
      source = .list(
        list == "-" ? try .standardInput() : try LineReader(list),
        name: list == "-" ? "standard input" : list)
    } catch {
      throw CommandFailure("\(list): \(error); --list takes a text file with one path a line")
    }
  }

  /// The next path, or `nil` at the end.
  ///
  /// - Throws: `CommandFailure`.
  mutating func next() throws(CommandFailure) -> String? {
    switch source {
    case .arguments(let arguments, let next):
      guard next < arguments.count else { return nil }
      source = .arguments(arguments, next: next + 1)
      let count = Double(arguments.count)
      position = Position(start: Double(next) / count, end: Double(next + 1) / count)
      return arguments[next]
    case .list(let lines, let name):
      return try nextLine(of: lines, name)
    }
  }

  private mutating func nextLine(
    of lines: LineReader, _ name: String
  ) throws(CommandFailure) -> String? {
    while true {
      let start = lines.offset
      do {
        guard let line = try lines.next(maximumCount: Self.longestPath) else { return nil }
        let path = Self.trimmed(line)
        guard let first = path.first, first != UInt8(ascii: "#") else { continue }
        position = lines.size.map { size in
          // A list that grows meanwhile is never more than done.
          let whole = Double(max(size, lines.offset))
          return Position(start: Double(start) / whole, end: Double(lines.offset) / whole)
        }
        return String(decoding: path, as: UTF8.self)
      } catch {
        throw CommandFailure(
          "\(name), line \(lines.lineCount + 1): \(error); --list takes a text file with one path "
            + "a line")
      }
    }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
    var line = line.drop(while: isSpace)
    while let last = line.last, isSpace(last) { line.removeLast() }
    return line
  }
}
