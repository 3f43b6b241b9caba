// Fovea - images in which objects cannot be recognized.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging
package import FoveaShapes

extension Image {
  /// The upright image, with squares of one color where objects are; see `PixelMosaic`.
  ///
  /// - Parameter objects: The box of each, in fractions from the lower left, and its pixels.
  package func hiding(_ objects: [(box: NormalizedRect, mask: InstanceMask?)]) -> Image {
    let upright = upright()
    guard !objects.isEmpty else { return upright }
    let (width, height) = (upright.width, upright.height)
    let content = ImageRect(
      x: 0, y: 0, width: Double(width), height: Double(height), origin: .upperLeft)
    var rgb = upright.rgb
    rgb.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      for object in objects {
        let mosaic = PixelMosaic(box: object.box, mask: object.mask, in: content)
        for channel in 0..<3 {
          mosaic.hide(in: start + channel, width: width, height: height, step: 3)
        }
      }
    }
    return Image(uprightRGB: rgb, width: width, height: height)
  }

  /// The part of an upright image that a box covers, in whole pixels; `nil` where it covers none.
  package func cropped(to box: NormalizedRect) -> Image? {
    let rect = box.toImageCoordinates(ImageSize(width: width, height: height), origin: .upperLeft)
    func pixels(_ start: Double, _ length: Double, _ most: Int) -> Range<Int> {
      guard start.isFinite, length.isFinite else { return 0..<0 }
      let (first, end) = (
        max(0, start.rounded(.down)), min(Double(most), (start + length).rounded(.up))
      )
      return first < end ? Int(first)..<Int(end) : 0..<0
    }
    let columns = pixels(rect.x, rect.width, width)
    let rows = pixels(rect.y, rect.height, height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    var samples: [UInt8] = []
    samples.reserveCapacity(columns.count * rows.count * 3)
    for row in rows {
      let start = (row * width + columns.lowerBound) * 3
      samples += rgb[start..<start + columns.count * 3]
    }
    return Image(uprightRGB: samples, width: columns.count, height: rows.count)
  }
}
