// Fovea - an image of colored squares on a cluttered ground, drawn from a seed.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaTestSupport

/// An image for `ShapesDetector` whose objects are known.
///
/// Six squares of 76 to 88 pixels stand on gray clutter; a colored dot, a colored bar and a pale
/// square are there to be left alone. The same seed draws the same bytes on every machine.
public struct ShapesImage: Sendable {
  /// Width in pixels; three times the detector's input.
  public static let width = 480
  /// Height in pixels; not three times the detector's input, so that both axes scale apart.
  public static let height = 360

  /// A square that stands in the image.
  public struct Object: Sendable, Hashable {
    /// One of `ShapesDetector.labels`.
    public var label: String
    /// Left edge in pixels.
    public var x: Int
    /// Upper edge in pixels, from the top.
    public var y: Int
    /// Width and height in pixels.
    public var side: Int
  }

  /// What stands in the image.
  public let objects: [Object]
  /// Row-major red, green, blue: width * height * 3 bytes.
  public private(set) var pixels: [UInt8]

  /// Draws the image that `seed` gives.
  public init(seed: UInt64 = 7) {
    var random = SplitMix(seed: seed)
    objects = Self.place(using: &random)
    pixels = Array(repeating: 0, count: Self.width * Self.height * 3)
    drawGround(using: &random)
    for object in objects {
      let color = Self.colors[ShapesDetector.labels.firstIndex(of: object.label) ?? 0]
      fill(x: object.x, y: object.y, width: object.side, height: object.side, color, &random)
    }
    fill(x: 300, y: 158, width: 8, height: 8, Self.colors[0], &random)
    fill(x: 20, y: 172, width: 180, height: 6, Self.colors[2], &random)
    fill(x: 440, y: 0, width: 34, height: 34, (150, 175, 150), &random)
  }

  private static let colors: [(Int, Int, Int)] = [(217, 33, 31), (31, 191, 46), (33, 51, 217)]

  /// One square in each of six fields of a 3 x 2 grid, in every color twice.
  private static func place(using random: inout SplitMix) -> [Object] {
    [0, 1, 2, 1, 2, 0].enumerated().map { field, label in
      let side = 76 + random.below(13)
      return Object(
        label: ShapesDetector.labels[label], x: field % 3 * 160 + 30 + random.below(30),
        y: field / 3 * 180 + 36 + random.below(30), side: side)
    }
  }

  private mutating func drawGround(using random: inout SplitMix) {
    fill(x: 0, y: 0, width: Self.width, height: Self.height, (110, 110, 110), &random)
    for _ in 0..<60 {
      let (x, y) = (random.below(Self.width) - 20, random.below(Self.height) - 20)
      let (width, height) = (10 + random.below(80), 10 + random.below(80))
      let gray = 40 + random.below(180)
      fill(x: x, y: y, width: width, height: height, (gray, gray, gray), &random)
    }
  }

  /// Fills the part of a rectangle inside the image; each pixel is up to 12 levels off.
  private mutating func fill(
    x: Int, y: Int, width: Int, height: Int, _ color: (Int, Int, Int), _ random: inout SplitMix
  ) {
    let columns = (x..<x + width).clamped(to: 0..<Self.width)
    for row in (y..<y + height).clamped(to: 0..<Self.height) {
      for column in columns {
        let noise = random.below(25) - 12
        let start = (row * Self.width + column) * 3
        pixels[start] = UInt8(clamping: color.0 + noise)
        pixels[start + 1] = UInt8(clamping: color.1 + noise)
        pixels[start + 2] = UInt8(clamping: color.2 + noise)
      }
    }
  }
}
