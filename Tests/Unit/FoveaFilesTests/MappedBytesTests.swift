// Fovea - tests: mapped files, and files that are replaced as a whole.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaFiles
import Testing

@Suite struct MappedBytesTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/fovea-\(UUID())"
  private var path: String { folder + "/file" }

  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body()
  }

  private func replace(_ bytes: [UInt8], commits: Bool = true) throws {
    let file = try FileReplacement(path)
    try bytes.withUnsafeBytes { try file.write($0) }
    if commits { try file.commit() }
  }

  @Test func onlyFilesThatBeginRightAreMapped() throws {
    try inFolder {
      try FileBytes.write([1, 2, 3, 4], to: path)
      let mapped = try MappedBytes.map(path, beginningWith: [1, 2], maximumCount: 4)
      #expect(mapped?.withBytes { Array($0) } == [1, 2, 3, 4])
      #expect(try MappedBytes.map(path, beginningWith: [2], maximumCount: 4) == nil)
      #expect(throws: FileError.self) {
        try MappedBytes.map(path, beginningWith: [1], maximumCount: 3)
      }
      try FileBytes.write([], to: path)
      #expect(try MappedBytes.map(path, beginningWith: [1], maximumCount: 4) == nil)
    }
    #expect(try MappedBytes.map("/dev/zero", beginningWith: [0], maximumCount: 4) == nil)
    #expect(throws: FileError.self) {
      try MappedBytes.map("/tmp", beginningWith: [1], maximumCount: 4)
    }
    #expect(throws: FileError.self) {
      try MappedBytes.map("/no/such/file", beginningWith: [1], maximumCount: 4)
    }
  }

  @Test func contentIsMappedOrRead() throws {
    func content(_ path: String, _ magic: [UInt8], most: Int) throws -> (isMapped: Bool, [UInt8]) {
      switch try FileContent(path, mappedIfBeginningWith: magic, maximumReadCount: most) {
      case .mapped(let bytes): (true, bytes.withBytes { Array($0) })
      case .read(let bytes): (false, bytes)
      }
    }
    try inFolder {
      try FileBytes.write([1, 2, 3, 4], to: path)
      // Only what is read has a limit.
      #expect(try content(path, [1, 2], most: 3) == (true, [1, 2, 3, 4]))
      #expect(try content(path, [2], most: 4) == (false, [1, 2, 3, 4]))
      #expect(throws: FileError.self) { try content(path, [2], most: 3) }
      try FileBytes.write([], to: path)
      #expect(try content(path, [1], most: 4) == (false, []))
    }
    #expect(throws: FileError.self) { try content("/tmp", [1], most: 4) }
    #expect(throws: FileError.self) { try content("/no/such/file", [1], most: 4) }
  }

  @Test func copiesKeepTheirBytes() throws {
    for count in [0, 1, 4096, 10_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(try MappedBytes(copying: bytes).withBytes { Array($0) } == bytes)
    }
  }

  @Test func aReplacedFileIsTheOldOneOrTheNewOne() throws {
    try inFolder {
      try replace([1, 2, 3])
      #expect(try FileBytes.read(path, maximumCount: 10) == [1, 2, 3])
      let mapped = try #require(
        try MappedBytes.map(path, beginningWith: [1], maximumCount: 10))
      try replace([9, 9], commits: false)
      #expect(try FileBytes.read(path, maximumCount: 10) == [1, 2, 3])
      try replace([4, 5, 6, 7])
      #expect(try FileBytes.read(path, maximumCount: 10) == [4, 5, 6, 7])
      #expect(mapped.withBytes { Array($0) } == [1, 2, 3])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }
  }

  @Test func linksStayAndLeadToTheNewFile() throws {
    try inFolder {
      try replace([1])
      let link = folder + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      let file = try FileReplacement(link)
      try [UInt8]([2, 3]).withUnsafeBytes { try file.write($0) }
      try file.commit()
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
      #expect(try FileBytes.read(path, maximumCount: 10) == [2, 3])
    }
  }

  @Test(arguments: ["/no/such/folder/file", "/tmp", "/dev/full", "/tmp/a\u{0}b"])
  func whatCannotBeReplacedIsSaid(_ path: String) {
    #expect(throws: FileError.self) {
      let file = try FileReplacement(path)
      try [UInt8]([1]).withUnsafeBytes { try file.write($0) }
      try file.commit()
    }
  }
}
