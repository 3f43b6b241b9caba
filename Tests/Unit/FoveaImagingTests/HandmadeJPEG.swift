// Fovea - JPEG files built byte by byte, by the specification and not by libjpeg.
// SPDX-License-Identifier: Apache-2.0

/// A baseline JPEG file all of whose coefficients are zero, so all samples are 128, unless
/// `levelBits` is more than 0.
///
/// Its Huffman tables have one code each, of one bit: a block takes two bits, and `levelBits`
/// between them.
struct HandmadeJPEG {
  var width = 8
  var height = 8
  /// Identifier and sampling factors (horizontal * 16 + vertical) of each component.
  var sampling: [UInt8] = [0x11]
  /// Bits of the difference between a block's level, in eighths of a sample, and the one before.
  var levelBits: UInt8 = 0
  /// Bytes between the start of the file and the tables.
  var prologue: [UInt8] = []
  /// Entropy-coded bytes; zeros are enough for as many blocks as there are pairs of bits.
  var scan: [UInt8] = [0x3F]
  var epilogue: [UInt8] = [0xFF, 0xD9]

  var bytes: [UInt8] {
    let count = UInt8(sampling.count)
    var frame: [UInt8] = [8] + Self.half(height) + Self.half(width) + [count]
    var scanHeader: [UInt8] = [count]
    for (index, factors) in sampling.enumerated() {
      frame += [UInt8(index + 1), factors, 0]
      scanHeader += [UInt8(index + 1), 0]
    }
    // One code of length 1: for the bits of a level, and for the end of the block.
    let lengths: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
    var file: [UInt8] = [0xFF, 0xD8] + prologue
    file += Self.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    file += Self.segment(0xC0, frame)
    file += Self.segment(0xC4, [0x00] + lengths + [levelBits])
    file += Self.segment(0xC4, [0x10] + lengths + [0])
    file += Self.segment(0xDA, scanHeader + [0, 63, 0])
    return file + scan + epilogue
  }

  static func half(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + half(content.count + 2) + content
  }
}
