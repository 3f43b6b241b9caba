// Fovea - the headers of a BMP file.
// SPDX-License-Identifier: Apache-2.0

/// What the headers of a BMP file say.
///
/// A file header of 14 bytes with the place of the pixels; an information header whose first number
/// is its length (12 for OS/2, 40 and more for Windows); masks of colors, or a table of them; rows
/// from the bottom up, unless the height is negative. Numbers are little-endian.
struct BMPStructure {
  /// How pixels are written.
  enum Coding: Equatable {
    /// Indices into the colors, 1, 2, 4 or 8 bits each.
    case indices
    /// Indices of 4 or 8 bits in runs.
    case runs
    /// Numbers of 16, 24 or 32 bits, with masks of red, green, blue and alpha.
    case masks([UInt32])
  }

  private(set) var header = ImageHeader(.bmp)
  private(set) var coding = Coding.indices
  private(set) var bitsPerPixel = 0
  private(set) var isTopDown = false
  /// Where the pixels begin.
  private(set) var pixels = 0
  /// Red, green and blue of each index.
  private(set) var colors: [(UInt8, UInt8, UInt8)] = []

  private let bytes: [UInt8]

  /// Reads the headers of a file that begins with BM.
  ///
  /// - Throws: `.truncated`, or `.damaged` for headers that cannot be.
  init(_ bytes: [UInt8]) throws(ImageError) {
    self.bytes = bytes
    pixels = try number(10, bytes: 4)
    let length = try number(14, bytes: 4)
    let isOfOS2 = length == 12
    guard isOfOS2 || (40...1024).contains(length) else {
      throw ImageError(.damaged(.bmp, "the header has a length of \(length)"))
    }
    let compression: Int
    if isOfOS2 {
      (header.width, header.height) = (try number(18, bytes: 2), try number(20, bytes: 2))
      bitsPerPixel = try number(24, bytes: 2)
      compression = 0
    } else {
      header.width = Int(Int32(truncatingIfNeeded: try number(18, bytes: 4)))
      let height = Int(Int32(truncatingIfNeeded: try number(22, bytes: 4)))
      (header.height, isTopDown) = (abs(height), height < 0)
      bitsPerPixel = try number(28, bytes: 2)
      compression = try number(30, bytes: 4)
    }
    coding = try coding(compression, headerLength: length)
    if case .masks(let masks) = coding { header.hasAlpha = masks[3] != 0 }
    if coding == .indices || coding == .runs {
      colors = try colors(headerLength: length, entryBytes: isOfOS2 ? 3 : 4)
    }
  }

  /// The bytes of a row; rows end at multiples of 4.
  var rowBytes: Int { (header.width * bitsPerPixel + 31) / 32 * 4 }

  private func coding(_ compression: Int, headerLength: Int) throws(ImageError) -> Coding {
    switch (compression, bitsPerPixel) {
    case (0, 1), (0, 2), (0, 4), (0, 8): return .indices
    case (1, 8), (2, 4): return .runs
    case (0, 16): return .masks([0x7C00, 0x03E0, 0x001F, 0])
    case (0, 24), (0, 32): return .masks([0xFF_0000, 0x00_FF00, 0x00_00FF, 0])
    case (3, 16), (3, 32), (6, 16), (6, 32):
      // Behind a header of 40 bytes, or in a longer one: the same place.
      let hasAlpha = headerLength >= 56 || compression == 6
      var masks: [UInt32] = []
      for index in 0..<(hasAlpha ? 4 : 3) {
        masks.append(UInt32(truncatingIfNeeded: try number(54 + 4 * index, bytes: 4)))
      }
      if masks.count == 3 { masks.append(0) }
      guard masks.allSatisfy(\.isOneRun) else {
        throw ImageError(.damaged(.bmp, "a mask of colors has gaps"))
      }
      return .masks(masks)
    default:
      throw ImageError(
        .damaged(.bmp, "compression \(compression) with \(bitsPerPixel) bits a pixel is unknown"))
    }
  }

  private func colors(
    headerLength: Int, entryBytes: Int
  ) throws(ImageError) -> [(UInt8, UInt8, UInt8)] {
    let most = 1 << bitsPerPixel
    let stated = headerLength >= 40 ? try number(46, bytes: 4) : 0
    let start = 14 + headerLength
    var colors: [(UInt8, UInt8, UInt8)] = []
    for index in 0..<(stated == 0 ? most : min(stated, most)) {
      let place = start + index * entryBytes
      // Some files of OS/2 leave out what their pixels do not use.
      guard place + 3 <= min(pixels, bytes.count) else { break }
      colors.append((bytes[place + 2], bytes[place + 1], bytes[place]))
    }
    return colors
  }

  private func number(_ place: Int, bytes count: Int) throws(ImageError) -> Int {
    guard place + count <= bytes.count else { throw ImageError(.truncated(.bmp)) }
    return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension UInt32 {
  /// Whether the bits that are set stand side by side.
  fileprivate var isOneRun: Bool {
    let bits = self == 0 ? 0 : self >> trailingZeroBitCount
    return bits & (bits &+ 1) == 0
  }
}
