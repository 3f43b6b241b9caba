// Fovea - tests of lines, and of files that grow.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaFiles
import Testing

@Suite struct LineReaderTests {
  private let path = FileManager.default.temporaryDirectory.path + "/fovea-\(UUID())"

  @Test func linesOfAllLengthsComeBack() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let lines = [0, 1, 65_535, 0, 65_536, 200_000, 3].map { count in
      (0..<count).map { UInt8(97 + $0 % 26) }
    }
    for isEnded in [true, false] {
      var bytes = Array(lines.joined(separator: [10]))
      if isEnded { bytes.append(10) }
      try FileBytes.write(bytes, to: path)
      let reader = try LineReader(path)
      #expect(reader.size == bytes.count)
      for (number, line) in lines.enumerated() {
        #expect(try reader.next().map { Array($0) } == line)
        #expect(reader.lineCount == number + 1)
      }
      #expect(try reader.next() == nil)
      #expect(reader.offset == bytes.count)
    }
  }

  @Test func endlessLinesAreRefused() throws {
    let reader = try LineReader("/dev/zero")
    do {
      _ = try reader.next(maximumCount: 1 << 20)
      Issue.record("a line of /dev/zero")
    } catch {
      #expect("\(error)" == "has more than 1048576 bytes")
    }
  }

  @Test func filesGrowAtTheirEndByOneWriter() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      let file = try AppendedFile(path)
      try file.append([1, 2, 3])
      #expect(throws: FileError.self) { try AppendedFile(path) }
      try file.cut(to: 2)
      try file.append([4])
    }
    try AppendedFile(path).append([5])
    #expect(try FileBytes.read(path, maximumCount: 100) == [1, 2, 4, 5])
  }

  #if os(Linux)
    @Test func forkedChildrenKeepNoFileFromTheNextWriter() throws {
      defer { try? FileManager.default.removeItem(atPath: path) }
      var file: AppendedFile? = try AppendedFile(path)
      try file?.append([1])
      // What a child has of its parent's file between `fork` and `exec`.
      let inherited = try #require(Self.duplicate(ofFileAt: path))
      defer { close(inherited) }
      file = nil
      try AppendedFile(path).append([2])
      #expect(try FileBytes.read(path, maximumCount: 100) == [1, 2])
    }

    /// A second descriptor of a file that this process has open.
    private static func duplicate(ofFileAt path: String) -> Int32? {
      let name = URL(fileURLWithPath: path).lastPathComponent
      return (0..<4096).first { descriptor in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(descriptor)")
        return target?.hasSuffix(name) == true
      }.map { dup($0) }
    }
  #endif
}
