// Fovea - parts of pictures in other sizes.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaImaging

/// A part of a picture, in fractions of its sides, and whether it is mirrored.
struct PicturePart: Sendable {
  var x = 0.0
  var y = 0.0
  var width = 1.0
  var height = 1.0
  var isMirroredAcross = false
  var isMirroredDown = false
}

/// Pixels that can be sampled: in rows, of 3 bytes or 1.
struct SampledPixels {
  let bytes: [UInt8]
  let width: Int
  let height: Int
  var format = PixelFormat.rgb

  init(_ image: Image) { self.init(rgb: image.rgb, width: image.width, height: image.height) }

  /// Red, green and blue of each pixel.
  init(rgb bytes: [UInt8], width: Int, height: Int) {
    (self.bytes, self.width, self.height) = (bytes, width, height)
  }

  /// Opacities or other numbers, one a pixel.
  init(gray bytes: [UInt8], width: Int, height: Int) {
    (self.bytes, self.width, self.height) = (bytes, width, height)
    format = .gray
  }

  /// A part in another size.
  ///
  /// - Parameters:
  ///   - channels: 3, or 1 for gray.
  ///   - filter: How pixels are mixed.
  /// - Throws: `.unsuitablePictures`.
  func sampled(
    _ part: PicturePart = PicturePart(), width: Int, height: Int, channels: Int,
    filter: fov_image_filter = .bilinear
  ) throws(TrainingError) -> [UInt8] {
    let (ownWidth, ownHeight) = (Double(self.width), Double(self.height))
    var sampling = fov_image_sampling()
    let (a, d) = (
      part.width * ownWidth / Double(width), part.height * ownHeight / Double(height)
    )
    sampling.map = fov_affine_map(
      a: part.isMirroredAcross ? -a : a, b: 0, c: 0, d: part.isMirroredDown ? -d : d,
      tx: (part.x + (part.isMirroredAcross ? part.width : 0)) * ownWidth,
      ty: (part.y + (part.isMirroredDown ? part.height : 0)) * ownHeight)
    sampling.source_columns = fov_pixel_range(begin: 0, end: self.width)
    sampling.source_rows = fov_pixel_range(begin: 0, end: self.height)
    (sampling.width, sampling.height, sampling.channels) = (width, height, channels)
    sampling.content_columns = fov_pixel_range(begin: 0, end: width)
    sampling.content_rows = fov_pixel_range(begin: 0, end: height)
    sampling.filter = filter
    let layout = PixelLayout(format: format, width: self.width, height: self.height)
    let count = width * height * channels
    var status = fov_status.ok
    let result = [UInt8](unsafeUninitializedCapacity: count) { target, written in
      bytes.withUnsafeBufferPointer { source in
        guard let data = source.baseAddress, let out = target.baseAddress else { return }
        var pixels = layout.image(at: data, count: source.count)
        status = fov_image_sample(&pixels, &sampling, out, count)
      }
      written = count
    }
    guard status == .ok else {
      throw TrainingError(.unsuitablePictures, "a view cannot be sampled: \(status)")
    }
    return result
  }
}
