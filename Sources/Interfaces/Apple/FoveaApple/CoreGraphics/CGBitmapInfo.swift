// Fovea - how the bytes of a picture in memory are arranged.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

public enum CGImageAlphaInfo: UInt32, Sendable {
  case none, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst
  case alphaOnly
}

public enum CGImageByteOrderInfo: UInt32, Sendable {
  case orderMask = 0x7000
  case orderDefault = 0
  case order16Little = 0x1000
  case order32Little = 0x2000
  case order16Big = 0x3000
  case order32Big = 0x4000
}

public struct CGBitmapInfo: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  public static let floatComponents = CGBitmapInfo(rawValue: 0x100)
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 0x1000)
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 0x2000)
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 0x3000)
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 0x4000)

  public static var byteOrderDefault: CGBitmapInfo { [] }

  var alphaInfo: CGImageAlphaInfo { CGImageAlphaInfo(rawValue: rawValue & 0x1F) ?? .none }
}

/// The order of bytes that the processor reads words of 32 bits in.
public let kCGBitmapByteOrder32Host = CGBitmapInfo.byteOrder32Little

public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent, absoluteColorimetric, relativeColorimetric, perceptual, saturation
}

/// How pictures are scaled when they are drawn.
public enum CGInterpolationQuality: Int32, Sendable {
  case `default`, none, low, medium, high
}

/// Where the 8-bit samples of a pixel lie.
package struct PixelArrangement: Hashable, Sendable {
  package var bytesPerPixel: Int
  /// Distances from the pixel's first byte; all three are 0 for gray.
  package var red, green, blue: Int
  /// The distance of alpha; `nil` where the fourth byte means nothing.
  package var alpha: Int?
  package var isPremultiplied = true

  package var isGray: Bool { bytesPerPixel == 1 }

  package static let gray = PixelArrangement(bytesPerPixel: 1, red: 0, green: 0, blue: 0)
  package static let rgb = PixelArrangement(bytesPerPixel: 3, red: 0, green: 1, blue: 2)
  package static let bgr = PixelArrangement(bytesPerPixel: 3, red: 2, green: 1, blue: 0)
  package static let bgra = PixelArrangement(
    bytesPerPixel: 4, red: 2, green: 1, blue: 0, alpha: 3)
  package static let rgba = PixelArrangement(
    bytesPerPixel: 4, red: 0, green: 1, blue: 2, alpha: 3)
  package static let argb = PixelArrangement(
    bytesPerPixel: 4, red: 1, green: 2, blue: 3, alpha: 0)
  package static let abgr = PixelArrangement(
    bytesPerPixel: 4, red: 3, green: 2, blue: 1, alpha: 0)

  package init(
    bytesPerPixel: Int, red: Int, green: Int, blue: Int, alpha: Int? = nil,
    isPremultiplied: Bool = true
  ) {
    (self.bytesPerPixel, self.red, self.green, self.blue) = (bytesPerPixel, red, green, blue)
    (self.alpha, self.isPremultiplied) = (alpha, isPremultiplied)
  }

  /// The arrangement that a picture describes; `nil` for what is not of 8 bits.
  package init?(bitsPerComponent: Int, bitsPerPixel: Int, _ info: CGBitmapInfo) {
    guard bitsPerComponent == 8, !info.contains(.floatComponents) else { return nil }
    let order = info.rawValue & CGBitmapInfo.byteOrderMask.rawValue
    let isReversed = order == CGBitmapInfo.byteOrder32Little.rawValue
    let alpha = info.alphaInfo
    switch (bitsPerPixel, alpha) {
    case (8, .none), (8, .alphaOnly): self = .gray
    case (24, .none): self = .rgb
    case (32, .none), (32, .last), (32, .premultipliedLast), (32, .noneSkipLast):
      self = isReversed ? .abgr : .rgba
    case (32, .first), (32, .premultipliedFirst), (32, .noneSkipFirst):
      self = isReversed ? .bgra : .argb
    default: return nil
    }
    if [.none, .noneSkipLast, .noneSkipFirst].contains(alpha) { self.alpha = nil }
    isPremultiplied = alpha != .last && alpha != .first
  }

  /// The picture as the sampler sees it.
  package func image(
    at data: UnsafePointer<UInt8>, count: Int, width: Int, height: Int, rowBytes: Int
  ) -> fov_image {
    let none = fov_sample_plane(data: nil, data_bytes: 0, row_bytes: 0, step: 0)
    var image = fov_image(
      format: .gray, data: data, data_bytes: count, width: width, height: height,
      row_bytes: rowBytes, chroma_offset: 0, chroma_row_bytes: 0, alpha: .ignored,
      background: (0, 0, 0), yuv: .bt601_video, planes: (none, none, none),
      chroma_shifts: (0, 0), sample_bits: 8)
    switch (bytesPerPixel, red, blue) {
    case (1, _, _): break
    case (3, 0, 2): image.format = .rgb
    case (3, 2, 0): image.format = .bgr
    case (4, 0, 2): image.format = .rgba
    case (4, 2, 0): image.format = .bgra
    default:
      func plane(_ offset: Int) -> fov_sample_plane {
        fov_sample_plane(
          data: data + offset, data_bytes: count - offset, row_bytes: rowBytes,
          step: bytesPerPixel)
      }
      image.format = .planar
      image.yuv = .rgb
      image.planes = (plane(red), plane(green), plane(blue))
    }
    return image
  }
}
