// Fovea - pixels of any layout as the planes that a follower reads.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaRuntime

extension FollowedImage {
  /// Lends pixels as `layout` describes them. Ranges and matrices of Y, U and V do not matter, since
  /// a follower compares pictures with one another.
  static func withPixels<Result>(
    _ pixels: RawSpan, _ layout: PixelLayout,
    _ body: (FollowedImage) throws(FollowingError) -> Result
  ) throws(FollowingError) -> Result {
    func colors(
      _ pixelBytes: Int, _ order: (red: UInt8, green: UInt8, blue: UInt8)
    ) throws(FollowingError) -> Result {
      let plane = plane(layout, pixelBytes: pixelBytes)
      return try withColors(pixels, plane, order: order, body)
    }
    func planes(
      _ luma: Plane, _ blue: Plane?, _ red: Plane?
    ) throws(FollowingError) -> Result {
      try withPlanes(luma: pixels, luma, blue: pixels, blue, red: pixels, red, body)
    }
    let pairs = layout.width / 2 + layout.width % 2
    switch layout.format {
    case .rgb: return try colors(3, (0, 1, 2))
    case .bgr: return try colors(3, (2, 1, 0))
    case .rgba: return try colors(4, (0, 1, 2))
    case .bgra: return try colors(4, (2, 1, 0))
    case .gray: return try planes(plane(layout, pixelBytes: 1), nil, nil)
    case .nv12:
      // An offset that no memory has stays one: it is refused.
      let blue = Plane(
        width: pairs, height: layout.height / 2 + layout.height % 2,
        rowBytes: layout.chromaRowBytes, pixelBytes: 2, offset: layout.chromaOffset)
      var red = blue
      red.offset = blue.offset &+ 1
      return try planes(plane(layout, pixelBytes: 1), blue, red)
    case .yuyv:
      let blue = Plane(
        width: pairs, height: layout.height, rowBytes: layout.rowBytes, pixelBytes: 4, offset: 1)
      var red = blue
      red.offset = 3
      return try planes(plane(layout, pixelBytes: 2), blue, red)
    }
  }

  /// The plane of all pixels.
  private static func plane(_ layout: PixelLayout, pixelBytes: Int) -> Plane {
    Plane(
      width: layout.width, height: layout.height, rowBytes: layout.rowBytes,
      pixelBytes: pixelBytes)
  }
}
