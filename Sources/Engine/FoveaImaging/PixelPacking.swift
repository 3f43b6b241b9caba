// Fovea - from four samples a pixel to red, green, blue, in place.
// SPDX-License-Identifier: Apache-2.0

enum PixelPacking {
  /// The part of the pixels that are more transparent than opaque.
  static func transparentShare(of samples: [UInt8]) -> Double {
    let pixels = samples.count / 4
    let count = samples.withUnsafeBufferPointer { samples in
      (0..<pixels).reduce(0) { $0 + (samples[4 * $1 + 3] < 128 ? 1 : 0) }
    }
    return pixels == 0 ? 0 : Double(count) / Double(pixels)
  }

  /// Divides colors that are multiplied by alpha by it, rounded to nearest. Those of an alpha of 0 stay.
  static func divideByAlpha(_ samples: inout [UInt8]) {
    samples.withUnsafeMutableBufferPointer { samples in
      for pixel in stride(from: 0, to: samples.count - 3, by: 4) {
        let alpha = Int(samples[pixel + 3])
        if alpha == 0 || alpha == 255 { continue }
        for place in pixel..<pixel + 3 {
          samples[place] = UInt8(min(255, (Int(samples[place]) * 255 + alpha / 2) / alpha))
        }
      }
    }
  }

  /// Drops the fourth sample of every pixel.
  static func dropAlpha(_ samples: inout [UInt8]) {
    pack(&samples) { red, green, blue, _ in (red, green, blue) }
  }

  /// Lays pixels over an opaque color: (sample * alpha + color * (255 - alpha)) / 255, rounded to
  /// nearest.
  static func compose(
    _ samples: inout [UInt8], over color: (red: UInt8, green: UInt8, blue: UInt8)
  ) {
    func mixed(_ sample: UInt8, _ below: UInt8, _ alpha: UInt8) -> UInt8 {
      let (over, under) = (Int(sample) * Int(alpha), Int(below) * (255 - Int(alpha)))
      return UInt8((over + under + 127) / 255)
    }
    pack(&samples) { red, green, blue, alpha in
      (
        mixed(red, color.red, alpha), mixed(green, color.green, alpha),
        mixed(blue, color.blue, alpha)
      )
    }
  }

  /// Makes RGB of CMYK as it is stored in JPEG files.
  ///
  /// Adobe's programs, and after them practically all others, store ink inverted: 255 is no ink.
  /// So red is cyan x black / 255, rounded to nearest; green and blue likewise.
  static func invertedCMYKToRGB(_ samples: inout [UInt8]) {
    func scaled(_ ink: UInt8, _ black: UInt8) -> UInt8 {
      UInt8((Int(ink) * Int(black) + 127) / 255)
    }
    pack(&samples) { cyan, magenta, yellow, black in
      (scaled(cyan, black), scaled(magenta, black), scaled(yellow, black))
    }
  }

  /// Replaces each four samples by three and shortens the array.
  @inline(__always)
  private static func pack(
    _ samples: inout [UInt8],
    _ pixel: (UInt8, UInt8, UInt8, UInt8) -> (UInt8, UInt8, UInt8)
  ) {
    let pixels = samples.count / 4
    samples.withUnsafeMutableBufferPointer { samples in
      for index in 0..<pixels {
        let (from, to) = (index * 4, index * 3)
        let (red, green, blue) = pixel(
          samples[from], samples[from + 1], samples[from + 2], samples[from + 3])
        samples[to] = red
        samples[to + 1] = green
        samples[to + 2] = blue
      }
    }
    samples.removeLast(samples.count - pixels * 3)
  }
}
