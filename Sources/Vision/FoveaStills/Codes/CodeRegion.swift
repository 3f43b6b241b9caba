// Fovea - where a code lies, and its pixels in the form that a library reads best.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaStills
internal import FoveaGeometry

extension StillPicture {
  /// The rough corners of the code that a detector's box is about; see `fov_code_region`.
  ///
  /// - Parameters:
  ///   - box: In pixels, from the upper left.
  ///   - share: How strong gradients are inside, as a part of their median: less gives larger ones.
  func codeCorners(in box: ImageRect, share: Double) -> PixelQuad? {
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: fov_code_region_memory_bytes(), alignment: 16)
    defer { bytes.deallocate() }
    var corners = [Double](repeating: 0, count: 8)
    let status = gray.pixels.withUnsafeBufferPointer { levels in
      var image = fov_still_image(
        bytes: levels.baseAddress, row_bytes: width, width: Int32(width), height: Int32(height),
        channels: 1)
      var bounds = fov_code_box(
        left: box.minX, top: box.minY, right: box.maxX, bottom: box.maxY)
      return fov_code_region(&image, &bounds, share, OpaquePointer(bytes), &corners)
    }
    guard status == 0 else { return nil }
    let points = (0..<4).map { SIMD2(corners[2 * $0], corners[2 * $0 + 1]) }
    return PixelQuad(points[0], points[1], points[2], points[3])
  }
}

/// A part of a picture, rectified, and the way back.
struct RectifiedCode {
  /// The gray levels, with a margin around the code.
  let picture: GrayImage
  /// The map from its pixels to those of the picture it is from.
  let map: PerspectiveMap
  /// Its pixels for each of the picture it is from.
  let scale: Double

  /// What lies in corners, so that its longer side has `side` pixels, or more where the picture has more.
  init?(_ source: StillPicture, _ corners: PixelQuad, side: Double) {
    var (width, height) = (corners.meanWidth, corners.meanHeight)
    let longer = max(width, height)
    guard longer >= 8, min(width, height) >= 3 else { return nil }
    let scale = max(side / longer, min(1, 1000 / longer))
    (width, height) = (width * scale, height * scale)
    if min(width, height) > 0.75 * max(width, height) {
      // Most codes that are nearly square are square.
      width = max(width, height)
      height = width
    }
    let margin = max(0.12 * min(width, height), 0.04 * max(width, height)).rounded(.up)
    guard let inner = PerspectiveMap(rectangle: width, height, to: corners.corners) else {
      return nil
    }
    let outer = PixelQuad(
      x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin)
    let (columns, rows) = (Int(width + 2 * margin), Int(height + 2 * margin))
    let mapped = outer.corners.map { inner($0) }
    let quad = PixelQuad(mapped[0], mapped[1], mapped[2], mapped[3])
    guard mapped.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 }),
      let map = PerspectiveMap(rectangle: Double(columns), Double(rows), to: quad.corners),
      let picture = source.rectifiedGray(quad, width: columns, height: rows)
    else { return nil }
    (self.picture, self.map, self.scale) = (picture, map, scale)
  }

  /// The corners of something in its pixels, in pixels of the picture it is from.
  func source(of quad: PixelQuad) -> PixelQuad {
    let points = quad.corners.map { map($0) }
    return PixelQuad(points[0], points[1], points[2], points[3])
  }
}

extension GrayImage {
  /// The picture with edges that are stronger by `amount`, as against windows of 2 `radius` + 1 pixels.
  func sharpened(radius: Int, amount: Float) -> GrayImage {
    var memory = [Float](repeating: 0, count: width * height + max(width, height))
    let levels = [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
      fov_sharpen(
        pixels, Int32(width), Int32(height), Int32(radius), amount, &memory, target.baseAddress)
      count = width * height
    }
    return GrayImage(width: width, height: height, pixels: levels)
  }

  /// The picture with lines of light, or dark, pixels that are wider by one pixel at both sides.
  func widened(light: Bool) -> GrayImage {
    let levels = [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
      fov_widen(pixels, Int32(width), Int32(height), light, target.baseAddress)
      count = width * height
    }
    return GrayImage(width: width, height: height, pixels: levels)
  }
}
