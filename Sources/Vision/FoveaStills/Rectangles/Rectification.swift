// Fovea - upright pictures of what lies in four corners.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging
public import FoveaVision

extension QuadrilateralProviding {
  /// What lies between the corners, as an upright image: what a camera saw aslant becomes a rectangle.
  ///
  /// Without a size, sides are as long as the longest ones in the image. Their ratio is that of the thing
  /// itself as the perspective tells it, under the assumption that the image is a whole photograph: that
  /// its center is where the camera pointed.
  ///
  /// - Parameters:
  ///   - image: The image in which the corners were found.
  ///   - orientation: How to turn the stored image; `nil` for what it says itself.
  ///   - width: The number of columns; `nil` for what fits the height, or the corners.
  ///   - height: The number of rows; `nil` for what fits the width, or the corners.
  /// - Throws: `.detection` for an image that cannot be read; `.invalidRequest` for corners that make no
  ///   convex quadrilateral, and for sizes outside 1...16,384.
  /// - Complexity: O(pixels of the result and of the image).
  public func image(
    of image: some ImageConvertible, orientation: ImageOrientation? = nil, width: Int? = nil,
    height: Int? = nil
  ) throws(StillError) -> Image {
    try self.image(
      in: StillPicture(decoding: image, orientation: orientation), width: width, height: height)
  }

  /// As `image(of:orientation:width:height:)`, of a picture that is decoded.
  package func image(
    in picture: StillPicture, width: Int? = nil, height: Int? = nil
  ) throws(StillError) -> Image {
    let longest = RectifiedSize.longestSide
    for (name, value) in [("width", width), ("height", height)] {
      guard let value, !(1...longest).contains(value) else { continue }
      throw .invalidRequest("\(name) is \(value); expected 1...\(longest)")
    }
    let quad = picture.pixels(of: self)
    let size = RectifiedSize(of: quad, in: picture).fitted(width: width, height: height)
    guard let result = picture.rectified(quad, width: size.width, height: size.height) else {
      throw .invalidRequest(
        "the corners make no convex quadrilateral: "
          + quad.corners.map { "(\($0.x), \($0.y))" }.joined(separator: ", "))
    }
    return result
  }
}

extension StillPicture {
  /// Corners in fractions of the full image as pixels of this picture; `quadrilateral(_:)` turned around.
  package func pixels(of quad: some QuadrilateralProviding) -> PixelQuad {
    let corners = quad.corners.map { corner in
      let point = corner.toImageCoordinates(fullSize, origin: .upperLeft)
      return SIMD2(point.x - Double(place.x), point.y - Double(place.y))
    }
    return PixelQuad(corners[0], corners[1], corners[2], corners[3])
  }
}

/// The size that a rectangle has when it is seen from the front.
package struct RectifiedSize: Hashable, Sendable {
  /// The longest side of a result, in pixels.
  package static let longestSide = 16_384

  /// The number of columns and rows, not yet whole.
  package let width: Double
  package let height: Double

  /// The size of a quadrilateral in a picture: as long as the longest sides, in the thing's own ratio.
  package init(of quad: PixelQuad, in picture: StillPicture) {
    let sides = quad.sides
    let (wide, high) = (max(sides[0], sides[2], 1), max(sides[1], sides[3], 1))
    let size = SIMD2(Double(picture.fullSize.width), Double(picture.fullSize.height))
    let center = size / 2 - SIMD2(Double(picture.place.x), Double(picture.place.y))
    let ratio = trueRatio(of: quad, center: center, longerSide: size.max()) ?? wide / high
    // Neither side becomes shorter than it is seen.
    (width, height) = wide / high < ratio ? (high * ratio, high) : (wide, wide / ratio)
  }

  /// Whole numbers, with the sides that are given.
  package func fitted(width: Int?, height: Int?) -> (width: Int, height: Int) {
    func whole(_ value: Double) -> Int {
      Int(min(max(value.rounded(), 1), Double(Self.longestSide)))
    }
    switch (width, height) {
    case (let width?, let height?): return (width, height)
    case (let width?, nil): return (width, whole(Double(width) * self.height / self.width))
    case (nil, let height?): return (whole(Double(height) * self.width / self.height), height)
    case (nil, nil):
      let scale = min(1, Double(Self.longestSide) / max(self.width, self.height))
      return (whole(self.width * scale), whole(self.height * scale))
    }
  }
}

/// The ratio of width to height of a rectangle, of which a camera with square pixels that points to
/// `center` saw the corners (Zhang and He 2007, "Whiteboard scanning and image enhancement").
///
/// Where the corners tell no focal length between a half and three times the picture's longer side, it
/// is taken as 1.2 times that. The ratio is `nil` where it would be far from the one that is seen.
private func trueRatio(
  of quad: PixelQuad, center: SIMD2<Double>, longerSide: Double
) -> Double? {
  // Units in which numbers are about 1.
  let rays = quad.corners.map { corner -> SIMD3<Double> in
    let p = (corner - center) / longerSide
    return SIMD3(p.x, p.y, 1)
  }
  let (a, b, d, c) = (rays[0], rays[1], rays[2], rays[3])
  let across = cross(a, d)
  let right = dot(across, c) / dot(cross(b, d), c) * b - a
  let down = dot(across, b) / dot(cross(c, d), b) * c - a
  // Squares of lengths, in units of the longer side.
  let plane = (right.x * down.x + right.y * down.y, right.z * down.z)
  let told = -plane.0 / plane.1
  let focal = told >= 0.25 && told <= 9 ? told : 1.44
  func length(_ v: SIMD3<Double>, _ focal: Double) -> Double {
    ((v.x * v.x + v.y * v.y) / focal + v.z * v.z).squareRoot()
  }
  let seen = quad.meanWidth / quad.meanHeight
  let ratio = length(right, focal) / length(down, focal)
  return ratio.isFinite && ratio > seen / 2 && ratio < seen * 2 ? ratio : nil
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
