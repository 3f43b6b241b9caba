// Fovea - fuzzing: archives behind models.
// SPDX-License-Identifier: Apache-2.0
import FoveaDeflate
import FoveaLowering
import FoveaModelFormat
import FoveaTestSupport

enum ArchiveFuzzing {
  /// The first byte chooses what is read.
  static func read(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = bytes.dropFirst()
    switch first % 3 {
    case 0: expand(rest)
    case 1: list(Array(rest))
    default: name(String(decoding: rest, as: UTF8.self))
    }
  }

  /// What is deflated has the size that was asked for, or is refused.
  private static func expand(_ bytes: ArraySlice<UInt8>) {
    let count = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    if let expanded = try? Inflater.expand(bytes.dropFirst(2), count: count) {
      promise(expanded.count == count, "\(expanded.count) bytes, not \(count)")
    }
  }

  /// Entries are as large in all as they may be.
  private static func list(_ bytes: [UInt8]) {
    let files = ZipEntries(endOf: bytes).files
    promise(files.count <= 64, "\(files.count) files")
    let sum = files.values.reduce(0) { $0 + $1.count }
    promise(sum <= 1 << 24, "\(sum) bytes")
  }

  /// Names that were found are written and read again as the same ones.
  private static func name(_ text: String) {
    let entries = WrittenDictionary(text).entries
    guard let names = ClassNames.inMetadata(entries), entries["classes"] == nil,
      entries["names"]?.first == "{"
    else { return }
    let again = ClassNames.inMetadata(["names": ClassNames.text(names)])
    promise(again == names, "\(names) becomes \(again ?? [])")
  }

  static let seeds: [[UInt8]] =
    [DeflatedText.dynamic, DeflatedText.fixed, DeflatedText.stored].map {
      [0, UInt8(DeflatedText.bytes.count >> 8), UInt8(DeflatedText.bytes.count & 255)] + $0
    } + [
      [1] + SmallArchive([.stored("a.txt", "b"), .deflated("metadata.json")]).bytes,
      [2] + DeflatedText.bytes, [2] + Array(#"{'names': {0: 'a "b"', 1: "\u00e9'"}}"#.utf8),
    ]
}
