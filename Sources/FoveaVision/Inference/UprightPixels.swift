// Fovea - the pixels of an image turned upright, as red, green and blue.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging
internal import FoveaRuntime

extension ImageSource {
  /// All pixels as red, green and blue, turned as `orientation` says.
  ///
  /// - Throws: `.image`, `.runtime`, `.invalidRequest`.
  package func uprightImage(_ orientation: ImageOrientation) throws(DetectionError) -> Image {
    try DetectionError.checkCancellation()
    let pixels = try decoded(.none)
    let stored = ImageSize(width: pixels.layout.width, height: pixels.layout.height)
    if orientation == .up, pixels.layout.format == .rgb,
      pixels.bytes.count == stored.width * stored.height * 3
    {
      return Image(uprightRGB: pixels.bytes, width: stored.width, height: stored.height)
    }
    let size = orientation.uprightSize(of: stored)
    let sampling = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(storedSize: stored, orientation: orientation, modelSize: size).sampling()
    }
    let bytes = try DetectionError.translatingRuntime { () throws(FoveaError) in
      try pixels.layout.sampledBytes(of: pixels.bytes, sampling, size: size, channels: 3)
    }
    return Image(uprightRGB: bytes, width: size.width, height: size.height)
  }
}
