// Fovea - a picture file that is read and not yet decoded.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// A picture file in memory: its header is read, its pixels are not yet decoded.
///
/// It lets one look at the size and the orientation before deciding how many pixels are needed:
///
///     let file = try PictureFile(contentsOf: "dog.jpg")
///     let reduction = PictureReduction.covering(width: 416, height: 416)
///     let picture = try file.decoded(reduction: reduction)
public struct PictureFile: Sendable {
  /// What the file says about itself.
  public let header: PictureHeader
  /// What the file may ask for.
  public let limits: PictureLimits

  private let bytes: [UInt8]
  /// The path, for messages.
  private let path: String?

  /// Reads the file at a path. The bytes are copied: who maps a file into memory ends when somebody
  /// else cuts it short.
  ///
  /// - Parameters:
  ///   - path: The file; its name does not matter, its content does.
  ///   - limits: What the file may ask for.
  /// - Throws: A reason that concerns files, or any of `PictureHeader`, with the file named.
  public init(contentsOf path: String, limits: PictureLimits = .standard) throws(PictureError) {
    do {
      let bytes = try PictureError.translating { () throws(FileError) in
        try FileBytes.read(path, maximumCount: limits.maximumFileBytes)
      }
      try self.init(bytes, limits: limits, path: path)
    } catch {
      throw PictureError(error.reason, file: path)
    }
  }

  /// Takes the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a JPEG, PNG or WebP file.
  ///   - limits: What the file may ask for.
  /// - Throws: `.fileTooLarge` or any reason of `PictureHeader`.
  public init(bytes: [UInt8], limits: PictureLimits = .standard) throws(PictureError) {
    try self.init(bytes, limits: limits, path: nil)
  }

  private init(_ bytes: [UInt8], limits: PictureLimits, path: String?) throws(PictureError) {
    guard bytes.count <= limits.maximumFileBytes else {
      throw PictureError(.fileTooLarge(limit: limits.maximumFileBytes))
    }
    header = try PictureHeader(bytes: bytes)
    (self.bytes, self.limits, self.path) = (bytes, limits, path)
  }

  /// Decodes the pixels.
  ///
  /// - Parameters:
  ///   - reduction: How far a JPEG may be reduced on the way; it says what that does to the pixels.
  ///   - alpha: What becomes of transparency.
  /// - Throws: `.traitDisabled`, `.truncated`, `.damaged`, `.animation` or a reason that concerns
  ///   the size, with the file named if there is one.
  public func decoded(
    reduction: PictureReduction = .none, alpha: PictureAlpha = .ignored
  ) throws(PictureError) -> Picture {
    do throws(PictureError) {
      switch header.format {
      case .jpeg: return try JPEGDecoder.decode(bytes, limits: limits, reduction: reduction)
      case .png: return try PNGDecoder.decode(bytes, limits: limits, alpha: alpha)
      case .webP: return try WebPDecoder.decode(bytes, limits: limits, alpha: alpha)
      default: throw PictureError(.unsupportedFormat(header.format))
      }
    } catch {
      throw PictureError(error.reason, file: path)
    }
  }
}
