// Fovea - red, green and blue of every pixel, as exactly as the formula gives them.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore

/// Converts whole pictures to red, green and blue, in double precision, to compare programs by
/// checksums. Detectors do not use it: the core samples planes with rounded factors, which differ by
/// at most 1.
package struct ReferenceColors: Sendable {
  /// Creates a converter.
  package init() {}

  /// The bytes of a picture as it is stored, [rows, columns, 3], with rows from the top.
  package func rgb(of frame: VideoFrame) -> [UInt8] {
    frame.withPlanes { planes in
      let image = planes.image
      let (width, height) = (Int(image.width), Int(image.height))
      return [UInt8](unsafeUninitializedCapacity: 3 * width * height) { out, count in
        let picture = PlanarImage(image)
        var place = 0
        for row in 0..<height {
          let stored = frame.isBottomUp ? height - 1 - row : row
          for column in 0..<width {
            let color = picture.color(column, stored)
            (out[place], out[place + 1], out[place + 2]) = color
            place += 3
          }
        }
        count = place
      }
    }
  }
}

/// The samples of an image, and the factors that make colors of them.
private struct PlanarImage {
  private let image: fov_image
  private let planes: [fov_sample_plane]
  private let isWord: Bool
  private let isColor: Bool
  private let isGray: Bool
  private let most: Double
  /// (Y - black) lumaScale and (C - center) chromaScale are levels of 0...255.
  private let black, lumaScale, center, chromaScale: Double
  private let redV, greenU, greenV, blueU: Double

  init(_ image: fov_image) {
    self.image = image
    planes = [image.planes.0, image.planes.1, image.planes.2]
    isWord = image.sample_bits > 8
    isColor = image.yuv == .rgb
    isGray = image.planes.1.data == nil
    let bits = Int(image.sample_bits)
    most = Double((1 << bits) - 1)
    let step = Double(1 << (bits - 8))
    let isFull = [.bt601_full, .bt709_full, .bt2020_full].contains(image.yuv)
    black = isFull ? 0 : 16 * step
    lumaScale = isFull ? 255 / most : 255 / (219 * step)
    center = 128 * step
    chromaScale = isFull ? 255 / most : 255 / (224 * step)
    let (red, blue): (Double, Double) =
      switch image.yuv {
      case .bt709_video, .bt709_full: (0.2126, 0.0722)
      case .bt2020_video, .bt2020_full: (0.2627, 0.0593)
      default: (0.299, 0.114)
      }
    let green = 1 - red - blue
    redV = 2 * (1 - red)
    blueU = 2 * (1 - blue)
    greenU = -2 * blue * (1 - blue) / green
    greenV = -2 * red * (1 - red) / green
  }

  /// One sample of a plane.
  private func sample(_ plane: Int, _ column: Int, _ row: Int) -> Double {
    let samples = planes[plane]
    guard let data = samples.data else { return center }
    let at = data + row * Int(samples.row_bytes) + column * Int(samples.step)
    return isWord ? Double(Int(at[0]) | Int(at[1]) << 8) : Double(at[0])
  }

  func color(_ column: Int, _ row: Int) -> (UInt8, UInt8, UInt8) {
    guard image.format == .planar else { return packedColor(column, row) }
    if isColor {
      let levels = (0..<3).map { sample($0, column, row) * 255 / most }
      return (Self.byte(levels[0]), Self.byte(levels[1]), Self.byte(levels[2]))
    }
    let y = (sample(0, column, row) - black) * lumaScale
    if isGray { return (Self.byte(y), Self.byte(y), Self.byte(y)) }
    let (x, line) = (column >> Int(image.chroma_shifts.0), row >> Int(image.chroma_shifts.1))
    let u = (sample(1, x, line) - center) * chromaScale
    let v = (sample(2, x, line) - center) * chromaScale
    return (
      Self.byte(y + redV * v), Self.byte(y + greenU * u + greenV * v), Self.byte(y + blueU * u)
    )
  }

  /// A pixel of bytes that lie together.
  private func packedColor(_ column: Int, _ row: Int) -> (UInt8, UInt8, UInt8) {
    let line = image.data + row * Int(image.row_bytes)
    switch image.format {
    case .rgb: return (line[3 * column], line[3 * column + 1], line[3 * column + 2])
    case .bgr: return (line[3 * column + 2], line[3 * column + 1], line[3 * column])
    case .rgba: return (line[4 * column], line[4 * column + 1], line[4 * column + 2])
    case .bgra: return (line[4 * column + 2], line[4 * column + 1], line[4 * column])
    default: return (line[column], line[column], line[column])
    }
  }

  private static func byte(_ level: Double) -> UInt8 { UInt8(min(max(level, 0), 255) + 0.5) }
}
