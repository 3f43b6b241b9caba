// Fovea - where the pixels of an image lie in memory.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// Where the pixels of an image lie in its bytes, rows from the top, and what they mean.
public struct PixelLayout: Sendable, Hashable {
  /// How the bytes of a pixel lie.
  public var format: PixelFormat
  /// Number of columns, at least 1.
  public var width: Int
  /// Number of rows, at least 1.
  public var height: Int
  /// Bytes from the beginning of a row to that of the next, gaps included.
  public var rowBytes: Int
  /// `nv12`: bytes from the beginning of the image to its plane of U V pairs.
  public var chromaOffset: Int
  /// `nv12`: bytes from the beginning of a row of U V pairs to that of the next.
  public var chromaRowBytes: Int
  /// `rgba`, `bgra`: what becomes of alpha.
  public var alpha: AlphaHandling
  /// `nv12`, `yuyv`: what Y, U and V mean.
  public var yuvEncoding: YUVEncoding

  /// A layout; what is not stated follows as in an image without gaps. Nothing is refused here: a
  /// layout that makes no sense is refused where pixels are read.
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
  func image(at data: UnsafePointer<UInt8>, count: Int) -> fov_image {
    var image = fov_image(
      format: format.core, data: data, data_bytes: count, width: width, height: height,
      row_bytes: rowBytes, chroma_offset: chromaOffset, chroma_row_bytes: chromaRowBytes,
      alpha: .ignored, background: (0, 0, 0), yuv: yuvEncoding.core)
    if case .composed(let red, let green, let blue) = alpha {
      image.alpha = .straight
      image.background = (red, green, blue)
    }
    return image
  }
}
