// Fovea - decoding fewer pixels than a file has.
// SPDX-License-Identifier: Apache-2.0

/// How far an image may be reduced while it is decoded.
///
/// Only JPEG files are reduced. The decoder computes 4 x 4, 2 x 2 or 1 pixel of a block of 8 x 8
/// from the low frequencies of the block. A new pixel is close to the mean of the pixels that it
/// replaces, but not equal: high frequencies are cut off, not averaged, so that sharp edges ring a
/// little.
///
/// Difference from the mean on 128 photographs of COCO, in levels of 255:
///
/// * 4:4:4: 0.44 on average at each scale; at most 13 at 1/2, 6 at 1/4 and 4 at 1/8.
/// * 4:2:0: 0.5 on average.
/// * 4:2:2: 0.6 to 1.9 on average, and tens of levels at colored edges, since the colors have half
///   the reduced resolution along one axis.
///
/// The other scales of the decoder, such as 5/8, are slower than the next larger scale and not
/// used. For 1920 x 1080: 5/8 takes 5.5 ms and 1 takes 4.0 ms; 3/8 takes 3.5 ms and 1/2 takes 3.0
/// ms.
public enum ImageReduction: Hashable, Sendable {
  /// No reduction: all pixels are decoded.
  case none
  /// The smallest of the scales 1, 1/2, 1/4 and 1/8 that leaves at least so many columns and rows
  /// of the stored image. Orientations 5...8 exchange the two.
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
