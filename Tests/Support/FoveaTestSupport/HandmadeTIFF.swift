// Fovea - TIFF data built byte by byte, as EXIF keeps them.
// SPDX-License-Identifier: Apache-2.0

/// TIFF data with one directory of given entries.
public enum HandmadeTIFF {
  /// The data with one 16-bit entry for the orientation, after one for another tag.
  public static func orientation(_ value: UInt16, bigEndian: Bool) -> [UInt8] {
    func number(_ value: UInt32, _ bytes: Int) -> [UInt8] {
      let little = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
      return bigEndian ? little.reversed() : little
    }
    let other = number(0x0100, 2) + number(4, 2) + number(1, 4) + number(640, 4)
    let entry =
      number(0x0112, 2) + number(3, 2) + number(1, 4) + number(UInt32(value), 2) + [0, 0]
    return (bigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]) + number(8, 4) + number(2, 2)
      + other + entry + number(0, 4)
  }

  /// An APP1 segment of a JPEG file with `tiff` as its EXIF data.
  public static func segment(_ tiff: [UInt8]) -> [UInt8] {
    let content = Array("Exif\0\0".utf8) + tiff
    let length = content.count + 2
    return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  /// A file of one strip without compression, little-endian, of pixels of `samples` numbers.
  ///
  /// - Parameters:
  ///   - bits: Of a sample: 8 or 16.
  ///   - alpha: What the fourth sample is: 1 alpha that colors are multiplied by, 2 other alpha.
  public static func file(
    width: Int, height: Int, bits: Int = 8, samples: [Int], alpha: Int? = nil,
    orientation: Int = 1, further: [(tag: Int, value: Int)] = []
  ) -> [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let count = samples.count / (width * height)
    let pixels = samples.flatMap { number($0, bits / 8) }
    var entries = [
      (256, 4, width), (257, 4, height), (259, 3, 1), (262, 3, count == 1 ? 1 : 2), (273, 4, 8),
      (274, 3, orientation), (277, 3, count), (278, 4, height), (279, 4, pixels.count),
    ]
    if let alpha { entries.append((338, 3, alpha)) }
    entries += further.map { ($0.tag, 4, $0.value) }
    // The bits of each sample lie behind the pixels, and the directory behind them.
    let depths = 8 + pixels.count
    var lines = entries.map {
      ($0.0, number($0.0, 2) + number($0.1, 2) + number(1, 4) + number($0.2, 4))
    }
    lines.append(
      (
        258,
        number(258, 2) + number(3, 2) + number(count, 4)
          + (count == 1 ? number(bits, 4) : number(depths, 4))
      ))
    lines.sort { $0.0 < $1.0 }
    return [0x49, 0x49, 42, 0] + number(depths + 2 * count, 4) + pixels
      + (0..<count).flatMap { _ in number(bits, 2) } + number(lines.count, 2)
      + lines.flatMap(\.1) + number(0, 4)
  }
}
