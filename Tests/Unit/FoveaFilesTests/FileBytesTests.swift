// Fovea - whole files, written and read.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaFiles
import Testing

@Suite struct FileBytesTests {
  private let path = FileManager.default.temporaryDirectory.path + "/fovea-\(UUID())"

  private func reason(_ body: () throws(FileError) -> Void) -> String {
    do throws(FileError) {
      try body()
      return "none"
    } catch {
      switch error {
      case .missing: return "missing"
      case .isDirectory: return "directory"
      case .unreadable: return "unreadable"
      case .tooLarge(let limit): return "more than \(limit)"
      case .unwritable: return "unwritable"
      }
    }
  }

  @Test func filesOfAllLengthsComeBack() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    for count in [0, 1, 4095, 4096, 4097, 100_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try FileBytes.write(bytes, to: path)
      #expect(try FileBytes.read(path, maximumCount: count) == bytes)
      guard count > 0 else { continue }
      let found = reason { () throws(FileError) in
        _ = try FileBytes.read(path, maximumCount: count - 1)
      }
      #expect(found == "more than \(count - 1)")
    }
  }

  @Test(arguments: [
    ("/dev/zero", "more than 10000"), ("/tmp", "directory"), ("/no/such/file", "missing"),
    ("/etc/passwd/inside", "unreadable"), ("/etc\u{0}/passwd", "missing"),
  ])
  func whatCannotBeReadIsSaid(_ path: String, expected: String) {
    let found = reason { () throws(FileError) in
      _ = try FileBytes.read(path, maximumCount: 10_000)
    }
    #expect(found == expected)
  }

  @Test(arguments: ["/no/such/folder/file", "/tmp", "/dev/full", "/tmp/a\u{0}b"])
  func whatCannotBeWrittenIsSaid(_ path: String) {
    let found = reason { () throws(FileError) in try FileBytes.write([1, 2, 3], to: path) }
    #expect(found == "unwritable")
  }
}
