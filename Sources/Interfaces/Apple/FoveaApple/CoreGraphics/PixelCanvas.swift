// Fovea - pixels in memory that something is drawn on.
// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A color times its alpha, in 0...1.
struct PaintedColor {
  var (red, green, blue, alpha): (Float, Float, Float, Float)

  init(_ color: CGColor, alpha: CGFloat = 1) {
    let (red, green, blue, own) = color.rgba
    let share = own * Double(min(max(alpha, 0), 1))
    self.init(
      red: Float(red * share), green: Float(green * share), blue: Float(blue * share),
      alpha: Float(share))
  }

  init(red: Float, green: Float, blue: Float, alpha: Float) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }
}

/// Pixels in memory that something is drawn on. Somebody else holds them.
package struct PixelCanvas {
  package let base: UnsafeMutablePointer<UInt8>
  package let width, height, rowBytes: Int
  package let arrangement: PixelArrangement

  package init(
    base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, rowBytes: Int,
    arrangement: PixelArrangement
  ) {
    (self.base, self.width, self.height, self.rowBytes) = (base, width, height, rowBytes)
    self.arrangement = arrangement
  }

  /// Lays a color over a pixel, or puts it in its place.
  func paint(_ color: PaintedColor, coverage: Float, x: Int, y: Int, replaces: Bool) {
    let pixel = base + y * rowBytes + x * arrangement.bytesPerPixel
    let share = min(coverage, 1)
    let kept = replaces ? 1 - share : 1 - color.alpha * share
    func mix(_ offset: Int, _ value: Float) {
      pixel[offset] = UInt8(min(255, value * share * 255 + Float(pixel[offset]) * kept + 0.5))
    }
    if arrangement.isGray {
      return mix(0, 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue)
    }
    mix(arrangement.red, color.red)
    mix(arrangement.green, color.green)
    mix(arrangement.blue, color.blue)
    if let alpha = arrangement.alpha {
      mix(alpha, color.alpha)
    } else if arrangement.bytesPerPixel == 4 {
      pixel[6 - arrangement.red - arrangement.green - arrangement.blue] = 255
    }
  }

  /// Writes a row of opaque pixels of red, green and blue.
  func store(_ rgb: UnsafePointer<UInt8>, count: Int, x: Int, y: Int) {
    var pixel = base + y * rowBytes + x * arrangement.bytesPerPixel
    let fourth = 6 - arrangement.red - arrangement.green - arrangement.blue
    for index in 0..<count {
      let (red, green, blue) = (rgb[3 * index], rgb[3 * index + 1], rgb[3 * index + 2])
      if arrangement.isGray {
        let level = 0.299 * Float(red) + 0.587 * Float(green) + 0.114 * Float(blue)
        pixel[0] = UInt8(level + 0.5)
      } else {
        pixel[arrangement.red] = red
        pixel[arrangement.green] = green
        pixel[arrangement.blue] = blue
        if arrangement.bytesPerPixel == 4 { pixel[fourth] = 255 }
      }
      pixel += arrangement.bytesPerPixel
    }
  }
}

/// What limits where a canvas is drawn on, in its pixels.
package struct PixelClip {
  package var columns: Range<Int>
  package var rows: Range<Int>
  /// How far each pixel of the whole canvas may be drawn on; `nil` for wholly.
  var mask: [Float]?

  package init(columns: Range<Int>, rows: Range<Int>) {
    (self.columns, self.rows) = (columns, rows)
  }

  /// Keeps the pixels whose centers lie in a rectangle.
  package mutating func intersect(_ rect: CGRect) {
    columns = Self.range(rect.minX, rect.maxX).clamped(to: columns)
    rows = Self.range(rect.minY, rect.maxY).clamped(to: rows)
  }

  /// The pixels whose centers lie between two positions.
  package static func range(_ first: CGFloat, _ last: CGFloat) -> Range<Int> {
    func edge(_ value: CGFloat) -> Int {
      let moved = (value - 0.5 - 1e-6).rounded(.up)
      return Int(min(max(moved, -1e9), 1e9))
    }
    let lower = edge(first)
    return lower..<max(lower, edge(last))
  }
}
