// Fovea - an upright picture, and what requests on it share.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging
internal import FoveaLibc
package import FoveaVision

/// An upright picture that requests look at, and what they share: its gray levels, and what the
/// detector that comes with Fovea has found in it.
///
/// A picture may be a region of another one. Requests work in its own pixels; `quadrilateral(_:)` turns
/// what they found into fractions of the full image.
public final class StillPicture: Sendable {
  /// The pixels: red, green and blue, upright.
  package let image: Image
  /// Where the picture lies in the full upright image, in pixels from its upper left.
  package let place: SIMD2<Int>
  /// The size of the full upright image.
  package let fullSize: ImageSize

  /// The picture with other colors behind its transparent pixels; empty where it has none.
  private let otherGrounds: [PictureGround]

  private let memory = Locked(Memory())

  /// What is computed at first use.
  private struct Memory {
    var gray: GrayImage?
    var found: [RecognizedObjectObservation]?
    var parts: [NormalizedRect: StillPicture] = [:]
  }

  /// A picture of an upright image, or of a region of a larger one.
  private init(
    _ image: Image, place: SIMD2<Int>, fullSize: ImageSize, otherGrounds: [PictureGround] = []
  ) {
    (self.image, self.place, self.fullSize) = (image, place, fullSize)
    self.otherGrounds = otherGrounds
  }

  /// The picture of an image, which is turned upright.
  package convenience init(_ image: Image) {
    let upright = image.upright()
    self.init(
      upright, place: .zero, fullSize: ImageSize(width: upright.width, height: upright.height))
  }

  /// The picture of a file with transparency, turned upright: ink on a transparent ground is meant for
  /// paper, so white lies behind it.
  package convenience init(
    transparent source: ImageSource, _ orientation: ImageOrientation
  ) throws(DetectionError) {
    let pixels = try source.removing(.composed(red: 255, green: 255, blue: 255)).decoded(.none)
    let upright = try pixels.upright(orientation)
    var grounds: [PictureGround] = []
    if pixels.transparentShare >= Self.leastTransparentShare {
      // Light ink, and colors that are stored behind transparent pixels.
      for alpha in [ImageAlpha.composed(red: 0, green: 0, blue: 0), .ignored] {
        grounds.append(PictureGround(source: source, alpha: alpha, orientation: orientation))
      }
    }
    self.init(
      upright, place: .zero, fullSize: ImageSize(width: upright.width, height: upright.height),
      otherGrounds: grounds)
  }

  /// Below it, nothing is lost on any ground.
  private static let leastTransparentShare = 0.01

  /// What is found in this picture, or else what is found with other colors behind its transparent
  /// pixels.
  ///
  /// - Parameter isFound: Whether there is no need to look further.
  package func found<Found>(
    _ find: (StillPicture) throws(StillError) -> Found, isFound: (Found) -> Bool
  ) throws(StillError) -> Found {
    let first = try find(self)
    if isFound(first) { return first }
    for ground in otherGrounds {
      let picture: StillPicture
      do throws(DetectionError) {
        picture = StillPicture(try ground.image(), place: place, fullSize: fullSize)
      } catch {
        throw .detection(error)
      }
      let found = try find(picture)
      if isFound(found) { return found }
    }
    return first
  }

  /// The number of columns.
  package var width: Int { image.width }
  /// The number of rows.
  package var height: Int { image.height }

  /// The gray levels: 0.299 R + 0.587 G + 0.114 B. Computed at first use.
  package var gray: GrayImage {
    memory.withLock { memory in
      if let gray = memory.gray { return gray }
      let gray = GrayImage(width: width, height: height, pixels: grayLevels(image.rgb))
      memory.gray = gray
      return gray
    }
  }

  /// What the detector that comes with Fovea finds in this picture: codes, lines of text, documents, at
  /// a confidence of at least 0.05. Boxes are fractions of this picture, from its lower left. The
  /// detector runs at first use.
  ///
  /// - Throws: `.detection`.
  package var shippedFindings: [RecognizedObjectObservation] {
    get throws(StillError) {
      try memory.withLock { memory throws(StillError) in
        if let found = memory.found { return found }
        let found = try ShippedDetector.find(in: image)
        memory.found = found
        return found
      }
    }
  }

