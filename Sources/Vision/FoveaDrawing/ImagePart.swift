// Fovea - parts of images.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging

extension Image {
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
