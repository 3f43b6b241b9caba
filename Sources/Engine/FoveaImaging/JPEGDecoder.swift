// Fovea - JPEG images in, by libjpeg-turbo.
// SPDX-License-Identifier: Apache-2.0
#if JPEG
  internal import CTurboJPEG
  internal import FoveaLibc

  /// Decodes with TurboJPEG's accurate inverse transform and smooth chroma upsampling, at full size
  /// or reduced.
  ///
  /// Warnings of the decoder are errors, since it goes on with gray or wrong pixels, except those
  /// that leave the pixels intact: stray bytes between segments (common in camera frames), an
  /// unknown JFIF revision or Adobe transform number, odd scan parameters of a sequential file, a
  /// broken color profile. The decoder reports only the first warning of a file.
  enum JPEGDecoder {
    static func decode(
      _ bytes: [UInt8], limits: ImageLimits, reduction: ImageReduction
    ) throws(ImageError) -> Image {
      let structure = try JPEGStructure(bytes)
      let header = structure.header
      // A bit codes at most one block of 64 pixels: 512 pixels a byte. Twice that where no component
      // has full resolution on both axes, as with sampling factors 4 x 1 and 1 x 4.
      let mostPixels = structure.isHuffmanCoded ? bytes.count.saturatingProduct(1024) : nil
      try limits.check(header, mostPixels: mostPixels, fileBytes: bytes.count)
      let factor = reduction.factor(width: header.width, height: header.height)
      let decoder = try TurboJPEGDecompressor()
      let isCMYK = try decoder.readHeader(bytes, matching: header)
      var samples = try decoder.samples(
        of: bytes, width: header.width.dividedRoundingUp(by: factor),
        height: header.height.dividedRoundingUp(by: factor), isCMYK: isCMYK)
      if isCMYK { PixelPacking.invertedCMYKToRGB(&samples) }
      return Image(header, rgb: samples, reductionFactor: factor)
    }
  }

  /// Owns a TurboJPEG handle.
  private struct TurboJPEGDecompressor: ~Copyable {
    private let handle: tjhandle

    init() throws(ImageError) {
      guard let handle = tjInitDecompress() else {
        throw ImageError(.damaged(.jpeg, "the decoder cannot be started"))
      }
      self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Reads the header; says whether samples are cyan, magenta, yellow, black.
    func readHeader(
      _ bytes: [UInt8], matching stated: ImageHeader
    ) throws(ImageError) -> Bool {
      var (width, height, subsampling, colorSpace) = (Int32(0), Int32(0), Int32(-1), Int32(-1))
      let status = bytes.withUnsafeBufferPointer {
        tjDecompressHeader3(
          handle, $0.baseAddress, UInt($0.count), &width, &height, &subsampling, &colorSpace)
      }
      // Unusual sampling factors are reported as an error though they can be decoded.
      let isOnlyUnusual = width > 0 && height > 0 && subsampling < 0 && colorSpace >= 0
      if status != 0 && !isOnlyUnusual && !lastErrorIsHarmless { throw lastError }
      guard Int(width) == stated.width, Int(height) == stated.height else {
        throw ImageError(.damaged(.jpeg, "the frame headers disagree"))
      }
      return colorSpace == Int32(TJCS_CMYK.rawValue) || colorSpace == Int32(TJCS_YCCK.rawValue)
    }

    /// The samples, 3 or 4 a pixel, row by row. The size says the scale: the decoder takes its
    /// largest that gives no more.
    func samples(
      of bytes: [UInt8], width: Int, height: Int, isCMYK: Bool
    ) throws(ImageError) -> [UInt8] {
      let format = isCMYK ? TJPF_CMYK : TJPF_RGB
      let total = width * height * (isCMYK ? 4 : 3)
      var isComplete = false
      let samples = [UInt8](unsafeUninitializedCapacity: total) { target, count in
        let status = bytes.withUnsafeBufferPointer {
          tjDecompress2(
            handle, $0.baseAddress, UInt($0.count), target.baseAddress, Int32(width), 0,
            Int32(height), Int32(format.rawValue), TJFLAG_LIMITSCANS)
        }
        isComplete = status == 0 || lastErrorIsHarmless
        count = isComplete ? total : 0
      }
      guard isComplete else { throw lastError }
      return samples
    }

    /// Whether the last failure was a warning after which all pixels are there and right.
    private var lastErrorIsHarmless: Bool {
      guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { return false }
      let words = message
      return words.includes("extraneous bytes before marker")
        || words.includes("unknown JFIF revision") || words.includes("Adobe color transform")
        || words.includes("Invalid SOS parameters") || words.includes("ICC profile")
    }

    /// The last failure; running out of data has a name of its own.
    private var lastError: ImageError {
      let words = message
      return ImageError(
        words.includes("remature end") ? .truncated(.jpeg) : .damaged(.jpeg, words))
    }

    private var message: String { String(cString: tjGetErrorStr2(handle)) }
  }
#else
  /// Refuses: this build has no JPEG decoder.
  enum JPEGDecoder {
    static func decode(
      _ bytes: [UInt8], limits: ImageLimits, reduction: ImageReduction
    ) throws(ImageError) -> Image {
      throw ImageError(.traitDisabled(.jpeg))
    }
  }
#endif
