// Fovea - upright pictures as JPEG, by libjpeg-turbo.
// SPDX-License-Identifier: Apache-2.0
#if JPEG
  internal import CTurboJPEG
#endif
internal import FoveaGeometry
internal import FoveaMedia

/// Encodes upright pictures as JPEG, from their planes.
final class PlanarJPEGEncoder {
  #if JPEG
    private let handle: tjhandle

    init?() {
      guard let handle = tjInitCompress() else { return nil }
      self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// The bytes of a file; `nil` for a picture that the format does not hold. The samples of the
    /// picture get JPEG's meaning.
    func bytes(of picture: UprightImage, quality: Int32) -> [UInt8]? {
      picture.recode(to: .jpeg)
      let (width, height) = (Int32(picture.content.width), Int32(picture.content.height))
      let subsampling = Int32(TJSAMP_420.rawValue)
      let largest = tjBufSize(width, height, subsampling)
      guard largest != UInt.max, width <= 65500, height <= 65500 else { return nil }
      var planes: [UnsafePointer<UInt8>?] = [
        UnsafePointer(picture.planes.luma), UnsafePointer(picture.planes.u),
        UnsafePointer(picture.planes.v),
      ]
      var strides = [Int32(picture.width), Int32(picture.width / 2), Int32(picture.width / 2)]
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(largest)) { target, count in
        var (start, size) = (target.baseAddress, largest)
        let status = tjCompressFromYUVPlanes(
          handle, &planes, width, &strides, height, subsampling, &start, &size, quality,
          TJFLAG_NOREALLOC)
        count = status == 0 ? Int(size) : 0
      }
      return bytes.isEmpty ? nil : bytes
    }
  #else
    init?() { nil }

    func bytes(of picture: UprightImage, quality: Int32) -> [UInt8]? { nil }
  #endif
}
