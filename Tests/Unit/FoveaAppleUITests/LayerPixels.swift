// Fovea - pixels of layers, as tests look at them.
// SPDX-License-Identifier: Apache-2.0
import QuartzCore
import Testing

/// What a tree of layers looks like, with y from the top.
struct LayerPixels {
  let width, height: Int
  /// Red, green, blue, alpha of each pixel, rows from the top.
  let samples: [[UInt8]]

  init(_ layer: CALayer, width: Int, height: Int) throws {
    let context = try #require(
      CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 4 * width,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    context.translateBy(x: 0, y: CGFloat(height))
    context.scaleBy(x: 1, y: -1)
    layer.render(in: context)
    try self.init(context)
  }

  init(_ context: CGContext) throws {
    (width, height) = (context.width, context.height)
    let bytes = try #require(context.data).assumingMemoryBound(to: UInt8.self)
    samples = (0..<width * height).map { place in
      let start = place / context.width * context.bytesPerRow + place % context.width * 4
      return (0..<4).map { bytes[start + $0] }
    }
  }

  subscript(x: Int, y: Int) -> [UInt8] { samples[y * width + x] }

  /// Where a color is, as rows of letters.
  func places(of color: [UInt8]) -> [String] {
    (0..<height).map { y in
      String((0..<width).map { self[$0, y] == color ? "#" : "." })
    }
  }

  /// The sum of alpha in units of an opaque pixel.
  var alpha: Double { samples.reduce(0) { $0 + Double($1[3]) / 255 } }

  /// The rows and columns where anything is.
  var touched: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    let places = samples.indices.filter { samples[$0][3] > 0 }
    guard let first = places.first, let last = places.last else { return nil }
    let columns = places.map { $0 % width }
    return ((columns.min() ?? 0)...(columns.max() ?? 0), first / width...last / width)
  }
}

let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
let green = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)

/// A layer with a background.
func filled(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat, _ color: CGColor?)
  -> CALayer
{
  let layer = CALayer()
  layer.frame = CGRect(x: x, y: y, width: width, height: height)
  layer.backgroundColor = color
  return layer
}
