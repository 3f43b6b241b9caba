// Fovea - a decoded picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// A decoded picture: 8-bit red, green, blue, rows from the top, without padding.
///
/// Pixels are as the file stores them; `storedOrientation` says how to turn them, and `upright()`
/// does it. Colours are taken as sRGB: embedded colour profiles are ignored (PNG's gamma chunk is
/// not: libpng applies it). CMYK becomes RGB by multiplying with black, alpha is dropped and not
/// blended, 16-bit samples are rounded to 8.
public struct Picture: Equatable, Sendable {
  /// Number of columns as stored, before any turning.
  public let width: Int
  /// Number of rows as stored, before any turning.
  public let height: Int
  /// The samples, height x width x 3: pixel (x, y) has its red at `(y * width + x) * 3`.
  public let rgb: [UInt8]
  /// The EXIF orientation of the file, 1...8; 1 where there is none or an invalid one.
  public let storedOrientation: Int

  /// A picture of given samples.
  ///
  /// - Parameters:
  ///   - width: Number of columns, at least 1.
  ///   - height: Number of rows, at least 1.
  ///   - rgb: height x width x 3 samples.
  ///   - storedOrientation: EXIF orientation; what is not 1...8 counts as 1.
  /// - Throws: `.noPixels` or `.wrongSampleCount`.
  public init(
    width: Int, height: Int, rgb: [UInt8], storedOrientation: Int = 1
  ) throws(PictureError) {
    guard width > 0, height > 0 else {
      throw PictureError(.noPixels(width: width, height: height))
    }
    let (pixels, tooMany) = width.multipliedReportingOverflow(by: height)
    let (samples, tooManySamples) = pixels.multipliedReportingOverflow(by: 3)
    guard !tooMany, !tooManySamples, rgb.count == samples else {
      let expected = tooMany || tooManySamples ? Int.max : samples
      throw PictureError(.wrongSampleCount(expected: expected, found: rgb.count))
    }
    self.width = width
    self.height = height
    self.rgb = rgb
    self.storedOrientation = (1...8).contains(storedOrientation) ? storedOrientation : 1
  }

  /// The picture in a file.
  ///
  /// - Parameters:
  ///   - path: The file; its name does not matter, its content does.
  ///   - limits: What the file may ask for.
  /// - Throws: Any reason of `PictureError` that concerns reading, with the file named.
  public init(contentsOf path: String, limits: PictureLimits = .standard) throws(PictureError) {
    do {
      let bytes = try PictureError.translating { () throws(FileError) in
        try FileBytes.read(path, maximumCount: limits.maximumFileBytes)
      }
      self = try Picture(bytes: bytes, limits: limits)
    } catch {
      throw PictureError(error.reason, file: path)
    }
  }

  /// The picture in the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a JPEG or PNG file.
  ///   - limits: What the file may ask for.
  /// - Throws: `.emptyFile`, `.notAPicture`, `.unsupportedFormat`, `.traitDisabled`, `.truncated`,
  ///   `.damaged` or a reason that concerns the size.
  public init(bytes: [UInt8], limits: PictureLimits = .standard) throws(PictureError) {
    guard !bytes.isEmpty else { throw PictureError(.emptyFile) }
    guard bytes.count <= limits.maximumFileBytes else {
      throw PictureError(.fileTooLarge(limit: limits.maximumFileBytes))
    }
    switch PictureFormat(startOf: bytes) {
    case .jpeg: self = try JPEGDecoder.decode(bytes, limits: limits)
    case .png: self = try PNGDecoder.decode(bytes, limits: limits)
    case .some(let format): throw PictureError(.unsupportedFormat(format))
    case nil: throw PictureError(reasonNoFormatFits(bytes))
    }
  }

  /// Calls `body` with the samples, height x width x 3, without copying them.
  public func withPixels<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(rgb.span)
  }
}

/// What bytes are that begin like no known picture.
private func reasonNoFormatFits(_ bytes: [UInt8]) -> PictureError.Reason {
  if bytes.starts(with: "version https://git-lfs".utf8) { return .gitLFSPointer }
  let isText = bytes.prefix(512).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
  return .notAPicture(isText: isText)
}

extension PictureLimits {
  /// Refuses a claimed size that is empty, above the limit, or more than the file can hold.
  ///
  /// - Parameter mostPixels: The most pixels that a file of this length can code; `nil` where the
  ///   format sets no bound.
  func check(width: Int, height: Int, mostPixels: Int?, fileBytes: Int) throws(PictureError) {
    guard width > 0, height > 0 else {
      throw PictureError(.noPixels(width: width, height: height))
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= maximumPixels, pixels <= Int.max / 8 else {
      throw PictureError(.tooManyPixels(width: width, height: height, limit: maximumPixels))
    }
    if let mostPixels, pixels > mostPixels {
      throw PictureError(.impossibleSize(width: width, height: height, fileBytes: fileBytes))
    }
  }
}
