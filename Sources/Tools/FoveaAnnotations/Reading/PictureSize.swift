// Fovea - the size of a picture, stored and upright.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
package import FoveaGeometry
package import FoveaImaging

/// The size of a picture, stored and upright, read from its header.
package struct PictureSize {
  var stored: ImageSize
  var orientation: ImageOrientation

  package var upright: ImageSize { orientation.uprightSize(of: stored) }

  /// Bytes that hold the headers of nearly all JPEG files.
  private static let usualHead = 1 << 16

  init(stored: ImageSize, orientation: ImageOrientation) {
    (self.stored, self.orientation) = (stored, orientation)
  }

  /// Reads the header of a file.
  ///
  /// - Throws: `ImageError`.
  package init(
    contentsOf path: String, orientation chosen: ImageOrientation?
  ) throws(ImageError) {
    let header = try Self.header(of: path)
    stored = ImageSize(width: header.width, height: header.height)
    orientation = chosen ?? ImageOrientation(exif: header.orientation)
    guard !stored.isEmpty else {
      throw ImageError(.noPixels(width: header.width, height: header.height), file: path)
    }
  }

  private static func header(of path: String) throws(ImageError) -> ImageHeader {
    if let file = try? RandomAccessFile(path), file.count > usualHead,
      let head = try? file.read(at: 0, count: usualHead), ImageFormat(startOf: head) == .jpeg,
      let header = try? ImageHeader(bytes: head)
    {
      return header
    }
    return try ImageFile(contentsOf: path).header
  }
}
