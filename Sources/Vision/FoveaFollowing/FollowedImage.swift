// Fovea - the planes of a picture that a follower reads where they lie.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaFollow

/// The planes of a picture that a follower reads where they lie. Its memory is borrowed, so that a
/// value is valid only inside the closure that gives it.
package struct FollowedImage {
  /// How the bytes of one plane lie.
  package struct Plane: Equatable, Sendable {
    /// Pixels of this plane.
    package var width, height: Int
    /// Bytes from a row, and from a pixel, to the next.
    package var rowBytes, pixelBytes: Int
    /// The first byte of the plane in its memory.
    package var offset: Int

    package init(width: Int, height: Int, rowBytes: Int, pixelBytes: Int = 1, offset: Int = 0) {
      self.width = width
      self.height = height
      self.rowBytes = rowBytes
      self.pixelBytes = pixelBytes
      self.offset = offset
    }

    /// Whether a plane of which every pixel takes `used` bytes lies within `count` bytes.
    func fits(_ count: Int, used: Int) -> Bool {
      let side = Int(FOV_FOLLOW_SIDE_MAX)
      guard (1...side).contains(width), (1...side).contains(height),
        (used...16).contains(pixelBytes), offset >= 0, offset <= count,
        rowBytes >= (width - 1) * pixelBytes + used,
        rowBytes <= Int.max / (side + 1)
      else { return false }
      return count - offset >= (height - 1) * rowBytes + (width - 1) * pixelBytes + used
    }

    var core: fov_plane {
      fov_plane(
        bytes: nil, row_bytes: rowBytes, pixel_bytes: pixelBytes, width: width, height: height,
        weights: (0, 0, 0), bias: 0)
    }
  }

  let core: fov_picture

  /// Lends planes of luma and color differences, each in memory of its own. Gray pictures have no
  /// color differences. `pixelBytes` 2 reads interleaved color differences.
  package static func withPlanes<Result>(
    luma: RawSpan, _ lumaPlane: Plane, blue: RawSpan, _ bluePlane: Plane?, red: RawSpan,
    _ redPlane: Plane?, _ body: (FollowedImage) throws(FollowingError) -> Result
  ) throws(FollowingError) -> Result {
    try luma.lending { luma throws(FollowingError) in
      try blue.lending { blue throws(FollowingError) in
        try red.lending { red throws(FollowingError) in
          let picture = fov_picture(
            luma: try plane(lumaPlane, in: luma), blue: try plane(bluePlane, in: blue),
            red: try plane(redPlane, in: red))
          return try body(FollowedImage(core: picture))
        }
      }
    }
  }

  /// Lends interleaved pixels. `order` says at which byte of a pixel red, green and blue lie.
  package static func withColors<Result>(
    _ pixels: RawSpan, _ layout: Plane, order: (red: UInt8, green: UInt8, blue: UInt8) = (0, 1, 2),
    _ body: (FollowedImage) throws(FollowingError) -> Result
  ) throws(FollowingError) -> Result {
    try pixels.lending { bytes throws(FollowingError) in
      guard layout.fits(bytes.count, used: 3), let base = bytes.baseAddress else {
        throw .invalidPicture
      }
      let places = [order.red, order.green, order.blue]
      guard Set(places) == [0, 1, 2] else { throw .invalidPicture }
      let picture = fov_picture_from_colors(
        base.advanced(by: layout.offset).assumingMemoryBound(to: UInt8.self), layout.rowBytes,
        layout.pixelBytes, layout.width, layout.height, places)
      return try body(FollowedImage(core: picture))
    }
  }

  private static func plane(
    _ layout: Plane?, in bytes: UnsafeRawBufferPointer
  ) throws(FollowingError) -> fov_plane {
    guard let layout else { return fov_plane() }
    guard layout.fits(bytes.count, used: 1), let base = bytes.baseAddress else {
      throw .invalidPicture
    }
    var plane = layout.core
    plane.bytes = base.advanced(by: layout.offset).assumingMemoryBound(to: UInt8.self)
    return plane
  }
}

extension RawSpan {
  /// `withUnsafeBytes` with typed errors.
  fileprivate func lending<Result>(
    _ body: (UnsafeRawBufferPointer) throws(FollowingError) -> Result
  ) throws(FollowingError) -> Result {
    let outcome = withUnsafeBytes { bytes -> Swift.Result<Result, FollowingError> in
      do throws(FollowingError) { return .success(try body(bytes)) } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
