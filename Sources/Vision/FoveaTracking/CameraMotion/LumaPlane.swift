// Fovea - a small copy of a picture's brightness, in memory that is kept.
// SPDX-License-Identifier: Apache-2.0

/// The brightness of a picture, row after row.
struct LumaPlane: Sendable {
  private(set) var width = 0
  private(set) var height = 0
  /// 0...255 for each pixel.
  private(set) var pixels: [Float] = []
  /// The sums of the rows that become one.
  private var columnSums: [UInt32] = []

  /// Makes the plane the means of squares of `step` by `step` pixels of a picture.
  mutating func shrink(
    _ luma: Span<UInt8>, width fullWidth: Int, height fullHeight: Int, rowStep: Int, by step: Int
  ) {
    resize(width: fullWidth / step, height: fullHeight / step)
    Self.resize(&columnSums, count: width * step)
    let scale = 1 / Float(step * step)
    luma.withUnsafeBufferPointer { luma in
      columnSums.withUnsafeMutableBufferPointer { sums in
        for y in 0..<height {
          // Whole rows are added first, many pixels at a time.
          for place in sums.indices { sums[place] = 0 }
          for row in (y * step)..<(y * step + step) {
            let start = row * rowStep
            for place in sums.indices { sums[place] &+= UInt32(luma[start + place]) }
          }
          for x in 0..<width {
            var sum: UInt32 = 0
            for place in (x * step)..<(x * step + step) { sum &+= sums[place] }
            pixels[y * width + x] = Float(sum) * scale
          }
        }
      }
    }
  }

  /// Makes the plane half as large as another.
  mutating func halve(_ other: LumaPlane) {
    resize(width: other.width / 2, height: other.height / 2)
    for y in 0..<height {
      let upper = 2 * y * other.width
      let lower = upper + other.width
      for x in 0..<width {
        let left = 2 * x
        pixels[y * width + x] =
          (other.pixels[upper + left] + other.pixels[upper + left + 1]
            + other.pixels[lower + left] + other.pixels[lower + left + 1]) / 4
      }
    }
  }

  /// The brightness between pixels, by the four around the point. x and y count from the center of
  /// the first pixel and lie at least one pixel inside.
  @inline(__always)
  static func sample(_ pixels: UnsafeBufferPointer<Float>, width: Int, x: Float, y: Float) -> Float
  {
    let (column, row) = (Int(x), Int(y))
    let (right, down) = (x - Float(column), y - Float(row))
    let place = row * width + column
    let upper = pixels[place] + right * (pixels[place + 1] - pixels[place])
    let below = place + width
    let lower = pixels[below] + right * (pixels[below + 1] - pixels[below])
    return upper + down * (lower - upper)
  }

  private mutating func resize(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    Self.resize(&pixels, count: width * height)
  }

  private static func resize<Number: Numeric>(_ numbers: inout [Number], count: Int) {
    let missing = count - numbers.count
    if missing > 0 {
      numbers.append(contentsOf: repeatElement(0, count: missing))
    } else {
      numbers.removeLast(-missing)
    }
  }
}
