// Fovea - what luma and chroma mean: their matrix and range.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// What luma and chroma of 8 bits mean, as `fov_image.h` states it.
package struct SampleCoding: Hashable, Sendable {
  /// The share of red and of blue in luma.
  let red, blue: Double
  /// Whether all levels are used; else luma has 16...235 and chroma 16...240.
  let isFullRange: Bool

  /// BT.601 of full range: that of JPEG.
  package static let jpeg = SampleCoding(red: 0.299, blue: 0.114, isFullRange: true)
  /// BT.601 of limited range: what is meant where nothing is said.
  package static let unspecified = SampleCoding(red: 0.299, blue: 0.114, isFullRange: false)
  /// BT.709 of limited range.
  package static let highDefinition = SampleCoding(red: 0.2126, blue: 0.0722, isFullRange: false)
  /// BT.2020 of limited range.
  static let ultraHighDefinition = SampleCoding(red: 0.2627, blue: 0.0593, isFullRange: false)

  private var green: Double { 1 - red - blue }

  private init(red: Double, blue: Double, isFullRange: Bool) {
    (self.red, self.blue, self.isFullRange) = (red, blue, isFullRange)
  }

  /// That of an image; `nil` for planes of colors.
  init?(_ encoding: fov_yuv_encoding) {
    let limited: SampleCoding
    switch encoding {
    case .bt601_video, .bt601_full: limited = .unspecified
    case .bt709_video, .bt709_full: limited = .highDefinition
    case .bt2020_video, .bt2020_full: limited = .ultraHighDefinition
    case .rgb: return nil
    }
    let isFull = [.bt601_full, .bt709_full, .bt2020_full].contains(encoding)
    self.init(red: limited.red, blue: limited.blue, isFullRange: isFull)
  }

  /// The same matrix and another range.
  func withRange(isFull: Bool) -> SampleCoding {
    SampleCoding(red: red, blue: blue, isFullRange: isFull)
  }

  /// The level of black, and the levels up to white; those of chroma from end to end.
  var black: Double { isFullRange ? 0 : 16 }
  private var lumaLevels: Double { isFullRange ? 255 : 219 }
  private var chromaLevels: Double { isFullRange ? 255 : 224 }

  /// Luma and chroma of a color of 0...255, not rounded.
  func samples(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let luma = red * color.x + green * color.y + blue * color.z
    let u = (color.z - luma) / (2 * (1 - blue))
    let v = (color.x - luma) / (2 * (1 - red))
    return SIMD3(
      black + luma * lumaLevels / 255, 128 + u * chromaLevels / 255, 128 + v * chromaLevels / 255)
  }

  /// The color of samples, not rounded and not cut to 0...255.
  func color(_ samples: SIMD3<Double>) -> SIMD3<Double> {
    let luma = (samples.x - black) * 255 / lumaLevels
    let u = (samples.y - 128) * 255 / chromaLevels
    let v = (samples.z - 128) * 255 / chromaLevels
    let (r, b) = (luma + 2 * (1 - red) * v, luma + 2 * (1 - blue) * u)
    return SIMD3(r, (luma - red * r - blue * b) / green, b)
  }

  /// The samples of a color.
  package func samples(red: UInt8, green: UInt8, blue: UInt8) -> (UInt8, UInt8, UInt8) {
    let exact = samples(SIMD3(Double(red), Double(green), Double(blue)))
    func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
    return (byte(exact.x), byte(exact.y), byte(exact.z))
  }
}

/// A linear map of three numbers in steps of 2^-16: of colors to samples, or of samples to others.
struct SampleMap {
  /// The rows of the matrix, and what is added; a half for rounding is included.
  private var first, second, third: (Int32, Int32, Int32, Int32)

  private static let one = 65536.0

  /// The map that does what a linear function does.
  private init(_ function: (SIMD3<Double>) -> SIMD3<Double>) {
    let zero = function(.zero)
    let columns = [SIMD3(1.0, 0, 0), SIMD3(0.0, 1, 0), SIMD3(0.0, 0, 1)].map { function($0) - zero }
    func row(_ index: Int) -> (Int32, Int32, Int32, Int32) {
      func fixed(_ value: Double) -> Int32 { Int32((value * Self.one).rounded()) }
      return (
        fixed(columns[0][index]), fixed(columns[1][index]), fixed(columns[2][index]),
        fixed(zero[index] + 0.5)
      )
    }
    (first, second, third) = (row(0), row(1), row(2))
  }

  /// From red, green and blue to samples.
  init(to coding: SampleCoding) { self.init(coding.samples) }

  /// From samples of one coding to those of another.
  init(from coding: SampleCoding, to other: SampleCoding) {
    self.init { other.samples(coding.color($0)) }
  }

  @inline(__always) private func apply(
    _ row: (Int32, Int32, Int32, Int32), _ a: Int32, _ b: Int32, _ c: Int32
  ) -> UInt8 {
    UInt8(clamping: (row.0 &* a &+ row.1 &* b &+ row.2 &* c &+ row.3) >> 16)
  }

  @inline(__always) func luma(_ a: Int32, _ b: Int32, _ c: Int32) -> UInt8 { apply(first, a, b, c) }

  /// Of mean colors, or of chroma, on which luma has no influence.
  @inline(__always) func chroma(_ a: Int32, _ b: Int32, _ c: Int32) -> (UInt8, UInt8) {
    (apply(second, a, b, c), apply(third, a, b, c))
  }
}
