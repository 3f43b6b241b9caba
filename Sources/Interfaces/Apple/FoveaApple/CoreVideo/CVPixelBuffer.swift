// Fovea - buffers of pixels.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import Foundation
package import FoveaRuntime

public typealias CVBuffer = CVImageBuffer
public typealias CVPixelBuffer = CVImageBuffer
public typealias CVReturn = Int32
public typealias CVOptionFlags = UInt64

/// Pixels in memory, shared by everybody who holds the buffer.
///
/// As elsewhere, nothing but the locks of its users keeps a buffer from being written while it is
/// read.
public final class CVImageBuffer: Hashable {
  /// A plane of a buffer; a buffer that is not planar has one.
  struct Plane {
    var base: UnsafeMutableRawPointer
    var width, height, rowBytes: Int
    var byteCount: Int { rowBytes * height }
  }

  let width, height: Int
  package let format: OSType
  let planes: [Plane]
  let byteCount: Int
  private let release: () -> Void
  let attributes: NSDictionary?
  private let lock = NSLock()
  private var attached: [String: (value: CFTypeRef, mode: CVAttachmentMode)] = [:]

  init(
    width: Int, height: Int, format: OSType, planes: [Plane], byteCount: Int,
    attributes: NSDictionary?, release: @escaping () -> Void
  ) {
    (self.width, self.height, self.format, self.planes) = (width, height, format, planes)
    (self.byteCount, self.attributes, self.release) = (byteCount, attributes, release)
  }

  deinit { release() }

  var isPlanar: Bool { PixelFormats.planes(of: format) != nil }

  func attachment(_ key: String) -> (value: CFTypeRef, mode: CVAttachmentMode)? {
    lock.withLock { attached[key] }
  }

  func attach(_ key: String, _ value: (CFTypeRef, CVAttachmentMode)?) {
    lock.withLock { attached[key] = value.map { (value: $0.0, mode: $0.1) } }
  }

  var attachments: [String: (value: CFTypeRef, mode: CVAttachmentMode)] {
    lock.withLock { attached }
  }

  public static func == (left: CVImageBuffer, right: CVImageBuffer) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  // MARK: Fovea

  /// The arrangement of interleaved samples; `nil` for planes, and samples of more than 8 bits.
  package var arrangement: PixelArrangement? { PixelFormats.arrangement(of: format) }

  /// Where the pixels lie, for those who write them. `nil` for formats that are only read.
  package var canvas: PixelCanvas? {
    arrangement.map { arrangement in
      PixelCanvas(
        base: planes[0].base.assumingMemoryBound(to: UInt8.self), width: width, height: height,
        rowBytes: planes[0].rowBytes, arrangement: arrangement)
    }
  }

  package var columns: Int { width }
  package var rows: Int { height }
  package var base: UnsafeMutableRawPointer { planes[0].base }
  package var rowBytes: Int { planes[0].rowBytes }

  /// The pixels as requests see them, where they lie; `nil` for formats of more than 8 bits. Valid
  /// while the buffer lives.
  package var pixelPlanes: PixelPlanes? {
    if let arrangement {
      return PixelPlanes(
        arrangement.image(
          at: UnsafePointer(planes[0].base.assumingMemoryBound(to: UInt8.self)),
          count: planes[0].byteCount, width: width, height: height,
          rowBytes: planes[0].rowBytes))
    }
    return PixelFormats.chromaImage(of: self).map(PixelPlanes.init)
  }
}

/// Formats of pixels by their codes.
enum PixelFormats {
  /// The planes of a planar format: by how much columns and rows are divided, and bytes of a sample.
  static func planes(of format: OSType) -> [(divisor: Int, bytes: Int)]? {
    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
      [(1, 1), (2, 2)]
    case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
      [(1, 1), (2, 1), (2, 1)]
    default: nil
    }
  }

  /// The bytes of a pixel of other formats.
  static func bytesPerPixel(of format: OSType) -> Int? {
    switch format {
    case kCVPixelFormatType_32ARGB, kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ABGR,
      kCVPixelFormatType_32RGBA, kCVPixelFormatType_OneComponent32Float:
      4
    case kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR: 3
    case kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
      kCVPixelFormatType_OneComponent16Half:
      2
    case kCVPixelFormatType_OneComponent8: 1
    default: nil
    }
  }

  static func arrangement(of format: OSType) -> PixelArrangement? {
    switch format {
    case kCVPixelFormatType_32ARGB: .argb
    case kCVPixelFormatType_32BGRA: .bgra
    case kCVPixelFormatType_32ABGR: .abgr
    case kCVPixelFormatType_32RGBA: .rgba
    case kCVPixelFormatType_24RGB: .rgb
    case kCVPixelFormatType_24BGR: .bgr
    case kCVPixelFormatType_OneComponent8: .gray
    default: nil
    }
  }

  /// Luma and chroma as the sampler sees them; `nil` for other formats.
  static func chromaImage(of buffer: CVImageBuffer) -> fov_image? {
    func pointer(_ plane: Int) -> UnsafePointer<UInt8> {
      UnsafePointer(buffer.planes[plane].base.assumingMemoryBound(to: UInt8.self))
    }
    func plane(_ index: Int, offset: Int = 0, step: Int) -> fov_sample_plane {
      fov_sample_plane(
        data: pointer(index) + offset, data_bytes: buffer.planes[index].byteCount - offset,
        row_bytes: buffer.planes[index].rowBytes, step: step)
    }
    let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
    var image = fov_image(
      format: .planar, data: pointer(0), data_bytes: buffer.planes[0].byteCount,
      width: buffer.width, height: buffer.height, row_bytes: buffer.planes[0].rowBytes,
      chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored, background: (0, 0, 0),
      yuv: encoding(of: buffer), planes: (none, none, none), chroma_shifts: (1, 1),
      sample_bits: 8)
    switch buffer.format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
      let distance = pointer(1) - pointer(0)
      if distance >= buffer.planes[0].byteCount {
        image.format = .nv12
        image.chroma_offset = distance
        image.chroma_row_bytes = buffer.planes[1].rowBytes
        image.data_bytes = distance + buffer.planes[1].byteCount
      } else {
        image.planes = (
          plane(0, step: 1), plane(1, step: 2), plane(1, offset: 1, step: 2)
        )
      }
    case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
      image.planes = (plane(0, step: 1), plane(1, step: 1), plane(2, step: 1))
    case kCVPixelFormatType_422YpCbCr8_yuvs: image.format = .yuyv
    case kCVPixelFormatType_422YpCbCr8:
      image.planes = (
        plane(0, offset: 1, step: 2), plane(0, step: 4), plane(0, offset: 2, step: 4)
      )
      image.chroma_shifts = (1, 0)
    default: return nil
    }
    return image
  }

  private static func encoding(of buffer: CVImageBuffer) -> fov_yuv_encoding {
    let isFull =
      buffer.format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      || buffer.format == kCVPixelFormatType_420YpCbCr8PlanarFullRange
    switch buffer.attachment("CVImageBufferYCbCrMatrix")?.value as? NSString {
    case kCVImageBufferYCbCrMatrix_ITU_R_709_2: return isFull ? .bt709_full : .bt709_video
    case kCVImageBufferYCbCrMatrix_ITU_R_2020: return isFull ? .bt2020_full : .bt2020_video
    default: return isFull ? .bt601_full : .bt601_video
    }
  }
}
