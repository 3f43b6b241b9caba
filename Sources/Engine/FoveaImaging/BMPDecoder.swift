// Fovea - BMP images in.
// SPDX-License-Identifier: Apache-2.0

/// Decodes Windows bitmaps: indices of 1 to 8 bits, also in runs, and pixels of 16, 24 and 32 bits.
enum BMPDecoder {
  static func decode(
    _ bytes: [UInt8], limits: ImageLimits, alpha: ImageAlpha
  ) throws(ImageError) -> Image {
    let structure = try BMPStructure(bytes)
    let header = structure.header
    let rest = bytes.count - min(structure.pixels, bytes.count)
    // Two bytes are a run of 255, and steps over pixels cost as little.
    let mostPixels =
      structure.coding == .runs
      ? bytes.count.saturatingProduct(128).addingSaturated(1 << 22)
      : rest.saturatingProduct(8) / structure.bitsPerPixel
    try limits.check(header, mostPixels: nil, fileBytes: bytes.count)
    guard header.width * header.height <= mostPixels else {
      throw ImageError(.truncated(.bmp))
    }
    switch structure.coding {
    case .indices:
      return Image(header, rgb: colored(try indices(bytes, structure), structure))
    case .runs:
      return Image(header, rgb: colored(try BMPRuns.indices(bytes, structure), structure))
    case .masks(let masks):
      var samples = try samples(bytes, structure, masks)
      let share = header.hasAlpha ? PixelPacking.transparentShare(of: samples) : 0
      if header.hasAlpha { alpha.apply(to: &samples) } else { PixelPacking.dropAlpha(&samples) }
      return Image(header, rgb: samples, transparentShare: share)
    }
  }

  /// Where the rows of the image begin in the file, from the top.
  private static func rows(_ bytes: [UInt8], _ structure: BMPStructure) throws(ImageError) -> [Int]
  {
    let (height, rowBytes) = (structure.header.height, structure.rowBytes)
    // The last row may lack its padding.
    let used = (structure.header.width * structure.bitsPerPixel + 7) / 8
    guard structure.pixels <= bytes.count,
      rowBytes * (height - 1) + used <= bytes.count - structure.pixels
    else { throw ImageError(.truncated(.bmp)) }
    return (0..<height).map { row in
      structure.pixels + rowBytes * (structure.isTopDown ? row : height - 1 - row)
    }
  }

  /// The index of every pixel.
  private static func indices(
    _ bytes: [UInt8], _ structure: BMPStructure
  ) throws(ImageError) -> [UInt8] {
    let (width, bits) = (structure.header.width, structure.bitsPerPixel)
    let (inByte, mask) = (8 / bits, UInt8(truncatingIfNeeded: 1 << bits - 1))
    var indices: [UInt8] = []
    indices.reserveCapacity(width * structure.header.height)
    for row in try rows(bytes, structure) {
      for x in 0..<width {
        let shift = (inByte - 1 - x % inByte) * bits
        indices.append(bytes[row + x / inByte] >> UInt8(shift) & mask)
      }
    }
    return indices
  }

  /// The colors of indices. Those beyond the table are black.
  private static func colored(_ indices: [UInt8], _ structure: BMPStructure) -> [UInt8] {
    var table = structure.colors
    table += Array(repeating: (0, 0, 0), count: max(0, 256 - table.count))
    var samples: [UInt8] = []
    samples.reserveCapacity(indices.count * 3)
    for index in indices {
      let color = table[Int(index)]
      samples.append(color.0)
      samples.append(color.1)
      samples.append(color.2)
    }
    return samples
  }

  /// Red, green, blue and alpha of every pixel.
  private static func samples(
    _ bytes: [UInt8], _ structure: BMPStructure, _ masks: [UInt32]
  ) throws(ImageError) -> [UInt8] {
    let (width, count) = (structure.header.width, structure.bitsPerPixel / 8)
    let scales = masks.map(SampleScale.init)
    var samples: [UInt8] = []
    samples.reserveCapacity(width * structure.header.height * 4)
    for row in try rows(bytes, structure) {
      for x in 0..<width {
        var pixel: UInt32 = 0
        for place in 0..<count {
          pixel |= UInt32(bytes[row + x * count + place]) << UInt32(8 * place)
        }
        for scale in scales { samples.append(scale.sample(of: pixel)) }
      }
    }
    return samples
  }
}

/// The bits of a mask as a sample of 8 bits.
private struct SampleScale {
  let mask: UInt32
  let shift: UInt32
  let most: UInt64

  init(_ mask: UInt32) {
    self.mask = mask
    shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
    most = UInt64(mask >> shift)
  }

  func sample(of pixel: UInt32) -> UInt8 {
    guard most > 0 else { return 0 }
    return UInt8((UInt64((pixel & mask) >> shift) * 255 + most / 2) / most)
  }
}
