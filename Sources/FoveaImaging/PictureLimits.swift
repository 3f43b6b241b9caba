// Fovea - how large a picture may be.
// SPDX-License-Identifier: Apache-2.0

/// What a picture file may ask for. Checked before memory is allocated.
///
/// Apart from these limits a picture is refused whose claimed size no file of its length can hold:
/// a byte of Huffman-coded JPEG holds at most 1024 pixels (one bit a block of 8 x 8, half as many
/// blocks with odd sampling), and deflate, inside PNG, makes at most 1032 bytes of one. So what is allocated stays proportional to the file.
public struct PictureLimits: Hashable, Sendable {
  /// Largest number of pixels, width times height.
  public var maximumPixels: Int
  /// Largest number of bytes in a file.
  public var maximumFileBytes: Int

  /// Limits of `maximumPixels` (2^27, 134 million, unless told) and `maximumFileBytes` (2^28,
  /// 256 MiB).
  public init(maximumPixels: Int = 1 << 27, maximumFileBytes: Int = 1 << 28) {
    self.maximumPixels = maximumPixels
    self.maximumFileBytes = maximumFileBytes
  }

  /// 134 million pixels in at most 256 MiB.
  public static let standard = PictureLimits()
}
