// Fovea - the pixels of an image in memory, as they are stored.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging
package import FoveaRuntime

/// The pixels of an image in memory, as they are stored. Nothing is turned: the orientation is part
/// of the map through which the network's input is sampled.
package struct DecodedPixels: Sendable {
  package let bytes: [UInt8]
  package let layout: PixelLayout
  /// How many pixels of the full image, on each axis, a pixel stands for.
  package let reductionFactor: Int
  /// The part of the pixels that a file says are transparent.
  package private(set) var transparentShare = 0.0

  /// Pixels of any layout.
  init(bytes: [UInt8], layout: PixelLayout, reductionFactor: Int = 1) {
    self.bytes = bytes
    self.layout = layout
    self.reductionFactor = reductionFactor
  }

  /// The pixels of an image, which are shared and not copied.
  init(_ image: Image) {
    self.init(
      bytes: image.rgb,
      layout: PixelLayout(format: .rgb, width: image.width, height: image.height),
      reductionFactor: image.reductionFactor)
    transparentShare = image.transparentShare
  }

  /// Whether the image was not reduced, or not further than `reduction` allows.
  func isEnough(for reduction: ImageReduction) -> Bool {
    if reductionFactor == 1 { return true }
    guard case .covering(let width, let height) = reduction else { return false }
    return layout.width >= width && layout.height >= height
  }
}
