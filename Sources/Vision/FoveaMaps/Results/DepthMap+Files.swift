// Fovea - maps of depth as files.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging
public import FoveaRuntime

extension DepthMap {
  /// What a level of `pngBytes()` stands for: depth = level * `step` + `least`. 0 means that the
  /// network did not see a pixel.
  public struct Levels: Hashable, Sendable {
    /// The depth between two levels.
    public let step: Float
    /// The depth of level 0.
    public let least: Float
  }

  /// Millimeters for meters, up to 65.535 m. Of a relative measure, the least depth is level 1 and the
  /// greatest 65535.
  public var levels: Levels {
    guard unit == .relative, let range else { return Levels(step: 0.001, least: 0) }
    let step = (range.upperBound - range.lowerBound) / 65_534
    // One depth alone is level 1.
    guard step > 0 else { return Levels(step: 1, least: range.lowerBound - 1) }
    return Levels(step: step, least: range.lowerBound - step)
  }

  /// A PNG file of gray pixels, 16 bits each; `levels` says what they stand for.
  ///
  /// - Throws: `.traitDisabled` in a build without PNG; `.notEncodable`.
  public func pngBytes() throws(ImageError) -> [UInt8] {
    let levels = levels
    let samples = values.map { depth -> UInt16 in
      let level = ((depth - levels.least) / levels.step).rounded()
      return level.isNaN ? 0 : UInt16(min(max(level, 1), 65_535))
    }
    return try PNGMaps.gray16(width: width, height: height, samples: samples)
  }

  /// The depths as an array of [height, width], which writes .npy files.
  ///
  /// - Throws: `outOfMemory`.
  public func tensor() throws(FoveaError) -> Tensor {
    try Tensor(shape: [height, width], floats: values)
  }

  /// The depths as colors: from dark violet for the least over red to bright yellow for the greatest.
  /// Pixels that were not seen are black.
  public func colored() throws(ImageError) -> Image {
    let least = range?.lowerBound ?? 0
    let extent = (range?.upperBound ?? 0) - least
    var rgb = [UInt8](repeating: 0, count: values.count * 3)
    for (pixel, depth) in values.enumerated() where !depth.isNaN {
      let part = extent > 0 ? (depth - least) / extent : 0
      let color = DepthColors.color(part.isNaN ? 0 : part)
      for channel in 0..<3 { rgb[pixel * 3 + channel] = UInt8(color[channel].rounded()) }
    }
    return try Image(width: width, height: height, rgb: rgb)
  }
}

/// Colors that grow brighter from end to end.
private enum DepthColors {
  private static let stops: [SIMD3<Float>] = [
    SIMD3(20, 10, 50), SIMD3(95, 20, 110), SIMD3(190, 50, 85), SIMD3(245, 130, 40),
    SIMD3(250, 240, 160),
  ]

  /// The color at a part, 0...1, of the way.
  static func color(_ part: Float) -> SIMD3<Float> {
    let place = min(max(part, 0), 1) * Float(stops.count - 1)
    let first = min(Int(place), stops.count - 2)
    return stops[first] + (stops[first + 1] - stops[first]) * (place - Float(first))
  }
}
