// Fovea - tests of tar archives.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaFiles
import FoveaTestSupport
import Testing

@Suite struct TarReaderTests {
  /// All members with their bytes.
  private func members(_ bytes: [UInt8]) throws -> [(name: String, bytes: [UInt8])] {
    var reader = TarReader(BytesInMemory(bytes))
    var members: [(String, [UInt8])] = []
    while let member = try reader.next() {
      members.append((member.name, Array(bytes[member.offset..<member.offset + member.count])))
    }
    return members
  }

  private func failure(_ bytes: [UInt8]) -> String {
    do {
      return "\(try members(bytes).count) members"
    } catch {
      return "\(error)"
    }
  }

  @Test func allFormsAreRead() throws {
    for (bytes, expected) in TarWriter.examples {
      let found = try members(bytes)
      #expect(found.count == expected.count)
      for (name, content) in found { #expect(expected[name] == content, "\(name)") }
    }
  }

  /// What the system's tar writes is read in each of its formats.
  @Test(arguments: ["gnu", "pax", "ustar", "v7"])
  func archivesOfTheSystemAreRead(_ format: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tar-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let inner = folder.appendingPathComponent("a folder")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    var expected: [String: [UInt8]] = [:]
    for (number, count) in [0, 1, 511, 512, 513, 70_000].enumerated() {
      let long = format == "v7" ? 60 : format == "ustar" ? 85 : 120
      let name = String(repeating: "\(number)", count: long) + ".jpg"
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try Data(bytes).write(to: inner.appendingPathComponent(name))
      expected["a folder/\(name)"] = bytes
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.currentDirectoryURL = folder
    process.arguments = ["tar", "cf", "x.tar", "--format", format, "a folder"]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let file = try RandomAccessFile(folder.path + "/x.tar")
    var reader = TarReader(file)
    var found: [String: [UInt8]] = [:]
    while let member = try reader.next() {
      found[member.name] = try file.read(at: member.offset, count: member.count)
    }
    #expect(found == expected)
  }

  @Test func damageIsSaidWithItsPlace() {
    var writer = TarWriter()
    writer.add("a.jpg", [1, 2, 3])
    writer.add("b.jpg", [UInt8](repeating: 9, count: 600))
    let whole = writer.bytes
    #expect(failure(whole) == "2 members")
    #expect(failure([]) == "0 members")
    // The filling behind the last member may be missing, the member may not.
    #expect(failure(Array(whole.prefix(1024 + 512 + 600))) == "2 members")
    #expect(
      failure(Array(whole.prefix(1024 + 512 + 599))).contains("at byte 1024: the archive ends"))
    #expect(failure(Array(whole.prefix(1024 + 100))).contains("at byte 1024: the archive ends in"))
    var damaged = whole
    damaged[1024 + 3] ^= 1
    #expect(failure(damaged).contains("at byte 1024: the checksum"))
    #expect(failure(Array("hello".utf8)).contains("is no tar archive"))
    #expect(failure([UInt8](repeating: 1, count: 600)).contains("is no tar archive"))
    let compressed: [UInt8] = [0x1F, 0x8B] + [UInt8](repeating: 1, count: 600)
    #expect(failure(compressed).contains("compressed by gzip; decompress"))
  }

  @Test func claimsBeyondAllBoundsAreRefused() {
    for count in [1 << 33 - 1, 1 << 61, Int.max] {
      for form in [TarWriter.SizeForm.octal, .base256] where form == .base256 || count < 1 << 33 {
        var writer = TarWriter()
        writer.add("a.jpg", [1], size: form, statedCount: count)
        #expect(!failure(writer.bytes).contains("members"), "\(count)")
        writer = TarWriter()
        writer.add("x", [1], type: "x", size: form, statedCount: count)
        #expect(!failure(writer.bytes).contains("members"), "\(count)")
      }
    }
    for size in ["", "-1", "1e3", "99999999999999999999999"] {
      var writer = TarWriter()
      writer.addRecords([("size", size)])
      writer.add("a.jpg", [1])
      #expect(failure(writer.bytes).contains("is no number"), "\(size)")
    }
    for record in ["9 a=1\n", "0 a=1\n", "6 a=12\n", "5 ab\n", "x"] {
      var writer = TarWriter()
      writer.add("x", Array(record.utf8), type: "x")
      writer.add("a.jpg", [1])
      #expect(failure(writer.bytes).contains("a record of a header"), "\(record)")
    }
  }

  @Test func sparseFilesAreMarked() throws {
    var writer = TarWriter()
    writer.add("a.jpg", [1, 2], type: "S")
    writer.addRecords([("GNU.sparse.major", "1"), ("GNU.sparse.name", "b.jpg")])
    writer.add("GNUSparseFile.0/b.jpg", [3])
    writer.add("c.jpg", [4])
    var reader = TarReader(BytesInMemory(writer.bytes))
    #expect(try reader.next()?.isSparse == true)
    let second = try reader.next()
    #expect(second?.name == "b.jpg" && second?.isSparse == true)
    #expect(try reader.next()?.isSparse == false)
  }

  /// Archives with changed bytes end in members that lie inside, or in an error.
  @Test func changedArchivesDoNoHarm() throws {
    var random = SplitMix(seed: 31)
    for (bytes, _) in TarWriter.examples {
      for _ in 0..<400 {
        var changed = bytes
        for _ in 0...random.below(3) {
          changed[random.below(changed.count)] = UInt8(random.below(256))
        }
        // A right checksum lets the change reach what lies behind it.
        for start in stride(from: 0, to: changed.count - 511, by: 512) where random.below(2) == 0 {
          let sum =
            changed[start..<start + 512].reduce(256) { $0 + Int($1) }
            - changed[start + 148..<start + 156].reduce(0) { $0 + Int($1) }
          let digits = String(sum, radix: 8)
          let text = String(repeating: "0", count: 6 - digits.count) + digits + "\u{0} "
          changed.replaceSubrange(start + 148..<start + 156, with: text.utf8)
        }
        changed.removeLast(random.below(4) == 0 ? random.below(changed.count) : 0)
        var reader = TarReader(BytesInMemory(changed))
        do throws(TarError) {
          while let member = try reader.next() {
            #expect(member.offset + member.count <= changed.count)
          }
        } catch {
          #expect(!error.reason.isEmpty)
        }
      }
    }
  }
}
