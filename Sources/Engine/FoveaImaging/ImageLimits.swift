// Fovea - how large an image may be.
// SPDX-License-Identifier: Apache-2.0

/// Upper bounds for an image file, checked before memory is allocated.
///
/// A file is also refused if it cannot hold an image of the size that it states. Memory thus stays
/// proportional to the file:
///
/// * Huffman-coded JPEG needs at least a bit for a block of 8 x 8, or for two with unusual
///   sampling: at most 1024 pixels a byte.
/// * PNG: deflate expands a byte to at most 1032.
/// * Lossy WebP needs more than 2 bits for the prediction modes of a block of 16 x 16, whose
///   probabilities are fixed (RFC 6386, section 11): fewer than 1024 pixels a byte.
/// * Lossless WebP may need no bits for an image of one color. It may have 2^24 pixels (4096 x
///   4096), and 1024 more for each byte.
/// * HEIC and AVIF images, and those of TIFF, may be flat, too: 2^24 pixels, and for each byte 16,384
///   of HEIC and AVIF and 4096 bytes of TIFF. GIF: 2^22 pixels, and 4096 more for each byte.
/// * BMP files hold their pixels, or runs of at most 255 in 2 bytes and 2^22 pixels that are skipped.
///
/// The limits are for the size that a file states, also when it is decoded at a reduced scale.
public struct ImageLimits: Hashable, Sendable {
  /// The greatest number of pixels, width times height.
  public var maximumPixels: Int
  /// The greatest number of bytes of a file.
  public var maximumFileBytes: Int

  /// Creates limits. The defaults are 2^27 pixels (134 million) and 2^28 bytes (256 MiB).
  public init(maximumPixels: Int = 1 << 27, maximumFileBytes: Int = 1 << 28) {
    self.maximumPixels = maximumPixels
    self.maximumFileBytes = maximumFileBytes
  }

  /// 134 million pixels in at most 256 MiB.
  public static let standard = ImageLimits()
}

extension ImageLimits {
  /// Refuses a claimed size that is empty, above the limit, or more than the file can hold.
  ///
  /// - Parameter mostPixels: The most pixels that a file of this length can code; `nil` where the
  ///   format sets no bound.
  func check(
    _ header: ImageHeader, mostPixels: Int?, fileBytes: Int
  ) throws(ImageError) {
    let (width, height) = (header.width, header.height)
    guard width > 0, height > 0 else {
      throw ImageError(.noPixels(width: width, height: height))
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= maximumPixels, pixels <= Int.max / 8 else {
      throw ImageError(.tooManyPixels(width: width, height: height, limit: maximumPixels))
    }
    if let mostPixels, pixels > mostPixels {
      throw ImageError(.impossibleSize(width: width, height: height, fileBytes: fileBytes))
    }
  }
}

extension Int {
  /// The product of two non-negative numbers, or `Int.max` where it is larger.
  func saturatingProduct(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  /// The sum of two non-negative numbers, or `Int.max` where it is larger.
  func addingSaturated(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
