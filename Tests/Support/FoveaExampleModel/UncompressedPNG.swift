// Fovea - PNG files without compression.
// SPDX-License-Identifier: Apache-2.0

/// An 8-bit RGB image as a PNG file whose pixels are stored, not compressed (RFC 1950, 1951,
/// 2083), so that an example needs no library to write one.
public enum UncompressedPNG {
  /// The bytes of the file.
  ///
  /// - Precondition: `pixels` holds width * height * channels bytes, row-major; both sides are
  ///   positive. `channels` is 3, or 4 with alpha.
  public static func encode(
    width: Int, height: Int, pixels: [UInt8], channels: Int = 3
  ) -> [UInt8] {
    precondition(width > 0 && height > 0 && pixels.count == width * height * channels)
    precondition(channels == 3 || channels == 4)
    var header = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
    header += [8, channels == 4 ? 6 : 2, 0, 0, 0]
    var rows: [UInt8] = []
    rows.reserveCapacity(pixels.count + height)
    for row in 0..<height {
      rows.append(0)
      rows += pixels[row * width * channels..<(row + 1) * width * channels]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return bigEndian(UInt32(content.count)) + body + bigEndian(cyclicRedundancyCheck(body))
  }

  /// A zlib stream of stored blocks of at most 65535 bytes.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 65535) {
      let end = min(start + 65535, bytes.count)
      let length = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      for value in [length, ~length] { stream += [UInt8(value & 0xFF), UInt8(value >> 8)] }
      stream += bytes[start..<end]
    }
    return stream + bigEndian(adler32(bytes))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }

  private static func cyclicRedundancyCheck(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
    }
  }

  private static let remainders: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }
}
