// Fovea - TIFF images in, by libtiff.
// SPDX-License-Identifier: Apache-2.0

/// What the first directory of a TIFF file says, and its first image. (TIFF 6.0, sections 2 and 8.)
struct TIFFStructure {
  /// Size, orientation, alpha and whether there is a color profile.
  let header: ImageHeader
  /// 1 for images of black and white; others count as 8.
  private let bitsPerPixel: Int

  /// Tags of TIFF 6.0, of its extension for profiles, and of DNG.
  private enum Tag {
    static let subfileType = 254
    static let width = 256
    static let height = 257
    static let bitsPerSample = 258
    static let photometric = 262
    static let orientation = 274
    static let samplesPerPixel = 277
    static let extraSamples = 338
    static let colorProfile = 34675
    static let colorFilterArray = 32803
    static let versionOfDNG = 50706
  }

  /// Reads the directory.
  ///
  /// - Throws: `.damaged`; `.rawPhotograph` where the first image is a preview, or samples of a
  ///   sensor.
  init(_ bytes: [UInt8]) throws(ImageError) {
    guard let directory = TIFFDirectory(bytes, bytes.indices) else {
      throw ImageError(.damaged(.tiff, "there is no directory of tags"))
    }
    let isPreview = (directory.integer(Tag.subfileType) ?? 0) & 1 != 0
    let isOfSensor = directory.integer(Tag.photometric) == Tag.colorFilterArray
    guard !isPreview, !isOfSensor, !directory.has(Tag.versionOfDNG) else {
      throw ImageError(.rawPhotograph)
    }
    guard let width = directory.integer(Tag.width), let height = directory.integer(Tag.height)
    else { throw ImageError(.damaged(.tiff, "the directory has no size")) }
    var header = ImageHeader(.tiff)
    (header.width, header.height) = (width, height)
    header.orientation = ExifOrientation.valid(directory.integer(Tag.orientation)) ?? 1
    header.hasAlpha = directory.has(Tag.extraSamples)
    header.hasColorProfile = directory.has(Tag.colorProfile)
    self.header = header
    let samples = directory.integer(Tag.samplesPerPixel) ?? 1
    let isBilevel = samples == 1 && (directory.integer(Tag.bitsPerSample) ?? 1) == 1
    bitsPerPixel = isBilevel && !directory.hasSeveral(Tag.bitsPerSample) ? 1 : 8
  }

  /// Decodes the first image: strips and tiles, and all compressions and depths that the system's
  /// libtiff knows. Samples of 16 bits are rounded to 8. Colors that are stored multiplied by alpha
  /// are divided by it.
  static func decode(
    _ bytes: [UInt8], limits: ImageLimits, alpha: ImageAlpha
  ) throws(ImageError) -> Image {
    let structure = try TIFFStructure(bytes)
    // Codes of LZW and Deflate stand for at most 4096 bytes each; fax codes for whole rows.
    let bits = bytes.count.saturatingProduct(8 * 4096).addingSaturated(24 << 24)
    return try Image(
      isolated: bytes, structure.header, mostPixels: bits / structure.bitsPerPixel, limits: limits,
      alpha: alpha)
  }
}
