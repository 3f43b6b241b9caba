// Fovea - how large a video may be, and how long it may keep its reader waiting.
// SPDX-License-Identifier: Apache-2.0

/// Upper bounds for a source of moving pictures.
public struct VideoLimits: Hashable, Sendable {
  /// The greatest number of pixels of a picture, width times height.
  public var maximumPixels = 1 << 26
  /// The greatest number of bytes of one coded picture of a Motion JPEG.
  public var maximumPictureBytes = 1 << 26
  /// The most seconds that opening may take.
  public var openingSeconds = 15.0
  /// The most seconds without a picture, after which a live source counts as lost.
  public var readingSeconds = 10.0

  /// 67 million pixels; 15 seconds to open, 10 without a picture.
  public static let standard = VideoLimits()

  /// Creates the standard limits, to change some.
  public init() {}
}
