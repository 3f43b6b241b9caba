// Fovea - where everything of an image lies in a network's input, and back.
// SPDX-License-Identifier: Apache-2.0

/// Where positions of an image lie in a network's input, and back.
///
/// A geometry stores six values: the size of the stored image, its orientation, the region of
/// interest, the action, the anchor of the padding, and the size of the network's input. Everything
/// else follows from them: the part that the network sees (`cropRect`), the padding (`padding`),
/// and the maps between input, upright image and stored image (`map(from:to:)`,
/// `convert(_:from:to:)`).
///
///     let geometry = try ImageGeometry(
///       storedSize: ImageSize(width: 1920, height: 1080), cropAndScaleAction: .centerCrop,
///       modelSize: ImageSize(width: 416, height: 416))
///     geometry.cropRect  // x 420, y 0, width 1080, height 1080
///     geometry.convert(NormalizedRect.fullImage, from: .model, to: .upright)
///
/// **Nothing is rounded to whole pixels.** A crop may have 455.11 columns. Positions are
/// continuous: pixel i covers the interval from i to i + 1. Only the choice of the pixels that are
/// read, and of those that are padding, has a rounding rule; see `ImageSampling`.
///
/// Properties that are rectangles in pixels count from the upper left.
public struct ImageGeometry: Hashable, Codable, Sendable {
  /// The size of the full image as stored, before it is turned upright.
  public let storedSize: ImageSize
  /// How the stored image is turned upright.
  public let orientation: ImageOrientation
  /// The part of the upright image that the network sees, as it was given.
  public let regionOfInterest: NormalizedRect
  /// How the region is brought to the size of the network's input.
  public let cropAndScaleAction: ImageCropAndScaleAction
  /// Where the padding lies, if there is any.
  public let paddingAnchor: PaddingAnchor
  /// The size of the network's input.
  public let modelSize: ImageSize

  /// The greatest side of an image, and of an input: 2^31 - 1 pixels.
  package static let maximumSide = Int(Int32.max)

  /// By how much an edge of a region may lie outside the image, as a fraction of the image's
  /// side: more than the sum of two fractions in float32 is wrong by.
  static let regionTolerance = 1e-6

  /// The sides of a region must be greater than this fraction of the image's: something remains
  /// when the edges have been moved in.
  static let leastRegionSide = 2 * regionTolerance

  /// Creates the geometry of an image in a network's input.
  ///
  /// - Parameters:
  ///   - storedSize: The size of the image as stored.
  ///   - orientation: How the stored image is turned upright.
  ///   - regionOfInterest: A part of the **upright** image. A region that leaves the image is
  ///     refused, not cut, since a cut region would show something else. An edge that is outside by
  ///     less than a millionth of the side counts as a rounding error, and is moved in.
  ///   - cropAndScaleAction: How the region is brought to the size of the input.
  ///   - paddingAnchor: Where the padding lies, for the actions that scale to fit.
  ///   - modelSize: The size of the network's input.
  /// - Throws: `.invalidImageSize`, `.invalidModelSize`, `.invalidRegion`.
  public init(
    storedSize: ImageSize, orientation: ImageOrientation = .up,
    regionOfInterest: NormalizedRect = .fullImage,
    cropAndScaleAction: ImageCropAndScaleAction = .scaleToFill,
    paddingAnchor: PaddingAnchor = .centered, modelSize: ImageSize
  ) throws(GeometryError) {
    guard storedSize.isWithinLimits else { throw .invalidImageSize(storedSize) }
    guard modelSize.isWithinLimits else { throw .invalidModelSize(modelSize) }
    guard regionOfInterest.isRegionOfInterest else { throw .invalidRegion(regionOfInterest) }
    self.storedSize = storedSize
    self.orientation = orientation
    self.regionOfInterest = regionOfInterest
    self.cropAndScaleAction = cropAndScaleAction
    self.paddingAnchor = paddingAnchor
    self.modelSize = modelSize
  }

  /// Decodes a geometry and checks it as the other initializer does.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    do {
      try self.init(
        storedSize: values.decode(ImageSize.self, forKey: .storedSize),
        orientation: values.decode(ImageOrientation.self, forKey: .orientation),
        regionOfInterest: values.decode(NormalizedRect.self, forKey: .regionOfInterest),
        cropAndScaleAction: values.decode(
          ImageCropAndScaleAction.self, forKey: .cropAndScaleAction),
        paddingAnchor: values.decode(PaddingAnchor.self, forKey: .paddingAnchor),
        modelSize: values.decode(ImageSize.self, forKey: .modelSize))
    } catch let error as GeometryError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.description))
    }
  }

  // MARK: What is seen

  /// The size of the full upright image.
  public var uprightSize: ImageSize { orientation.uprightSize(of: storedSize) }

  /// The region of interest in pixels of the upright image.
  package var regionRect: ImageRect {
    let (width, height) = (Double(uprightSize.width), Double(uprightSize.height))
    let x = max(0, regionOfInterest.x) * width
    let y = max(0, regionOfInterest.verticallyFlipped().y) * height
    return ImageRect(
      x: x, y: y, width: min(regionOfInterest.width * width, width - x),
      height: min(regionOfInterest.height * height, height - y), origin: .upperLeft)
  }

  /// The part of the upright image that the network sees, in pixels: the region, cut by
  /// `centerCrop`.
  public var cropRect: ImageRect { turnedToUpright(placement.crop) }

  /// The part of the network's input that shows the image, in pixels of the input. The rest is
  /// padding.
  public var contentRect: ImageRect { placement.content }

  /// The padding of the network's input.
  package var padding: ImagePadding {
    let content = contentRect
    return ImagePadding(
      top: content.minY, left: content.minX,
      bottom: max(0, Double(modelSize.height) - content.maxY),
      right: max(0, Double(modelSize.width) - content.maxX))
  }

  // MARK: Between upright and turned by the action

  /// The size of the upright image after the action's turn.
  var turnedSize: ImageSize { cropAndScaleAction.turn.uprightSize(of: uprightSize) }

  /// The part that is seen and where it lands, in the image turned by the action.
  var placement: CropPlacement {
    let turn = cropAndScaleAction.turn.uprightMap(storedSize: uprightSize)
    return CropPlacement(
      region: turn(regionRect), action: cropAndScaleAction, anchor: paddingAnchor,
      model: modelSize)
  }

  /// `rect` of the image turned by the action, before that turn.
  private func turnedToUpright(_ rect: ImageRect) -> ImageRect {
    cropAndScaleAction.turn.inverse.uprightMap(storedSize: turnedSize)(rect)
  }
}

extension ImageSize {
  /// Whether an image of this size has a geometry.
  package var isWithinLimits: Bool {
    let sides = 1...ImageGeometry.maximumSide
    return sides.contains(width) && sides.contains(height)
  }
}

extension NormalizedRect {
  /// Whether the rectangle has an area and lies inside the image, but for errors of rounding.
  fileprivate var isRegionOfInterest: Bool {
    let (least, greatest) = (-ImageGeometry.regionTolerance, 1 + ImageGeometry.regionTolerance)
    // A comparison with NaN is false.
    return x >= least && y >= least && maxX <= greatest && maxY <= greatest
      && width > ImageGeometry.leastRegionSide && height > ImageGeometry.leastRegionSide
  }
}
