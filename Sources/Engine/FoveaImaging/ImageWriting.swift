// Fovea - writing image files.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

extension Image {
  /// Creates or replaces the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - format: `.png` or `.jpeg`.
  ///   - jpegQuality: 1...100, as for `jpegBytes(quality:)`; counts for JPEG only.
  /// - Throws: As `pngBytes()` or `jpegBytes(quality:)`; `.notEncodable` for another format;
  ///   `.unwritable`. The error names the file.
  public func write(
    to path: String, as format: ImageFormat, jpegQuality: Int = 90
  ) throws(ImageError) {
    do {
      let bytes = try bytes(as: format, jpegQuality: jpegQuality)
      try ImageError.translating { () throws(FileError) in try FileBytes.write(bytes, to: path) }
    } catch {
      throw ImageError(error.reason, file: path)
    }
  }

  private func bytes(as format: ImageFormat, jpegQuality: Int) throws(ImageError) -> [UInt8] {
    switch format {
    case .png: try pngBytes()
    case .jpeg: try jpegBytes(quality: jpegQuality)
    case .webP, .bmp, .gif, .tiff, .heic, .avif:
      throw ImageError(.notEncodable("\(format.rawValue) images are not written"))
    }
  }
}
