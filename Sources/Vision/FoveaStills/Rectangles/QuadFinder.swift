// Fovea - quadrilaterals in the pixels of a picture.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaStills
internal import FoveaImaging
internal import FoveaLibc

/// Finds quadrilaterals in the pixels of a picture, or of a part of one; see `fov_quads.h`.
///
///     let codes = try QuadFinder(minimumSize: 0.3).find(in: box)
package struct QuadFinder: Hashable, Sendable {
  /// The length of the shortest side, as a fraction of the picture's shorter side.
  package var minimumSize: Double
  /// The least ratio of the shorter to the longer side, 0...1.
  package var minimumAspectRatio: Double
  /// The greatest ratio of the shorter to the longer side, 0...1.
  package var maximumAspectRatio: Double
  /// By how many degrees angles may differ from 90, 0...45.
  package var quadratureToleranceDegrees: Double
  /// The least confidence, 0...1.
  package var minimumConfidence: Double
  /// The number of quadrilaterals that are reported at most; 0 for no limit.
  package var maximumCount: Int

  /// A quadrilateral that was found.
  package struct Found: Hashable, Sendable {
    /// The corners in pixels of the picture: clockwise, from the one that is upper left in it.
    package let quad: PixelQuad
    /// How likely it is a thing of its own, and no part of a pattern, 0...1.
    package let confidence: Float
  }

  /// What is looked for. Sides of at least 8 pixels and a 17th of the picture's shorter side are found.
  package init(
    minimumSize: Double = 0.1, minimumAspectRatio: Double = 0, maximumAspectRatio: Double = 1,
    quadratureToleranceDegrees: Double = 45, minimumConfidence: Double = 0.5, maximumCount: Int = 0
  ) {
    self.minimumSize = minimumSize
    self.minimumAspectRatio = minimumAspectRatio
    self.maximumAspectRatio = maximumAspectRatio
    self.quadratureToleranceDegrees = quadratureToleranceDegrees
    self.minimumConfidence = minimumConfidence
    self.maximumCount = maximumCount
  }

  /// Quadrilaterals in the colors of a picture, the most confident first.
  ///
  /// - Throws: `.invalidRequest` for a picture with a side of more than 65,535 pixels.
  /// - Complexity: O(pixels), and about 25 ms of one thread beyond a megapixel.
  package func find(in picture: StillPicture) throws(StillError) -> [Found] {
    try find(picture.image.rgb, picture.width, picture.height, channels: 3)
  }

  /// Quadrilaterals in gray levels, the most confident first.
  ///
  /// - Throws: `.invalidRequest` for a picture with a side of more than 65,535 pixels.
  package func find(in picture: GrayImage) throws(StillError) -> [Found] {
    try find(picture.pixels, picture.width, picture.height, channels: 1)
  }

  private func find(
    _ bytes: [UInt8], _ width: Int, _ height: Int, channels: Int
  ) throws(StillError) -> [Found] {
    guard max(width, height) <= Int(FOV_QUADS_SIDE_MAX) else {
      throw .invalidRequest(
        "the picture has \(width) x \(height) pixels; "
          + "quadrilaterals are found in at most \(FOV_QUADS_SIDE_MAX) on a side")
    }
    let limit = Int(FOV_QUADS_COUNT_MAX)
    let capacity = maximumCount > 0 ? min(maximumCount, limit) : limit
    var limits = fov_quad_limits(
      minimum_size: Float(minimumSize), minimum_aspect: Float(minimumAspectRatio),
      maximum_aspect: Float(maximumAspectRatio),
      maximum_cosine: Float(sin(quadratureToleranceDegrees * .pi / 180)),
      minimum_confidence: Float(minimumConfidence))
    var finder: OpaquePointer?
    guard fov_quad_finder_create(Int32(width), Int32(height), Int32(channels), &finder) == .ok
    else {
      throw .libraryFailed("no memory for finding quadrilaterals in \(width) x \(height) pixels")
    }
    defer { fov_quad_finder_destroy(finder) }
    var count: Int32 = 0
    var status = fov_quads_status.ok
    let quads = bytes.withUnsafeBufferPointer { source in
      [fov_quad](unsafeUninitializedCapacity: capacity) { target, initialized in
        var picture = fov_still_image(
          bytes: source.baseAddress, row_bytes: width * channels, width: Int32(width),
          height: Int32(height), channels: Int32(channels))
        status = fov_quad_finder_find(
          finder, &picture, &limits, Int32(capacity), target.baseAddress, &count)
        initialized = Int(count)
      }
    }
    precondition(status == .ok, "a finder of this picture's size")
    return quads.map { found in
      let c = found.corners
      return Found(
        quad: PixelQuad(SIMD2(c.0, c.1), SIMD2(c.2, c.3), SIMD2(c.4, c.5), SIMD2(c.6, c.7)),
        confidence: found.confidence)
    }
  }
}
