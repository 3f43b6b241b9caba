// Fovea - a decoded image.
// SPDX-License-Identifier: Apache-2.0

/// A decoded image: 8-bit samples of red, green and blue, rows from the top, without padding.
///
/// Pixels are as the file stores them. `storedOrientation` says how to turn them, and `upright()`
/// turns them.
///
/// * Colors count as sRGB. An embedded color profile is ignored; `hasColorProfile` says whether
///   there is one. The gamma chunk of a PNG file is applied.
/// * CMYK becomes RGB: each ink is multiplied by black.
/// * Samples of 16 bits are rounded to 8: v * 255 / 65535, to the nearest.
/// * Alpha is ignored, or composed over a color; see `ImageAlpha`.
public struct Image: Equatable, Sendable {
  /// The number of columns as stored.
  public let width: Int
  /// The number of rows as stored.
  public let height: Int
  /// The samples, height x width x 3: pixel (x, y) has its red at `(y * width + x) * 3`.
  public let rgb: [UInt8]
  /// The EXIF orientation of the file, 1...8. It is 1 if the file has none or an invalid one.
  public let storedOrientation: Int
  /// The number of columns of the file: more than `width` if the image was reduced.
  package let fullWidth: Int
  /// The number of rows of the file: more than `height` if the image was reduced.
  package let fullHeight: Int
  /// The number of pixels of the file, along each axis, that a pixel replaces: 1, or 2, 4 or 8
  /// after a reduction. Column x covers the columns `x * reductionFactor ..< (x + 1) *
  /// reductionFactor` of the file, and rows likewise. The last column and row may reach beyond the
  /// edge.
  package let reductionFactor: Int
  /// Whether the file embeds a color profile (ICC), which is not applied.
  public let hasColorProfile: Bool
  /// The part of the file's pixels, 0 to 1, that are more transparent than opaque.
  package private(set) var transparentShare = 0.0

  /// Creates an image from samples.
  ///
  /// - Parameters:
  ///   - width: The number of columns, at least 1.
  ///   - height: The number of rows, at least 1.
  ///   - rgb: height x width x 3 samples.
  ///   - storedOrientation: The EXIF orientation. Values outside 1...8 count as 1.
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
  init(
    _ header: ImageHeader, rgb: [UInt8], reductionFactor: Int = 1, transparentShare: Double = 0
  ) {
    self.init(
      width: header.width.dividedRoundingUp(by: reductionFactor),
      height: header.height.dividedRoundingUp(by: reductionFactor), rgb: rgb,
      storedOrientation: header.orientation, fullWidth: header.width, fullHeight: header.height,
      reductionFactor: reductionFactor, hasColorProfile: header.hasColorProfile)
    self.transparentShare = transparentShare
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

  /// Reads and decodes a file.
  ///
  /// - Parameters:
  ///   - path: The file. Its content decides the format, not its name.
  ///   - limits: Upper bounds for the file.
  ///   - reduction: How far a JPEG may be reduced while it is decoded.
  ///   - alpha: How transparency is removed.
  /// - Throws: Any reason of `ImageError` for reading; the error names the file.
  public init(
    contentsOf path: String, limits: ImageLimits = .standard,
    reduction: ImageReduction = .none, alpha: ImageAlpha = .ignored
  ) throws(ImageError) {
    self = try ImageFile(contentsOf: path, limits: limits)
      .decoded(reduction: reduction, alpha: alpha)
  }

  /// Decodes the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a file of any `ImageFormat`.
  ///   - limits: Upper bounds for the file.
  ///   - reduction: How far a JPEG may be reduced while it is decoded.
  ///   - alpha: How transparency is removed.
  /// - Throws: `.emptyFile`, `.notAnImage`, `.rawPhotograph`, `.traitDisabled`,
  ///   `.libraryUnavailable`, `.animation`, `.truncated`, `.damaged`, or a reason that concerns the
  ///   size.
  public init(
    bytes: [UInt8], limits: ImageLimits = .standard, reduction: ImageReduction = .none,
    alpha: ImageAlpha = .ignored
  ) throws(ImageError) {
    self = try ImageFile(bytes: bytes, limits: limits)
      .decoded(reduction: reduction, alpha: alpha)
  }

  /// Lends the samples, height x width x 3, to `body`, without a copy.
  public func withPixels<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(rgb.span)
  }
}
