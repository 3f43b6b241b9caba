// Fovea - PNG files built byte by byte, by the specification and not by libpng.
// SPDX-License-Identifier: Apache-2.0

/// A PNG file of any color type whose pixel data are stored, not compressed.
struct HandmadePNG {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  var width: Int
  var height: Int
  var depth: UInt8
  var colorType: UInt8
  var interlaced = false
  /// Rows as they are stored, each with its filter byte.
  var rows: [[UInt8]]
  /// Chunks between the header and the pixels.
  var chunks: [(name: String, content: [UInt8])] = []

  var bytes: [UInt8] {
    let header =
      Self.word(width) + Self.word(height) + [depth, colorType, 0, 0, interlaced ? 1 : 0]
    return Self.signature + Self.chunk("IHDR", header)
      + chunks.flatMap { Self.chunk($0.name, $0.content) }
      + Self.chunk("IDAT", Self.stored(Array(rows.joined()))) + Self.chunk("IEND", [])
  }

  static func word(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return word(content.count) + body + word(Int(checksum(body)))
  }

  /// CRC-32 bit by bit.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  /// A zlib stream of one stored block (at most 65535 bytes).
  static func stored(_ data: [UInt8]) -> [UInt8] {
    let count = [UInt8(data.count & 255), UInt8(data.count >> 8)]
    var (a, b) = (1, 0)
    for byte in data {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return [0x78, 0x01, 1] + count + count.map { ~$0 } + data + word(b << 16 | a)
  }
}
