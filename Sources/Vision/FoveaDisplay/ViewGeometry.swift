// Fovea - where a displayed image and its boxes lie in a view.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// How an image is brought to the size of a view.
public enum ViewContentMode: String, Hashable, Codable, Sendable, CaseIterable {
  /// Both axes are scaled alike. The whole image is visible and centered, between bars.
  case aspectFit
  /// Both axes are scaled alike. The image fills the view, is centered, and is cut at two ends.
  case aspectFill
  /// Each axis is scaled for itself. The whole image is visible and fills the view.
  case resize
}

/// Where an image and its boxes lie in a view that displays it.
///
/// The image is the full upright one, as in results. Make a new geometry when the view changes its
/// size.
///
///     let view = try ViewGeometry(
///       imageSize: ImageSize(width: 1080, height: 1920),
///       viewSize: ViewSize(width: 390, height: 844), contentMode: .aspectFit)
///     let frame = view.viewRect(for: object.boundingBox)
public struct ViewGeometry: Hashable, Codable, Sendable {
  /// The size of the upright image in pixels.
  public let imageSize: ImageSize
  /// The size of the view in points.
  public let viewSize: ViewSize
  /// How the image is brought to the size of the view.
  public let contentMode: ViewContentMode

  /// Creates the geometry of an upright image of `imageSize` in a view of `viewSize`.
  ///
  /// - Throws: `.invalidImageSize`, `.invalidViewSize`.
  public init(
    imageSize: ImageSize, viewSize: ViewSize, contentMode: ViewContentMode
  ) throws(GeometryError) {
    guard imageSize.isWithinLimits else { throw .invalidImageSize(imageSize) }
    guard viewSize.isPossible else {
      throw .invalidViewSize(width: viewSize.width, height: viewSize.height)
    }
    self.imageSize = imageSize
    self.viewSize = viewSize
    self.contentMode = contentMode
  }

  /// Decodes a geometry and checks it as the other initializer does.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    do {
      try self.init(
        imageSize: values.decode(ImageSize.self, forKey: .imageSize),
        viewSize: values.decode(ViewSize.self, forKey: .viewSize),
        contentMode: values.decode(ViewContentMode.self, forKey: .contentMode))
    } catch let error as GeometryError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.description))
    }
  }

  // MARK: The image

  /// The frame of the whole image in the view. With `.aspectFill`, it may be larger than the view.
  public var imageFrame: ViewRect {
    let (columns, rows) = (Double(imageSize.width), Double(imageSize.height))
    var (width, height) = (viewSize.width, viewSize.height)
    let isWider = columns * height >= rows * width
    switch (contentMode, isWider) {
    case (.resize, _): break
    case (.aspectFit, true), (.aspectFill, false): height = rows * width / columns
    case (.aspectFit, false), (.aspectFill, true): width = columns * height / rows
    }
    return ViewRect(
      x: (viewSize.width - width) / 2, y: (viewSize.height - height) / 2, width: width,
      height: height)
  }

  /// The part of the image that the view shows.
  public var visibleRect: NormalizedRect {
    normalizedRect(
      for: ViewRect(x: 0, y: 0, width: viewSize.width, height: viewSize.height)
    ).clamped
  }

  /// The map from pixels of the upright image, counted from the upper left, to points of the
  /// view.
  package var map: AffineMap {
    let frame = imageFrame
    return AffineMap(
      a: frame.width / Double(imageSize.width), b: 0, c: 0,
      d: frame.height / Double(imageSize.height), tx: frame.x, ty: frame.y)
  }

  // MARK: Converting

  /// The rectangle of the view for a rectangle of the image. It is not cut.
  public func viewRect(for rect: NormalizedRect) -> ViewRect {
    let (frame, flipped) = (imageFrame, rect.verticallyFlipped())
    return ViewRect(
      x: frame.x + flipped.x * frame.width, y: frame.y + flipped.y * frame.height,
      width: flipped.width * frame.width, height: flipped.height * frame.height)
  }

  /// The point of the view for a point of the image.
  public func viewPoint(for point: NormalizedPoint) -> ViewPoint {
    let (frame, flipped) = (imageFrame, point.verticallyFlipped())
    return ViewPoint(
      x: frame.x + flipped.x * frame.width, y: frame.y + flipped.y * frame.height)
  }

  /// The rectangle of the image under a rectangle of the view. It is not cut: outside the image,
  /// coordinates are outside 0...1.
  public func normalizedRect(for rect: ViewRect) -> NormalizedRect {
    let frame = imageFrame
    return NormalizedRect(
      x: (rect.x - frame.x) / frame.width, y: (rect.y - frame.y) / frame.height,
      width: rect.width / frame.width, height: rect.height / frame.height
    ).verticallyFlipped()
  }

  /// The point of the image under a point of the view, such as a touch.
  public func normalizedPoint(for point: ViewPoint) -> NormalizedPoint {
    let frame = imageFrame
    return NormalizedPoint(
      x: (point.x - frame.x) / frame.width, y: (point.y - frame.y) / frame.height
    ).verticallyFlipped()
  }
}

extension ImageGeometry {
  /// The geometry of the upright image in a view.
  ///
  /// - Throws: `.invalidViewSize`.
  public func display(
    in viewSize: ViewSize, contentMode: ViewContentMode
  ) throws(GeometryError) -> ViewGeometry {
    try ViewGeometry(imageSize: uprightSize, viewSize: viewSize, contentMode: contentMode)
  }
}

extension ViewSize {
  /// The sides that a view may have in points; sizes beyond could not be divided by each other.
  fileprivate static let possibleSides = 1e-9...1e9

  /// Whether both sides are possible.
  fileprivate var isPossible: Bool {
    Self.possibleSides.contains(width) && Self.possibleSides.contains(height)
  }
}
