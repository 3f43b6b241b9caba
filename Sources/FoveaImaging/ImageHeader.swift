// Fovea - what an image file says about itself.
// SPDX-License-Identifier: Apache-2.0

/// What an image file says about itself, known without decoding a pixel.
///
/// It is what the file claims: nothing has been asked of memory, and a size may be one that decoding
/// refuses. Headers of JPEG, PNG and WebP are read whatever the build decodes.
public struct ImageHeader: Hashable, Sendable {
  /// The format, told by content.
  public let format: ImageFormat
  /// Number of columns as stored, before any turning.
  public internal(set) var width = 0
  /// Number of rows as stored, before any turning.
  public internal(set) var height = 0
  /// The EXIF orientation, 1...8; 1 where there is none or an invalid one.
  public internal(set) var orientation = 1
  /// Whether a color profile (ICC) is embedded. It is not applied: samples are taken as sRGB. Many
  /// files embed sRGB's own profile, where that is no loss.
  public internal(set) var hasColorProfile = false

  init(_ format: ImageFormat) { self.format = format }

  /// The header in the bytes of a file.
  ///
  /// - Parameter bytes: The file. Of JPEG all up to the first scan is needed; PNG and WebP may state
  ///   the orientation at their end.
  /// - Throws: `.emptyFile`, `.notAnImage`, `.gitLFSPointer`, `.unsupportedFormat`, `.truncated` or
  ///   `.damaged`.
  public init(bytes: [UInt8]) throws(ImageError) {
    guard !bytes.isEmpty else { throw ImageError(.emptyFile) }
    switch ImageFormat(startOf: bytes) {
    case .jpeg: self = try JPEGStructure(headOf: bytes).header
    case .png: self = try PNGStructure(bytes).header
    case .webP: self = try WebPStructure(bytes).header
    case .some(let format): throw ImageError(.unsupportedFormat(format))
    case nil: throw ImageError(.ofNoFormat(bytes))
    }
  }

  /// Whether width and height change places when the image is turned upright.
  public var swapsSides: Bool { orientation >= 5 }

  /// Number of columns of the upright image.
  public var uprightWidth: Int { swapsSides ? height : width }

  /// Number of rows of the upright image.
  public var uprightHeight: Int { swapsSides ? width : height }
}

extension ImageError.Reason {
  /// What bytes are that begin like no known image.
  fileprivate static func ofNoFormat(_ bytes: [UInt8]) -> Self {
    if bytes.starts(with: "version https://git-lfs".utf8) { return .gitLFSPointer }
    let isText = bytes.prefix(512).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    return .notAnImage(isText: isText)
  }
}
