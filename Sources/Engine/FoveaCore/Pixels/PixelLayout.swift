// Fovea - where the pixels of an image lie in memory.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

/// The layout of an image in memory, with rows from the top.
public struct PixelLayout: Sendable, Hashable {
  /// How the bytes of a pixel lie.
  public var format: PixelFormat
  /// The number of columns, at least 1.
  public var width: Int
  /// The number of rows, at least 1.
  public var height: Int
  /// The bytes from the start of a row to that of the next.
  public var rowBytes: Int
  /// For `nv12`: the bytes from the start of the image to its plane of U V pairs.
  public var chromaOffset: Int
  /// For `nv12`: the bytes from the start of a row of U V pairs to that of the next.
  public var chromaRowBytes: Int
  /// For `rgba` and `bgra`: how alpha is removed.
  public var alpha: AlphaHandling
  /// For `nv12` and `yuyv`: the meaning of Y, U and V.
  public var yuvEncoding: YUVEncoding

  /// Creates a layout. The defaults are those of an image without gaps. Nothing is checked here:
  /// reading pixels refuses an invalid layout.
  public init(
    format: PixelFormat, width: Int, height: Int, rowBytes: Int? = nil, chromaOffset: Int? = nil,
    chromaRowBytes: Int? = nil, alpha: AlphaHandling = .ignored,
    yuvEncoding: YUVEncoding = .bt601Video
  ) {
    self.format = format
    self.width = width
    self.height = height
    let rowBytes = rowBytes ?? Self.leastRowBytes(format, width: width)
    self.rowBytes = rowBytes
    self.chromaOffset = chromaOffset ?? Self.product(rowBytes, height)
    self.chromaRowBytes = chromaRowBytes ?? Self.product(2, Self.pairs(width))
    self.alpha = alpha
    self.yuvEncoding = yuvEncoding
  }

  /// Bytes of a row without gaps.
  private static func leastRowBytes(_ format: PixelFormat, width: Int) -> Int {
    switch format {
    case .rgb, .bgr: product(3, width)
    case .rgba, .bgra: product(4, width)
    case .gray, .nv12: width
    case .yuyv: product(4, pairs(width))
    }
  }

  private static func pairs(_ width: Int) -> Int { width / 2 + width % 2 }

  /// `Int.max`, which no image has, where the product does not fit.
  private static func product(_ a: Int, _ b: Int) -> Int {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? .max : product
  }

  /// The image as the core sees it. Negative numbers become ones that it refuses.
  package func image(at data: UnsafePointer<UInt8>, count: Int) -> fov_image {
    let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
    var image = fov_image(
      format: format.core, data: data, data_bytes: count, width: width, height: height,
      row_bytes: rowBytes, chroma_offset: chromaOffset, chroma_row_bytes: chromaRowBytes,
      alpha: .ignored, background: (0, 0, 0), yuv: yuvEncoding.core,
      planes: (none, none, none), chroma_shifts: (0, 0), sample_bits: 8)
    if case .composed(let red, let green, let blue) = alpha {
      image.alpha = .straight
      image.background = (red, green, blue)
    }
    return image
  }
}
