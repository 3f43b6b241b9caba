// Fovea - tests of the quota of control groups.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import CFovea.SPI
import Foundation
import Testing

private func parse(_ text: String) -> Int {
  text.utf8CString.withUnsafeBufferPointer { fov_cpu_quota_parse($0.baseAddress!, $0.count - 1) }
}

private func parsePair(_ quota: String, _ period: String) -> Int {
  quota.withCString { quotaText in
    period.withCString { periodText in
      fov_cpu_quota_parse_pair(quotaText, quota.utf8.count, periodText, period.utf8.count)
    }
  }
}

@Suite("Processor quota: text")
struct ProcessorQuotaTextTests {
  @Test(arguments: [
    ("100000 100000\n", 1), ("150000 100000\n", 2), ("200000 100000", 2), ("200001 100000\n", 3),
    ("1 100000\n", 1), ("50000 100000\n", 1), ("6400000 100000\n", 64), ("7 2\nmore", 4),
  ])
  func quotaIsRoundedUp(text: String, cores: Int) {
    #expect(parse(text) == cores)
  }

  @Test(arguments: [
    "max 100000\n", "", "\n", " ", "max", "100000", "100000\n", "100000 ", " 100000",
    "100000 0\n", "0 100000\n", "-1 100000\n", "1.5 1\n", "+2 1\n", "2 1 1\n", "2\t1\n", "0x4 1\n",
    "99999999999999999999999 1\n", "18446744073709551616 1", "2 1\r\n", "2\u{0} 1", "é 1",
  ])
  func anythingElseIsNoLimit(text: String) {
    #expect(parse(text) == 0)
  }

  @Test func largestNumbers() {
    #expect(parse("18446744073709551615 18446744073709551615") == 1)
    #expect(parse("18446744073709551615 9223372036854775808") == 2)
  }

  @Test func pairOfVersionOne() {
    #expect(parsePair("150000\n", "100000\n") == 2)
    #expect(parsePair("-1\n", "100000\n") == 0)
    #expect(parsePair("150000\n", "") == 0)
    #expect(parsePair("", "100000\n") == 0)
  }

  /// No byte beyond the length is looked at.
  @Test func textNeedNotEndInNul() {
    let bytes: [CChar] = "25 10999".utf8.map { CChar($0) }
    #expect(bytes.withUnsafeBufferPointer { fov_cpu_quota_parse($0.baseAddress!, 5) } == 3)
  }
}

@Suite("Processor quota: groups")
struct ProcessorQuotaGroupTests {
  /// Writes files into a folder that stands for /sys/fs/cgroup and asks for the limit.
  private func limit(groups: String, files: [String: String]) throws -> Int {
    let mount = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: mount) }
    for (path, text) in files {
      let url = mount.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return groups.withCString { fov_cpu_quota_read($0, groups.utf8.count, mount.path) }
  }

  @Test func ownGroupOfVersionTwo() throws {
    #expect(try limit(groups: "0::/a/b\n", files: ["a/b/cpu.max": "250000 100000\n"]) == 3)
    #expect(try limit(groups: "0::/\n", files: ["cpu.max": "250000 100000\n"]) == 3)
  }

  @Test func leastOfTheParentsCounts() throws {
    let files = [
      "cpu.max": "max 100000\n", "a/cpu.max": "200000 100000\n", "a/b/cpu.max": "max 100000\n",
      "a/b/c/cpu.max": "400000 100000\n",
    ]
    #expect(try limit(groups: "0::/a/b/c\n", files: files) == 2)
    #expect(try limit(groups: "0::/a/b\n", files: files) == 2)
    #expect(try limit(groups: "0::/b\n", files: files) == 0)
  }

  /// A container may see the path of its host but only its own group, as the mount.
  @Test func pathThatIsNotMountedFallsBackToTheMount() throws {
    #expect(try limit(groups: "0::/docker/0123\n", files: ["cpu.max": "100000 100000\n"]) == 1)
  }

  @Test func versionOneStandsInTheFolderOfItsController() throws {
    let files = [
      "cpu/a/cpu.cfs_quota_us": "300000\n", "cpu/a/cpu.cfs_period_us": "100000\n",
      "cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n",
    ]
    let groups = "12:memory:/a\n4:cpu,cpuacct:/a/b\n1:name=systemd:/a\n0::/a\n"
    #expect(try limit(groups: groups, files: files) == 3)
    #expect(try limit(groups: "4:cpuacct,cpu:/a\n", files: files) == 3)
    #expect(try limit(groups: "4:cpuset:/a\n", files: files) == 0)
  }

  /// A path may not lead out of the mount, and lines of another form are passed over.
  @Test(arguments: [
    "0::/../x\n", "0::/x/../../x", "0::x\n", "1::/x\n", "0:/x\n", "x", ":::\n", "\n\n", "0::\n",
    "0::" + String(repeating: "/", count: 3000), "0::/" + String(repeating: "x", count: 5000),
  ])
  func hostileGroups(groups: String) throws {
    #expect(try limit(groups: groups, files: ["x/cpu.max": "100000 100000\n"]) == 0)
  }

  @Test func fileThatIsTooLongIsCutAndRefused() throws {
    let text = String(repeating: "1", count: 100_000)
    #expect(try limit(groups: "0::/\n", files: ["cpu.max": text]) == 0)
  }
}
