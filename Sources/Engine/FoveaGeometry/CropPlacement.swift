// Fovea - which part of an image lands where in a network's input.
// SPDX-License-Identifier: Apache-2.0

/// Which part of an image lands where in a network's input.
///
/// Both rectangles count from the upper left. The image stands as the input sees it: turned by
/// `ImageCropAndScaleAction.turn`. No number is rounded to whole pixels.
struct CropPlacement {
  /// The part that is seen, in pixels of the image.
  var crop: ImageRect
  /// Where it lies in pixels of the input.
  var content: ImageRect
  /// Pixels of the image to a pixel of the input, along x.
  var scaleX: Double
  /// Pixels of the image to a pixel of the input, along y.
  var scaleY: Double

  /// The part of `region` that `action` shows in an input of size `model`.
  ///
  /// Which axis decides follows from the two aspects alone; an image that is wider than high may
  /// well be relatively higher than the input.
  init(
    region: ImageRect, action: ImageCropAndScaleAction, anchor: PaddingAnchor, model: ImageSize
  ) {
    let (columns, rows) = (Double(model.width), Double(model.height))
    let isWider = region.width * rows >= region.height * columns
    (scaleX, scaleY) = (region.width / columns, region.height / rows)
    crop = region
    content = ImageRect(x: 0, y: 0, width: columns, height: rows, origin: .upperLeft)
    switch action {
    case .scaleToFill, .scaleToFillPlus90CCWRotation:
      break
    case .scaleToFit, .scaleToFitPlus90CCWRotation:
      if isWider {
        scaleY = scaleX
        content.height = min(rows, region.height * columns / region.width)
        content.y = anchor == .centered ? (rows - content.height) / 2 : 0
      } else {
        scaleX = scaleY
        content.width = min(columns, region.width * rows / region.height)
        content.x = anchor == .centered ? (columns - content.width) / 2 : 0
      }
    case .centerCrop:
      if isWider {
        scaleX = scaleY
        crop.width = min(region.width, columns * region.height / rows)
        crop.x += (region.width - crop.width) / 2
      } else {
        scaleY = scaleX
        crop.height = min(region.height, rows * region.width / columns)
        crop.y += (region.height - crop.height) / 2
      }
    }
  }

  /// From pixels of the input to pixels of the image.
  var pixelMap: AffineMap {
    AffineMap(
      a: scaleX, b: 0, c: 0, d: scaleY,
      tx: crop.x - content.x * scaleX, ty: crop.y - content.y * scaleY)
  }

  /// From fractions of the input to fractions of the image, both from the upper left.
  ///
  /// `x = x * ax + ox` of the well-known tables: ax is what the input's whole width shows, as a
  /// fraction of the image. Computed apart from `pixelMap`, so that an image that fills the input
  /// gives the identity and not nearly the identity.
  func fractionMap(model: ImageSize, image: ImageSize) -> AffineMap {
    let (columns, rows) = (Double(model.width), Double(model.height))
    let (width, height) = (Double(image.width), Double(image.height))
    return AffineMap(
      a: columns * crop.width / (content.width * width), b: 0, c: 0,
      d: rows * crop.height / (content.height * height),
      tx: (crop.x - content.x * scaleX) / width,
      ty: (crop.y - content.y * scaleY) / height)
  }
}
