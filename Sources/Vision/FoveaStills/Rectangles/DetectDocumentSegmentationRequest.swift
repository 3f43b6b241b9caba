// Fovea - the request to find a document.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaVision

/// A request that finds the document in an image: the page, card or receipt that was photographed.
///
///     if let page = try DetectDocumentSegmentationRequest().perform(on: photograph) {
///       try page.image(of: photograph).write(to: "page.png", as: .png)
///     }
///
/// The detector that comes with Fovea says which rectangle is a document, and the rectangle finder where
/// its corners are. A corner may be hidden, or lie just outside the image: it is where two sides meet.
public struct DetectDocumentSegmentationRequest: StillRequest {
  /// The part of the upright image to look at.
  public var regionOfInterest = NormalizedRect.fullImage

  /// Creates a request.
  public init() {}

  /// The document in a picture; `nil` if there is none.
  ///
  /// - Throws: `.invalidRequest` for an empty region; `.detection`.
  public func result(
    in picture: StillPicture
  ) throws(StillError) -> DetectedDocumentObservation? {
    let part = try picture.part(regionOfInterest)
    guard let document = try DocumentFinder.find(in: part) else { return nil }
    let quad = part.quadrilateral(document.quad)
    return DetectedDocumentObservation(
      topLeft: quad.topLeft, topRight: quad.topRight, bottomRight: quad.bottomRight,
      bottomLeft: quad.bottomLeft, confidence: document.confidence)
  }
}

/// Chooses among rectangles the one that the detector calls a document.
enum DocumentFinder {
  /// The least confidence of the detector for a document without sides.
  private static let leastAlone: Float = 0.25
  /// The least confidence for a rectangle that the detector does not call a document.
  private static let leastUnnamed: Float = 0.5
  /// How much of the larger area a box and the box around a rectangle have to share to be one.
  private static let sameBox = 0.6

  /// A box that the detector calls a document, in pixels.
  private struct Named {
    let box: ImageRect
    let confidence: Float
  }

  static func find(in picture: StillPicture) throws(StillError) -> QuadFinder.Found? {
    let named = try picture.shippedFindings.filter { $0.bestLabel?.identifier == "document" }
      .map { Named(box: picture.pixels(of: $0.boundingBox), confidence: $0.confidence) }
    let found = try QuadFinder(minimumSize: 0.1, minimumConfidence: 0.02).find(in: picture)
    let area = Double(picture.width * picture.height)
    // Large ones are more likely what the picture was taken of.
    let ranked = found.compactMap { quad -> (found: QuadFinder.Found, rank: Double)? in
      let support = named.map { agreement(quad, $0) }.max() ?? 0
      let confidence = max(support, quad.confidence >= leastUnnamed ? quad.confidence * 0.5 : 0)
      guard confidence > 0 else { return nil }
      let rank = Double(confidence) * (quad.quad.area / area).squareRoot()
      return (.init(quad: quad.quad, confidence: confidence), rank)
    }
    let best = ranked.max { $0.rank < $1.rank }
    // The detector may be sure of a document whose sides are not among the best of the picture.
    guard let sure = named.max(by: { $0.confidence < $1.confidence }),
      sure.confidence >= leastAlone,
      (best?.found.confidence ?? 0) < sure.confidence * 0.5
    else { return best?.found }
    return try inside(sure, of: picture)
  }

  /// How sure it is that a rectangle is the document of a box.
  private static func agreement(_ quad: QuadFinder.Found, _ named: Named) -> Float {
    let common = overlap(bounds(of: quad.quad), named.box)
    guard common >= sameBox else { return 0 }
    // Either says that there is something; both have to say that it is the same.
    return 1 - (1 - named.confidence) * (1 - quad.confidence * Float(common))
  }

  /// The document in a box: by its sides, or else the box itself.
  private static func inside(
    _ named: Named, of picture: StillPicture
  ) throws(StillError) -> QuadFinder.Found {
    let (margin, box) = (0.15, named.box)
    let left = max(0, Int(box.minX - margin * box.width))
    let top = max(0, Int(box.minY - margin * box.height))
    let right = min(picture.width, Int(box.maxX + margin * box.width) + 1)
    let lower = min(picture.height, Int(box.maxY + margin * box.height) + 1)
    let size = SIMD2(Double(picture.width), Double(picture.height))
    let region = NormalizedRect(
      x: Double(left) / size.x, y: 1 - Double(lower) / size.y, width: Double(right - left) / size.x,
      height: Double(lower - top) / size.y)
    let part = try picture.part(region.clamped)
    let offset = SIMD2(
      Double(part.place.x - picture.place.x), Double(part.place.y - picture.place.y))
    for quad in try QuadFinder(minimumSize: 0.3, minimumConfidence: 0.01).find(in: part) {
      let moved = quad.quad.scaled(by: 1, movedBy: offset)
      if overlap(bounds(of: moved), box) >= sameBox {
        return .init(quad: moved, confidence: named.confidence)
      }
    }
    return .init(
      quad: PixelQuad(x: box.minX, y: box.minY, width: box.width, height: box.height),
      confidence: named.confidence / 2)
  }

  private static func bounds(of quad: PixelQuad) -> ImageRect {
    let (xs, ys) = (quad.corners.map(\.x), quad.corners.map(\.y))
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return ImageRect(
      x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top,
      origin: .upperLeft)
  }

  /// The area that both cover, over the area that any of them covers.
  private static func overlap(_ a: ImageRect, _ b: ImageRect) -> Double {
    let width = min(a.maxX, b.maxX) - max(a.minX, b.minX)
    let height = min(a.maxY, b.maxY) - max(a.minY, b.minY)
    guard width > 0, height > 0 else { return 0 }
    let common = width * height
    return common / (a.width * a.height + b.width * b.height - common)
  }
}
