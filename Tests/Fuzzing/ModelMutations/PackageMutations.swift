// Fovea - changes of the files of a package beside its model: constants and the manifest.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport

/// Changed copies of a package's files.
enum PackageMutations {
  /// Files of constants in which one word of a header or a record is another, or that are cut.
  static func weights(_ bytes: [UInt8]) -> [[UInt8]] {
    let words: [UInt64] = [
      0, 1, 2, 3, 9, 17, 18, 63, 64, 128, 1 << 31, 1 << 32, 1 << 40, 1 << 63, .max, .max - 63,
    ]
    var changed: [[UInt8]] = []
    for record in stride(from: 0, to: bytes.count, by: 64) {
      guard record == 0 || Array(bytes[record..<record + 4]) == [0xEF, 0xBE, 0xAD, 0xDE] else {
        continue
      }
      let fields = record == 0 ? [(0, 4), (4, 4)] : [(0, 4), (4, 4), (8, 8), (16, 8), (24, 8)]
      for (offset, size) in fields {
        for word in words + [UInt64(bytes.count), UInt64(record)] {
          var copy = bytes
          for part in 0..<size {
            copy[record + offset + part] = UInt8(truncatingIfNeeded: word >> UInt64(8 * part))
          }
          changed.append(copy)
        }
      }
      changed.append(Array(bytes[..<record]))
      changed.append(Array(bytes[..<min(record + 63, bytes.count)]))
    }
    return changed + [[], Array(bytes.dropLast()), [UInt8](repeating: 0xFF, count: bytes.count)]
  }

  /// Manifests with one text replaced by another.
  static var manifests: [[UInt8]] {
    let whole = ProgramExamples.manifest
    let pairs = [
      ("ED03C43A-m\"\n", "22BD5A04-w\"\n"), ("model.mlmodel\"}", "\"}"), ("com.apple", ".."),
      ("com.apple.CoreML/model", "/com.apple.CoreML/model"), ("path", "name"), ("{", "["),
      ("com.apple.CoreML/model", "com.apple.CoreML\\u0000/model"), ("}", ""), ("\"", ""),
      ("com.apple.CoreML/model", "com.apple.CoreML/./model"), ("rootModelIdentifier", "root"),
      ("com.apple.CoreML/model", "com.apple.CoreML/weights/../model"), ("1.0.0", "9"),
      ("com.apple.CoreML/model.mlmodel", "com.apple.CoreML"), ("itemInfoEntries", ""),
      ("com.apple.CoreML/model.mlmodel", "com.apple.CoreML/weights/weight.bin"),
    ]
    return pairs.flatMap { old, new in
      [
        Array(replaced(whole, old, new, all: true).utf8),
        Array(replaced(whole, old, new, all: false).utf8),
      ]
    } + [[], Array("[]".utf8), Array("{}".utf8), Array(whole.utf8.dropLast(40))]
  }

  private static func replaced(_ text: String, _ old: String, _ new: String, all: Bool) -> String {
    var rest = Array(text.utf8)[...]
    let old = Array(old.utf8)
    var result: [UInt8] = []
    var isDone = false
    while !rest.isEmpty {
      if !isDone, rest.starts(with: old) {
        result += Array(new.utf8)
        rest = rest.dropFirst(old.count)
        isDone = !all
      } else {
        result.append(rest.removeFirst())
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
