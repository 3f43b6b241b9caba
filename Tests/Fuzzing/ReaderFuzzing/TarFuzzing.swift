// Fovea - fuzzing: tar archives.
// SPDX-License-Identifier: Apache-2.0
import FoveaFiles
import FoveaTestSupport

enum TarFuzzing {
  /// Members lie inside the archive, one behind the other; or the archive is refused with words.
  static func read(_ bytes: [UInt8]) {
    var reader = TarReader(BytesInMemory(bytes))
    var end = 0
    do throws(TarError) {
      while let member = try reader.next() {
        promise(member.offset >= end + 512, "a member begins inside the one before")
        promise(member.count >= 0, "\(member.count) bytes")
        end = member.offset + member.count
        promise(end <= bytes.count, "a member ends behind the archive")
        promise(member.name.utf8.count <= 3 << 20, "a name of \(member.name.utf8.count) bytes")
        promise(reader.offset >= end, "the next header lies inside the member")
      }
    } catch {
      promise(!error.reason.isEmpty, "an error without words")
      promise((0...bytes.count).contains(error.offset), "an error at byte \(error.offset)")
    }
  }
}
