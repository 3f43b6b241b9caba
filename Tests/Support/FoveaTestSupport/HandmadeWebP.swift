// Fovea - WebP files built bit by bit, by the specification and not by libwebp.
// SPDX-License-Identifier: Apache-2.0

/// A lossless WebP file of at most two colors that differ in green, without transforms.
///
/// Its five codes have one symbol each, of no bits; with a second green, a pixel takes one bit.
public struct HandmadeWebP {
  var width: Int
  var height: Int
  var red: UInt8
  var green: UInt8
  var blue: UInt8
  var alpha: UInt8
  /// A second level of green, greater than `green`, and which pixels have it.
  var second: (green: UInt8, pixels: [Bool])?
  /// Whether the header announces transparency.
  var hasAlpha: Bool
  /// Chunks before and after the pixels; the extended header is written when there are some.
  var before: [(name: String, content: [UInt8])]
  var after: [(name: String, content: [UInt8])]
  /// Flags of the extended header; 2 is an animation.
  var flags: UInt8

  /// A file of one pixel, opaque, without further chunks, unless said otherwise.
  public init(
    width: Int = 1, height: Int = 1, red: UInt8 = 7, green: UInt8 = 7, blue: UInt8 = 7,
    alpha: UInt8 = 255, second: (green: UInt8, pixels: [Bool])? = nil, hasAlpha: Bool = false,
    before: [(name: String, content: [UInt8])] = [], after: [(name: String, content: [UInt8])] = [],
    flags: UInt8 = 0
  ) {
    (self.width, self.height, self.hasAlpha, self.second) = (width, height, hasAlpha, second)
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    (self.before, self.after, self.flags) = (before, after, flags)
  }

  /// The file.
  public var bytes: [UInt8] {
    let isExtended = flags != 0 || !before.isEmpty || !after.isEmpty
    let sides = [width - 1, height - 1].flatMap { Self.little($0, 3) }
    var chunks = isExtended ? [("VP8X", [flags, 0, 0, 0] + sides)] : []
    chunks += before.map { ($0.name, $0.content) }
    chunks.append(("VP8L", frame))
    chunks += after.map { ($0.name, $0.content) }
    return Self.file(chunks)
  }

  /// A file of chunks.
  public static func file(_ chunks: [(name: String, content: [UInt8])]) -> [UInt8] {
    let body = chunks.flatMap { chunk in
      Array(chunk.name.utf8) + little(chunk.content.count, 4) + chunk.content
        + [UInt8](repeating: 0, count: chunk.content.count % 2)
    }
    return Array("RIFF".utf8) + little(body.count + 4, 4) + Array("WEBP".utf8) + body
  }

  /// The first ten bytes of a lossy image.
  public static func lossyHeader(width: Int, height: Int) -> [UInt8] {
    [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2)
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private var frame: [UInt8] {
    var bits: [Int] = []
    func add(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 } }
    add(width - 1, 14)
    add(height - 1, 14)
    add(hasAlpha ? 1 : 0, 1)
    add(0, 3)  // version
    add(0, 3)  // no transform, no cache of colors, one group of codes
    for (index, symbol) in [green, red, blue, alpha].enumerated() {
      let other = index == 0 ? second?.green : nil
      add(1, 1)  // a simple code
      add(other == nil ? 0 : 1, 1)  // of one or two symbols
      add(1, 1)  // of eight bits
      add(Int(symbol), 8)
      if let other { add(Int(other), 8) }
    }
    add(1, 1)  // distances: symbol 0 in one bit
    add(0, 3)
    for isSecond in second?.pixels ?? [] { add(isSecond ? 1 : 0, 1) }
    let packed = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) {
        $0 | $1.element << $1.offset
      }
    }
    return [0x2F] + packed.map { UInt8($0) }
  }
}
