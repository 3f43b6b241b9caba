// Fovea - PNG files whose pixels are numbers, in.
// SPDX-License-Identifier: Apache-2.0
#if PNG
  internal import CPNG

  /// Reads the numbers that pixels are stored as: of colors in a palette, or gray levels.
  enum PNGNumbers {
    private static let gray: UInt8 = 0
    private static let palette: UInt8 = 3

    /// - Throws: As `PNGMaps.numbers(in:limits:)`.
    static func read(
      _ bytes: [UInt8], limits: ImageLimits
    ) throws(ImageError) -> (width: Int, height: Int, samples: [UInt16]) {
      let structure = try PNGDecoder.checked(bytes, limits: limits)
      guard structure.colorType == gray || structure.colorType == palette else {
        throw ImageError(.notNumbers("they are colors"))
      }
      let (width, height) = (structure.header.width, structure.header.height)
      if structure.depth < 16 {
        let indices = try PNGDecoder.read(bytes) { image in
          // Entries of the palette, or one for each gray level; the order is that of the file.
          image.format =
            png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLORMAP)
          return samples(&image, width, height, of: UInt8.self)
        }
        return (width, height, indices.map(UInt16.init))
      }
      // The library would bend levels that are not linear.
      guard !structure.hasCurve else {
        throw ImageError(.notNumbers("the file states a gamma or a profile for its 16 bits"))
      }
      let levels = try PNGDecoder.read(bytes) { image in
        image.format = png_uint_32(PNG_FORMAT_LINEAR_Y)
        return samples(&image, width, height, of: UInt16.self)
      }
      return (width, height, levels)
    }

    private static func samples<Sample: FixedWidthInteger>(
      _ image: inout png_image, _ width: Int, _ height: Int, of type: Sample.Type
    ) -> Result<[Sample], ImageError> {
      guard Int(image.width) == width, Int(image.height) == height else {
        return .failure(ImageError(.damaged(.png, "the headers disagree")))
      }
      var colors = [UInt8](repeating: 0, count: 256 * 4)
      var isComplete = false
      let samples = [Sample](unsafeUninitializedCapacity: width * height) { target, count in
        isComplete = png_image_finish_read(&image, nil, target.baseAddress, 0, &colors) != 0
        count = isComplete ? width * height : 0
      }
      return isComplete ? .success(samples) : .failure(PNGDecoder.error(of: image))
    }
  }
#endif
