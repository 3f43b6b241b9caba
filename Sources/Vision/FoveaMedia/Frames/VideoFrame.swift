// Fovea - one picture of a video, where its decoder left it.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
package import FoveaGeometry
package import FoveaCore

/// One picture of a video, where its decoder left it. Copies share the memory.
///
/// Its samples are never written while a frame holds them. A reader uses the memory again after the
/// last copy is gone.
package struct VideoFrame: @unchecked Sendable {  // points into `memory`, which nobody writes
  /// What keeps the samples alive.
  let memory: AnyObject
  /// The samples.
  let image: fov_image
  /// Whether the rows of `image` begin at the bottom of the picture.
  package let isBottomUp: Bool
  /// The place among the pictures that the source gave, from 0.
  package var index = 0
  /// The time in seconds that a viewer sees: from the start of the source, never falling.
  package var time = 0.0
  /// The time in ticks that the source itself states; `nil` where it states none.
  package var ticks: Int64?
  /// The time in seconds that the source itself states; `nil` where it states none.
  package var statedTime: Double?
  /// Whether `time` is a guess, because the source states no usable one.
  package var isTimeEstimated = false
  /// When the picture was there, on the monotonic clock, in nanoseconds.
  package var arrival: UInt64 = 0
  /// Whether it can be decoded without others.
  package var isKey = false
  /// Whether the decoder filled in what was damaged.
  package var isDamaged = false
  /// How it is woven of two fields; `nil` for a progressive picture.
  package var interlacing: Interlacing?
  /// How the stored picture must be turned to stand upright.
  package var orientation = ImageOrientation.up
  /// The width of a pixel divided by its height.
  package var pixelAspect = 1.0
  /// What the source calls the kind of its pixels.
  package var pixelName = ""

  /// Which field of a woven picture was seen first.
  package enum Interlacing: Sendable, Hashable {
    case topFirst, bottomFirst
  }

  /// A frame of samples that `memory` holds.
  init(memory: AnyObject, image: fov_image, isBottomUp: Bool = false) {
    self.memory = memory
    self.image = image
    self.isBottomUp = isBottomUp
  }

  /// The size of the stored picture: neither turned nor stretched by the aspect of its pixels.
  package var size: ImageSize { ImageSize(width: Int(image.width), height: Int(image.height)) }

  /// How what `withPlanes` lends must be turned to stand upright.
  package var planesOrientation: ImageOrientation {
    isBottomUp ? orientation.afterFlippingRows : orientation
  }

  /// Lends the samples.
  package func withPlanes<Result, Failure: Error>(
    _ body: (PixelPlanes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(memory) {} }
    return try body(PixelPlanes(image))
  }
}

extension ImageOrientation {
  /// The orientation of the same picture with its rows stored from the bottom.
  package var afterFlippingRows: ImageOrientation {
    switch self {
    case .up: .downMirrored
    case .upMirrored: .down
    case .down: .upMirrored
    case .downMirrored: .up
    case .leftMirrored: .right
    case .right: .leftMirrored
    case .rightMirrored: .left
    case .left: .rightMirrored
    }
  }
}
