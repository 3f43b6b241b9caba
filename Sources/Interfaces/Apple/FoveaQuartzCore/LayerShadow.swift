// Fovea - a blurred shape in one color.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import Foundation

enum LayerShadow {
  /// The alpha of what a context shows, blurred, as a picture of one color.
  ///
  /// - Parameter radius: The standard deviation of the blur in pixels.
  static func picture(of shape: CGContext, _ color: CGColor, radius: CGFloat) -> CGImage? {
    guard let data = shape.data else { return nil }
    let (width, height, rowBytes) = (shape.width, shape.height, shape.bytesPerRow)
    let pixels = data.assumingMemoryBound(to: UInt8.self)
    var alpha = [Float](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width {
        alpha[row * width + column] = Float(pixels[row * rowBytes + column * 4 + 3])
      }
    }
    // Three averages come close to a bell curve of the same variance.
    let window = Int(((4 * radius * radius + 1).squareRoot() - 1) / 2 + 0.5)
    if radius > 0, window > 0 {
      for _ in 0..<3 {
        average(&alpha, lines: height, lineStep: width, count: width, step: 1, window)
        average(&alpha, lines: width, lineStep: 1, count: height, step: width, window)
      }
    }
    let (red, green, blue, own) = color.rgba
    for row in 0..<height {
      for column in 0..<width {
        let share = Double(alpha[row * width + column]) * own
        let pixel = pixels + row * rowBytes + column * 4
        pixel[0] = UInt8(red * share + 0.5)
        pixel[1] = UInt8(green * share + 0.5)
        pixel[2] = UInt8(blue * share + 0.5)
        pixel[3] = UInt8(share + 0.5)
      }
    }
    return shape.makeImage()
  }

  /// Replaces samples by averages over `window` of them on each side; outside lies nothing.
  private static func average(
    _ samples: inout [Float], lines: Int, lineStep: Int, count: Int, step: Int, _ window: Int
  ) {
    let share = 1 / Float(2 * window + 1)
    var sums = [Float](repeating: 0, count: count + 1)
    for line in 0..<lines {
      let start = line * lineStep
      for place in 0..<count { sums[place + 1] = sums[place] + samples[start + place * step] }
      for place in 0..<count {
        let (first, last) = (max(0, place - window), min(count, place + window + 1))
        samples[start + place * step] = min(255, max(0, (sums[last] - sums[first]) * share))
      }
    }
  }
}
