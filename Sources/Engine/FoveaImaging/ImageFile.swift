// Fovea - an image file that is read and not yet decoded.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// An image file in memory whose header is read and whose pixels are not decoded yet.
///
/// Look at the size and the orientation before you decide how many pixels you need:
///
///     let file = try ImageFile(contentsOf: "dog.jpg")
///     let reduction = ImageReduction.covering(width: 416, height: 416)
///     let image = try file.decoded(reduction: reduction)
public struct ImageFile: Sendable {
  /// The header of the file.
  package let header: ImageHeader
  /// Upper bounds for the file.
  package let limits: ImageLimits
  /// How transparency is removed when requests look at the file.
  ///
  /// Requests for codes, text and other things on paper compose transparent pixels over white where
  /// this is `.ignored`, and look at other colors where they find nothing.
  package var alpha = ImageAlpha.ignored

  private let bytes: [UInt8]
  /// The path, for messages.
  private let path: String?

  /// Reads the file at a path into memory. It is not mapped: a file that another process shortens
  /// does no harm.
  ///
  /// - Parameters:
  ///   - path: The file. Its content decides the format, not its name.
  ///   - limits: Upper bounds for the file.
  /// - Throws: A reason that concerns files, or any that `ImageHeader` throws; the error names the
  ///   file.
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

  /// Creates an image file from its bytes.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a file of any `ImageFormat`.
  ///   - limits: Upper bounds for the file.
  /// - Throws: `.fileTooLarge`, or any reason that `ImageHeader` throws.
  public init(bytes: [UInt8], limits: ImageLimits = .standard) throws(ImageError) {
    try self.init(bytes, limits: limits, path: nil)
  }

  /// Creates an image file from the bytes that a file of another kind holds.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of the image.
  ///   - name: What errors call it.
  /// - Throws: As `init(bytes:limits:)`.
  package init(bytes: [UInt8], named name: String) throws(ImageError) {
    do {
      try self.init(bytes, limits: .standard, path: name)
    } catch {
      throw ImageError(error.reason, file: name)
    }
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
  ///   - reduction: How far a JPEG may be reduced while it is decoded.
  ///   - alpha: How transparency is removed; `nil` as the property says.
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.truncated`, `.damaged`, `.animation`, or a reason that concerns
  ///   the size. The error names the file if there is one.
  package func decoded(
    reduction: ImageReduction = .none, alpha: ImageAlpha? = nil
  ) throws(ImageError) -> Image {
    let alpha = alpha ?? self.alpha
    do throws(ImageError) {
      switch header.format {
      case .jpeg: return try JPEGDecoder.decode(bytes, limits: limits, reduction: reduction)
      case .png: return try PNGDecoder.decode(bytes, limits: limits, alpha: alpha)
      case .webP: return try WebPDecoder.decode(bytes, limits: limits, alpha: alpha)
      case .bmp: return try BMPDecoder.decode(bytes, limits: limits, alpha: alpha)
      case .gif: return try GIFDecoder.decode(bytes, header, limits: limits, alpha: alpha)
      case .tiff: return try TIFFStructure.decode(bytes, limits: limits, alpha: alpha)
      case .heic, .avif:
        return try HEIFDecoder.decode(bytes, header, limits: limits, alpha: alpha)
      }
    } catch {
      throw ImageError(error.reason, file: path)
    }
  }
}
