// Fovea - tests of lines.
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
}