  // MARK: Regions

  /// A part of the picture, the same for all that ask for it. The full image is the picture itself.
  ///
  /// - Parameter region: In fractions of this picture, from the lower left.
  /// - Throws: `.invalidRequest` for a region that is empty or leaves the image.
  package func part(_ region: NormalizedRect) throws(StillError) -> StillPicture {
    if region == .fullImage { return self }
    let size = ImageSize(width: width, height: height)
    let rect = region.toImageCoordinates(size, origin: .upperLeft)
    // Sums of fractions may end a rounding beyond 1.
    let most = 1 + 1e-9
    guard region.width > 0, region.height > 0, region.x >= 0, region.y >= 0,
      region.x + region.width <= most, region.y + region.height <= most
    else {
      throw .invalidRequest(
        "regionOfInterest is (\(region)); expected a part of the image, in fractions of its sides")
    }
    return memory.withLock { memory in
      if let part = memory.parts[region] { return part }
      let part = cut(rect)
      memory.parts[region] = part
      return part
    }
  }

  /// All pixels that a rectangle touches.
  private func cut(_ rect: ImageRect) -> StillPicture {
    let (left, top) = (min(Int(rect.minX), width - 1), min(Int(rect.minY), height - 1))
    let right = min(max(Int(rect.maxX.rounded(.up)), left + 1), width)
    let bottom = min(max(Int(rect.maxY.rounded(.up)), top + 1), height)
    let cut = image.cut(left: left, top: top, width: right - left, height: bottom - top)
    return StillPicture(cut, place: place &+ SIMD2(left, top), fullSize: fullSize)
  }

  // MARK: Coordinates

  /// Corners in pixels of this picture as fractions of the full image.
  package func quadrilateral(_ quad: PixelQuad) -> Quadrilateral {
    let points = quad.corners.map { point(at: $0) }
    return Quadrilateral(
      topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
  }

  /// A point in pixels of this picture as fractions of the full image.
  package func point(at pixel: SIMD2<Double>) -> NormalizedPoint {
    NormalizedPoint(
      imagePoint: ImagePoint(
        x: pixel.x + Double(place.x), y: pixel.y + Double(place.y), origin: .upperLeft),
      in: fullSize)
  }

  /// A box of `shippedFindings` in pixels of this picture, cut at its edges.
  package func pixels(of box: NormalizedRect) -> ImageRect {
    box.clamped.toImageCoordinates(ImageSize(width: width, height: height), origin: .upperLeft)
  }
}

/// A file whose transparency is removed in some way.
private struct PictureGround {
  let source: ImageSource
  let alpha: ImageAlpha
  let orientation: ImageOrientation

  /// The pixels, upright.
  func image() throws(DetectionError) -> Image {
    try source.removing(alpha).uprightImage(orientation)
  }
}

extension Image {
  /// The part of an upright image that begins at column `left` and row `top` and lies inside.
  fileprivate func cut(left: Int, top: Int, width: Int, height: Int) -> Image {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for row in top..<top + height {
      let start = (row * self.width + left) * 3
      pixels.append(contentsOf: rgb[start..<start + width * 3])
    }
    return Image(uprightRGB: pixels, width: width, height: height)
  }
}

/// Rounded levels of interleaved red, green and blue, as the core rounds them.
private func grayLevels(_ rgb: [UInt8]) -> [UInt8] {
  let count = rgb.count / 3
  return [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
    for index in 0..<count {
      let red = Double(rgb[3 * index]), green = Double(rgb[3 * index + 1])
      let level = 0.299 * red + 0.587 * green + 0.114 * Double(rgb[3 * index + 2])
      target.initializeElement(at: index, to: UInt8(level + 0.5))
    }
    initialized = count
  }
}
