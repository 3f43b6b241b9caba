// Fovea - tests of files that grow.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaFiles
import Testing

@Suite struct AppendedFileTests {
  private let path = FileManager.default.temporaryDirectory.path + "/fovea-\(UUID())"

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
