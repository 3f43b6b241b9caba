// Fovea - whole text files.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Whole text files.
enum TextFile {
  /// The text of a file, or `nil` when it cannot be read or is no UTF-8.
  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return ferror(file) == 0 ? String(validating: bytes, as: UTF8.self) : nil
  }
}
