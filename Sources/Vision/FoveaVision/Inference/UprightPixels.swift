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
    return try decoded(.none).upright(orientation)
  }
}

extension DecodedPixels {
  /// Red, green and blue, turned as `orientation` says.
  ///
  /// - Throws: `.runtime`, `.invalidRequest`.
  package func upright(_ orientation: ImageOrientation) throws(DetectionError) -> Image {
    let stored = ImageSize(width: layout.width, height: layout.height)
    if orientation == .up, layout.format == .rgb,
      bytes.count == stored.width * stored.height * 3
    {
      return Image(uprightRGB: bytes, width: stored.width, height: stored.height)
    }
    let size = orientation.uprightSize(of: stored)
    let sampling = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(storedSize: stored, orientation: orientation, modelSize: size).sampling()
    }
    let rgb = try DetectionError.translatingRuntime { () throws(FoveaError) in
      try layout.sampledBytes(of: bytes, sampling, size: size, channels: 3)
    }
    return Image(uprightRGB: rgb, width: size.width, height: size.height)
  }
}
