// Fovea - tests: small zip archives.
// SPDX-License-Identifier: Apache-2.0

/// A zip archive. Checksums of files that are stored are left out.
public struct SmallArchive {
  /// The archive.
  public private(set) var bytes: [UInt8] = []

  /// A file as it lies in the archive.
  public struct File {
    /// The name.
    public var name: String
    /// What the archive holds.
    public var packed: [UInt8]
    /// The number of bytes that it stands for.
    public var size: Int
    /// Their CRC-32.
    public var checksum = 0
    /// 0 for stored files, 8 for deflated ones.
    public var method = 0

    /// A file that is stored.
    public static func stored(_ name: String, _ content: String) -> File {
      File(name: name, packed: Array(content.utf8), size: content.utf8.count)
    }

    /// The file of `DeflatedText`.
    public static func deflated(_ name: String) -> File {
      File(
        name: name, packed: DeflatedText.dynamic, size: DeflatedText.bytes.count,
        checksum: DeflatedText.checksum, method: 8)
    }
  }

  /// An archive of files.
  public init(_ files: [File]) {
    var list: [UInt8] = []
    for file in files {
      let place = bytes.count
      let sizes = Self.words([file.checksum, file.packed.count, file.size], 4)
      let counts = Self.words([file.name.utf8.count, 0], 2)
      let common = Self.words([20, 0, file.method, 0, 0], 2) + sizes + counts
      bytes += Self.words([0x0403_4B50], 4) + common + Array(file.name.utf8) + file.packed
      list += Self.words([0x0201_4B50], 4) + Self.words([20], 2) + common
      list += Self.words([0, 0, 0], 2) + Self.words([0, place], 4) + Array(file.name.utf8)
    }
    let start = bytes.count
    bytes += list + Self.words([0x0605_4B50], 4)
    bytes += Self.words([0, 0, files.count, files.count], 2)
    bytes += Self.words([list.count, start], 4) + Self.words([0], 2)
  }

  private static func words(_ numbers: [Int], _ size: Int) -> [UInt8] {
    numbers.flatMap { number in (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }
}
