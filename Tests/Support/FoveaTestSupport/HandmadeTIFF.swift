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
}
