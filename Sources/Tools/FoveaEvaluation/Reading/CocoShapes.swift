// Fovea - COCO's masks and key points, as evaluations compare them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
internal import FoveaGeometry
internal import FoveaShapes

extension CocoShape {
  /// The mask in an image.
  ///
  /// - Parameters:
  ///   - size: Of the image, where it is known; outlines cannot do without.
  ///   - object: What the mask is of, for the error.
  /// - Throws: `.inconsistent`.
  func mask(
    imageSize size: ImageSize?, of object: String, path: String
  ) throws(EvaluationError) -> MaskRunLengths? {
    guard let segmentation else { return nil }
    let mask: MaskRunLengths?
    switch segmentation {
    case .outlines(let outlines):
      guard let size else {
        throw .inconsistent(
          path: path,
          reason: "\(object) has outlines, and its image states no width and height; add them")
      }
      mask = MaskRunLengths(imageSize: size, outlines: outlines)
    case .lengths(let lengths, let sides):
      mask = MaskRunLengths(imageSize: Self.size(sides), lengths: lengths)
    case .text(let text, let sides):
      mask = MaskRunLengths(imageSize: Self.size(sides), text: text)
    }
    guard let mask else {
      throw .inconsistent(
        path: path,
        reason: "the mask of \(object) is damaged: its runs do not fill its rows and columns, or "
          + "its outline is too long; export it again")
    }
    guard size == nil || mask.imageSize == size else {
      throw .inconsistent(
        path: path,
        reason: "the mask of \(object) is for \(mask.imageSize), and its image is \(size!)")
    }
    return mask
  }

  private static func size(_ sides: [Int]) -> ImageSize {
    ImageSize(width: sides[1], height: sides[0])
  }

  /// The places of all points, `nil` for those that nobody labeled.
  var labeledPoints: [PixelPoint?]? {
    keypoints.map { numbers in
      stride(from: 0, to: numbers.count, by: 3).map {
        numbers[$0 + 2] > 0 ? PixelPoint(x: numbers[$0], y: numbers[$0 + 1]) : nil
      }
    }
  }

  /// The places of all points, whatever their confidences.
  var foundPoints: [PixelPoint]? {
    keypoints.map { numbers in
      stride(from: 0, to: numbers.count, by: 3).map {
        PixelPoint(x: numbers[$0], y: numbers[$0 + 1])
      }
    }
  }
}

extension PixelBox {
  /// The least box around the pixels of a mask.
  init(around mask: MaskRunLengths) {
    let box = InstanceMask(mask).boundingBox
      .toImageCoordinates(mask.imageSize, origin: .upperLeft)
    self.init(x: box.x, y: box.y, width: box.width, height: box.height)
  }

  /// The least box around points; `nil` without any.
  init?(around points: [PixelPoint]) {
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
      let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
    else { return nil }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }
}
