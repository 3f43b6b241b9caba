// Fovea - what an image file says about itself.
// SPDX-License-Identifier: Apache-2.0

/// The header of an image file, read without decoding any pixel.
///
/// The values are those that the file states; decoding may refuse its size. Headers are read
/// whatever formats the build decodes, except those of HEIC and AVIF.
package struct ImageHeader: Hashable, Sendable {
  /// The format, recognized by content.
  package let format: ImageFormat
  /// The number of columns as stored.
  package internal(set) var width = 0
  /// The number of rows as stored.
  package internal(set) var height = 0
  /// The EXIF orientation, 1...8. It is 1 if the file has none or an invalid one.
  package internal(set) var orientation = 1
  /// Whether a color profile (ICC) is embedded. It is not applied: samples count as sRGB. Many
  /// files embed the profile of sRGB itself, where nothing is lost.
  package internal(set) var hasColorProfile = false

  /// Whether pixels may be transparent.
  package internal(set) var hasAlpha = false

  init(_ format: ImageFormat) { self.format = format }

  /// Reads the header in the bytes of a file.
  ///
  /// - Parameter bytes: The file. A JPEG may end after the headers of its first scan. PNG and WebP
  ///   files may state the orientation at their end.
  /// - Throws: `.emptyFile`, `.notAnImage`, `.gitLFSPointer`, `.rawPhotograph`, `.truncated` or
  ///   `.damaged`; for HEIC and AVIF `.libraryUnavailable` or `.traitDisabled`, too.
  package init(bytes: [UInt8]) throws(ImageError) {
    guard !bytes.isEmpty else { throw ImageError(.emptyFile) }
    switch ImageFormat(startOf: bytes) {
    case .jpeg: self = try JPEGStructure(headOf: bytes).header
    case .png: self = try PNGStructure(bytes).header
    case .webP: self = try WebPStructure(bytes).header
    case .bmp: self = try BMPStructure(bytes).header
    case .gif: self = try GIFDecoder.header(of: bytes)
    case .tiff: self = try TIFFStructure(bytes).header
    case .some(let format): self = try HEIFDecoder.header(of: bytes, format)
    case nil: throw ImageError(.ofNoFormat(bytes))
    }
  }

  /// Whether turning upright exchanges width and height.
  package var swapsSides: Bool { orientation >= 5 }

  /// The number of columns of the upright image.
  package var uprightWidth: Int { swapsSides ? height : width }

  /// The number of rows of the upright image.
  package var uprightHeight: Int { swapsSides ? width : height }
}

extension ImageError.Reason {
  /// What bytes are that begin like no known image.
  fileprivate static func ofNoFormat(_ bytes: [UInt8]) -> Self {
    if bytes.starts(with: "version https://git-lfs".utf8) { return .gitLFSPointer }
    let isText = bytes.prefix(512).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    return .notAnImage(isText: isText)
  }
}
