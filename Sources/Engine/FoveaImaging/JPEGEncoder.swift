// Fovea - JPEG images out, by libjpeg-turbo.
// SPDX-License-Identifier: Apache-2.0
#if JPEG
  internal import CTurboJPEG
#endif

extension Image {
  /// The image as a baseline JPEG file, with colors at full resolution so that thin lines stay
  /// sharp. Pixels are written as stored, without `storedOrientation`: call `upright()` first where
  /// it matters.
  ///
  /// - Parameter quality: 1...100, as in libjpeg. 100 loses little more than rounding; below 75,
  ///   blocks become visible.
  /// - Throws: `.invalidQuality`; `.traitDisabled` in a build without JPEG; `.notEncodable` for a
  ///   side of more than 65500 pixels.
  public func jpegBytes(quality: Int = 90) throws(ImageError) -> [UInt8] {
    guard (1...100).contains(quality) else { throw ImageError(.invalidQuality(quality)) }
    #if JPEG
      return try encodedAsJPEG(quality: Int32(quality))
    #else
      throw ImageError(.traitDisabled(.jpeg))
    #endif
  }

  #if JPEG
    private func encodedAsJPEG(quality: Int32) throws(ImageError) -> [UInt8] {
      // The largest side of the encoder; a side of the format has 16 bits.
      guard width <= 65500, height <= 65500 else {
        throw ImageError(.notEncodable("more than 65500 pixels on a side"))
      }
      let (columns, rows) = (Int32(width), Int32(height))
      let subsampling = Int32(TJSAMP_444.rawValue)
      let largest = tjBufSize(columns, rows, subsampling)
      guard let encoder = tjInitCompress(), largest != UInt.max else {
        throw ImageError(.notEncodable("the encoder cannot be started"))
      }
      defer { tjDestroy(encoder) }
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(largest)) { target, count in
        var (start, size) = (target.baseAddress, largest)
        let status = rgb.withUnsafeBufferPointer {
          tjCompress2(
            encoder, $0.baseAddress, columns, 0, rows, Int32(TJPF_RGB.rawValue), &start, &size,
            subsampling, quality, TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
        }
        count = status == 0 ? Int(size) : 0
      }
      guard !bytes.isEmpty else {
        throw ImageError(.notEncodable(String(cString: tjGetErrorStr2(encoder))))
      }
      return bytes
    }
  #endif
}
