// Fovea - an image in memory as it is stored, and how it stands upright.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime

/// An image in memory as it is stored. Nothing is turned: the orientation is part of the map
/// through which the network's input is sampled.
struct StoredImage: Sendable {
  /// The pixels, which may be fewer than the file has.
  let pixels: Pixels
  /// The size of the full image as stored.
  let fullSize: ImageSize
  /// How it is turned upright.
  let orientation: ImageOrientation

  /// Where pixels lie.
  enum Pixels: Sendable {
    case image(Image)
    case copy([UInt8], PixelLayout)
  }

  /// A decoded image, turned as `orientation` says, or as it says itself when that is `nil`.
  init(_ image: Image, orientation: ImageOrientation?) {
    pixels = .image(image)
    fullSize = ImageSize(width: image.fullWidth, height: image.fullHeight)
    self.orientation = orientation ?? ImageOrientation(exif: image.storedOrientation)
  }

  /// Pixels of any layout.
  init(_ bytes: [UInt8], _ layout: PixelLayout, orientation: ImageOrientation?) {
    pixels = .copy(bytes, layout)
    fullSize = ImageSize(width: layout.width, height: layout.height)
    self.orientation = orientation ?? .up
  }

  /// Samples the image into a session's input.
  ///
  /// - Throws: `.invalidRequest` for what has no geometry, `.runtime` for pixels that are fewer than
  ///   their layout says.
  func fill(
    _ session: Session, _ input: String, geometry: ImageGeometry, filter: ResamplingFilter
  ) throws(DetectionError) {
    switch pixels {
    case .image(let image):
      try image.withPixels { span throws(DetectionError) in
        try session.fill(
          input, from: span,
          layout: PixelLayout(format: .rgb, width: image.width, height: image.height),
          geometry: geometry, decodedScale: 1 / Double(image.reductionFactor), filter: filter)
      }
    case .copy(let bytes, let layout):
      try session.fill(
        input, from: bytes.span, layout: layout, geometry: geometry, filter: filter)
    }
  }
}
