// Fovea - runs of indices in BMP files.
// SPDX-License-Identifier: Apache-2.0

/// Indices of 4 or 8 bits in runs.
///
/// Two bytes are a number of pixels and their index, or two indices that take turns. A first byte of
/// 0 is an escape: 0 ends the row, 1 the image, 2 steps right and up by the next two bytes, and more
/// is a number of indices that follow, up to a multiple of 2 bytes. What is stepped over has index 0.
enum BMPRuns {
  /// The index of every pixel, rows from the top. What lies outside of the image is passed over.
  ///
  /// - Throws: `.truncated` where the file ends before the image does.
  static func indices(
    _ bytes: [UInt8], _ structure: BMPStructure
  ) throws(ImageError) -> [UInt8] {
    let (width, height) = (structure.header.width, structure.header.height)
    var indices = [UInt8](repeating: 0, count: width * height)
    var (x, y, place) = (0, 0, min(structure.pixels, bytes.count))
    func put(_ index: UInt8) {
      if x < width, y < height {
        indices[(structure.isTopDown ? y : height - 1 - y) * width + x] = index
      }
      x += 1
    }
    /// The index at `offset` of a run that is written at `start`.
    func index(_ offset: Int, from start: Int) -> UInt8 {
      if structure.bitsPerPixel == 8 { return bytes[start + offset] }
      let pair = bytes[start + offset / 2]
      return offset % 2 == 0 ? pair >> 4 : pair & 15
    }
    while place + 2 <= bytes.count, y < height {
      let (count, value) = (Int(bytes[place]), bytes[place + 1])
      place += 2
      switch (count, value) {
      case (0, 0): (x, y) = (0, y + 1)
      case (0, 1): return indices
      case (0, 2):
        guard place + 2 <= bytes.count else { throw ImageError(.truncated(.bmp)) }
        (x, y) = (x + Int(bytes[place]), y + Int(bytes[place + 1]))
        place += 2
      case (0, _):
        let used = (Int(value) * structure.bitsPerPixel + 7) / 8
        guard place + used <= bytes.count else { throw ImageError(.truncated(.bmp)) }
        for offset in 0..<Int(value) { put(index(offset, from: place)) }
        place += used + used % 2
      default:
        for offset in 0..<count {
          put(structure.bitsPerPixel == 8 ? value : offset % 2 == 0 ? value >> 4 : value & 15)
        }
      }
    }
    guard y >= height || y == height - 1 && x >= width else {
      throw ImageError(.truncated(.bmp))
    }
    return indices
  }
}
