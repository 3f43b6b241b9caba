// Fovea - a decoded image.
// SPDX-License-Identifier: Apache-2.0

/// A decoded image: 8-bit red, green, blue, rows from the top, without padding.
///
/// Pixels are as the file stores them; `storedOrientation` says how to turn them, and `upright()`
/// does it. Colors are taken as sRGB: embedded color profiles are ignored, which
/// `hasColorProfile` tells (PNG's gamma chunk is not: libpng applies it). CMYK becomes RGB by
/// multiplying with black. Samples of 16 bits are rounded to the nearest of 8, v * 255 / 65535.
/// Alpha is ignored unless a color is given to lie below it (`ImageAlpha`).
public struct Image: Equatable, Sendable {
  /// Number of columns as stored, before any turning.
  public let width: Int
  /// Number of rows as stored, before any turning.
  public let height: Int
  /// The samples, height x width x 3: pixel (x, y) has its red at `(y * width + x) * 3`.
  public let rgb: [UInt8]
  /// The EXIF orientation of the file, 1...8; 1 where there is none or an invalid one.
  public let storedOrientation: Int
  /// Number of columns that the file has: more than `width` if the image was reduced.
  public let fullWidth: Int
  /// Number of rows that the file has: more than `height` if the image was reduced.
  public let fullHeight: Int
  /// How many pixels of the file, on each axis, a pixel here stands for: 1, or 2, 4, 8 after a
  /// reduction. Column x covers the file's columns `x * reductionFactor ..< (x + 1) *
  /// reductionFactor`, the last one (as stored) perhaps some beyond the edge; rows alike.
  public let reductionFactor: Int
  /// Whether the file embeds a color profile (ICC), which is not applied.
  public let hasColorProfile: Bool

  /// An image of given samples.
  ///
  /// - Parameters:
  ///   - width: Number of columns, at least 1.
  ///   - height: Number of rows, at least 1.
  ///   - rgb: height x width x 3 samples.
  ///   - storedOrientation: EXIF orientation; what is not 1...8 counts as 1.
  /// - Throws: `.noPixels` or `.wrongSampleCount`.
  public init(
    width: Int, height: Int, rgb: [UInt8], storedOrientation: Int = 1
  ) throws(ImageError) {
    guard width > 0, height > 0 else {
      throw ImageError(.noPixels(width: width, height: height))
    }
    let (pixels, tooMany) = width.multipliedReportingOverflow(by: height)
    let (samples, tooManySamples) = pixels.multipliedReportingOverflow(by: 3)
    guard !tooMany, !tooManySamples, rgb.count == samples else {
      let expected = tooMany || tooManySamples ? Int.max : samples
      throw ImageError(.wrongSampleCount(expected: expected, found: rgb.count))
    }
    self.init(
      width: width, height: height, rgb: rgb,
      storedOrientation: (1...8).contains(storedOrientation) ? storedOrientation : 1,
      fullWidth: width, fullHeight: height, reductionFactor: 1, hasColorProfile: false)
  }

  /// The samples that a decoder made of a file with `header`; their count is right by construction.
  init(_ header: ImageHeader, rgb: [UInt8], reductionFactor: Int = 1) {
    self.init(
      width: header.width.dividedRoundingUp(by: reductionFactor),
      height: header.height.dividedRoundingUp(by: reductionFactor), rgb: rgb,
      storedOrientation: header.orientation, fullWidth: header.width, fullHeight: header.height,
      reductionFactor: reductionFactor, hasColorProfile: header.hasColorProfile)
  }

  /// For values that are right by construction.
  init(
    width: Int, height: Int, rgb: [UInt8], storedOrientation: Int, fullWidth: Int, fullHeight: Int,
    reductionFactor: Int, hasColorProfile: Bool
  ) {
    (self.width, self.height, self.rgb) = (width, height, rgb)
    self.storedOrientation = storedOrientation
    (self.fullWidth, self.fullHeight) = (fullWidth, fullHeight)
    (self.reductionFactor, self.hasColorProfile) = (reductionFactor, hasColorProfile)
  }

  /// The image in a file.
  ///
  /// - Parameters:
  ///   - path: The file; its name does not matter, its content does.
  ///   - limits: What the file may ask for.
  ///   - reduction: How far a JPEG may be reduced on the way; it says what that does to the pixels.
  ///   - alpha: What becomes of transparency.
  /// - Throws: Any reason of `ImageError` that concerns reading, with the file named.
  public init(
    contentsOf path: String, limits: ImageLimits = .standard,
    reduction: ImageReduction = .none, alpha: ImageAlpha = .ignored
  ) throws(ImageError) {
    self = try ImageFile(contentsOf: path, limits: limits)
      .decoded(reduction: reduction, alpha: alpha)
  }

  /// The image in the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a JPEG, PNG or WebP file.
  ///   - limits: What the file may ask for.
  ///   - reduction: How far a JPEG may be reduced on the way; it says what that does to the pixels.
  ///   - alpha: What becomes of transparency.
  /// - Throws: `.emptyFile`, `.notAnImage`, `.unsupportedFormat`, `.traitDisabled`, `.animation`,
  ///   `.truncated`, `.damaged` or a reason that concerns the size.
  public init(
    bytes: [UInt8], limits: ImageLimits = .standard, reduction: ImageReduction = .none,
    alpha: ImageAlpha = .ignored
  ) throws(ImageError) {
    self = try ImageFile(bytes: bytes, limits: limits)
      .decoded(reduction: reduction, alpha: alpha)
  }

  /// Calls `body` with the samples, height x width x 3, without copying them.
  public func withPixels<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(rgb.span)
  }
}
