// Fovea - decoding fewer pixels than a file has.
// SPDX-License-Identifier: Apache-2.0

/// How far an image may be reduced while it is decoded, before anything samples it.
///
/// Only JPEG is: its decoder computes 4 x 4, 2 x 2 or 1 pixel of a block of 8 x 8 from the block's
/// low frequencies. What comes out is near the mean of the pixels that are replaced and not equal to
/// it: frequencies above are cut off and not averaged, each block for itself, so sharp edges ring a
/// little. On 128 photographs of COCO (4:4:4) the mean absolute difference is 0.44 levels of 255 at
/// each scale, the largest 13 at 1/2, 6 at 1/4 and 4 at 1/8; with 4:2:0 the mean is 0.5. Colors that
/// are stored at half resolution on one axis only (4:2:2) are at half the reduced resolution too:
/// means of 0.6 to 1.9, and tens of levels at colored edges. Without a reduction every pixel is
/// the decoder's own.
///
/// The scales between, which the decoder also has, take longer than the next larger one (1920 x
/// 1080: 5/8 5.5 ms, 3/8 3.5 ms, where 1 takes 4.0 ms and 1/2 3.0 ms), so they are not used.
public enum ImageReduction: Hashable, Sendable {
  /// All pixels.
  case none
  /// The least of the scales 1, 1/2, 1/4 and 1/8 that leaves at least so many columns and rows of
  /// the stored image, which lies on its side where the orientation is 5...8.
  case covering(width: Int, height: Int)

  /// How many pixels, on each axis, one decoded pixel of a JPEG of this size replaces: 1, 2, 4, 8.
  func factor(width: Int, height: Int) -> Int {
    guard case .covering(let leastWidth, let leastHeight) = self else { return 1 }
    // TurboJPEG finds the scale by the size that it gives, which is unique from 64 pixels on.
    guard width >= 64, height >= 64 else { return 1 }
    let fitting = [8, 4, 2].first {
      width.dividedRoundingUp(by: $0) >= leastWidth
        && height.dividedRoundingUp(by: $0) >= leastHeight
    }
    return fitting ?? 1
  }
}

extension Int {
  /// The quotient of a positive number, rounded up.
  func dividedRoundingUp(by divisor: Int) -> Int { (self - 1) / divisor + 1 }
}
