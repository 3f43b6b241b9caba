// Fovea - images in which objects cannot be recognized.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
package import FoveaImaging
package import FoveaShapes

extension Image {
  /// The upright image, with squares of one color where objects are; see `PixelMosaic`.
  package func hiding(_ objects: [HiddenObject]) -> Image {
    let upright = upright()
    guard !objects.isEmpty else { return upright }
    let (width, height) = (upright.width, upright.height)
    let content = ImageRect(
      x: 0, y: 0, width: Double(width), height: Double(height), origin: .upperLeft)
    var rgb = upright.rgb
    rgb.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      for object in objects {
        let mosaic = PixelMosaic(object, in: content)
        for channel in 0..<3 {
          mosaic.hide(in: start + channel, width: width, height: height, step: 3)
        }
      }
    }
    return Image(uprightRGB: rgb, width: width, height: height)
  }
}
