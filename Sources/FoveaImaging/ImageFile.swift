// Fovea - an image file that is read and not yet decoded.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// An image file in memory: its header is read, its pixels are not yet decoded.
///
/// It lets one look at the size and the orientation before deciding how many pixels are needed:
///
///     let file = try ImageFile(contentsOf: "dog.jpg")
///     let reduction = ImageReduction.covering(width: 416, height: 416)
///     let image = try file.decoded(reduction: reduction)
public struct ImageFile: Sendable {
  /// What the file says about itself.
  public let header: ImageHeader
  /// What the file may ask for.
  public let limits: ImageLimits

  private let bytes: [UInt8]
  /// The path, for messages.
  private let path: String?

  /// Reads the file at a path. The bytes are copied: who maps a file into memory ends when somebody
  /// else cuts it short.
  ///
  /// - Parameters:
  ///   - path: The file; its name does not matter, its content does.
  ///   - limits: What the file may ask for.
  /// - Throws: A reason that concerns files, or any of `ImageHeader`, with the file named.
  public init(contentsOf path: String, limits: ImageLimits = .standard) throws(ImageError) {
    do {
      let bytes = try ImageError.translating { () throws(FileError) in
        try FileBytes.read(path, maximumCount: limits.maximumFileBytes)
      }
      try self.init(bytes, limits: limits, path: path)
    } catch {
      throw ImageError(error.reason, file: path)
    }
  }

  /// Takes the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a JPEG, PNG or WebP file.
  ///   - limits: What the file may ask for.
  /// - Throws: `.fileTooLarge` or any reason of `ImageHeader`.
  public init(bytes: [UInt8], limits: ImageLimits = .standard) throws(ImageError) {
    try self.init(bytes, limits: limits, path: nil)
  }

  private init(_ bytes: [UInt8], limits: ImageLimits, path: String?) throws(ImageError) {
    guard bytes.count <= limits.maximumFileBytes else {
      throw ImageError(.fileTooLarge(limit: limits.maximumFileBytes))
    }
    header = try ImageHeader(bytes: bytes)
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
    reduction: ImageReduction = .none, alpha: ImageAlpha = .ignored
  ) throws(ImageError) -> Image {
    do throws(ImageError) {
      switch header.format {
      case .jpeg: return try JPEGDecoder.decode(bytes, limits: limits, reduction: reduction)
      case .png: return try PNGDecoder.decode(bytes, limits: limits, alpha: alpha)
      case .webP: return try WebPDecoder.decode(bytes, limits: limits, alpha: alpha)
      default: throw ImageError(.unsupportedFormat(header.format))
      }
    } catch {
      throw ImageError(error.reason, file: path)
    }
  }
}
