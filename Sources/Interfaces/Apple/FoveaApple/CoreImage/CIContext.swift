// Fovea - pixels of pictures that are recipes.
// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import FoveaImaging

public struct CIContextOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let useSoftwareRenderer = Self(rawValue: "useSoftwareRenderer")
  public static let workingColorSpace = Self(rawValue: "workingColorSpace")
  public static let outputColorSpace = Self(rawValue: "outputColorSpace")
  public static let cacheIntermediates = Self(rawValue: "cacheIntermediates")
  public static let priorityRequestLow = Self(rawValue: "priorityRequestLow")
  public static let highQualityDownsample = Self(rawValue: "highQualityDownsample")
}

public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  init(_ key: CFString) { rawValue = String(describing: key) }
}

/// Gives pixels of pictures. Stored values are mixed, not linear light.
public final class CIContext: Sendable {
  public init(options: [CIContextOption: Any]? = nil) {}

  // A picture of more pixels is refused.
  private static let mostPixels: CGFloat = 268_435_456

  /// The pixels in a rectangle; `nil` for one that is empty or has no end.
  public func createCGImage(_ image: CIImage, from rect: CGRect) -> CGImage? {
    createCGImage(image, from: rect, format: .RGBA8, colorSpace: nil)
  }

  public func createCGImage(
    _ image: CIImage, from rect: CGRect, format: CIFormat, colorSpace: CGColorSpace?
  ) -> CGImage? {
    let area = rect.integral
    guard !rect.isNull, !rect.isInfinite, !rect.isEmpty,
      area.width * area.height <= Self.mostPixels, format.arrangement != nil
    else { return nil }
    if area == image.extent, let whole = image.cgImage { return whole }
    let (alpha, order): (CGImageAlphaInfo, CGBitmapInfo) =
      switch format {
      case .L8: (.none, [])
      case .ARGB8: (.premultipliedFirst, .byteOrder32Big)
      case .BGRA8: (.premultipliedFirst, .byteOrder32Little)
      case .ABGR8: (.premultipliedLast, .byteOrder32Little)
      default: (.premultipliedLast, [])
      }
    let space: CGColorSpace = format == .L8 ? .deviceGray : .deviceRGB
    let context = CGContext(
      data: nil, width: Int(area.width), height: Int(area.height), bitsPerComponent: 8,
      bytesPerRow: 0, space: colorSpace ?? space, bitmapInfo: alpha.rawValue | order.rawValue)
    guard let context else { return nil }
    render(image, on: context.canvas, area)
    return context.makeImage()
  }

  /// Fills the part of the buffer that the picture covers: the lower left corner of both is the
  /// origin.
  public func render(_ image: CIImage, to buffer: CVPixelBuffer) {
    render(
      image, to: buffer, bounds: CGRect(x: 0, y: 0, width: buffer.width, height: buffer.height),
      colorSpace: nil)
  }

  /// Fills the buffer with the part of the picture in `bounds`. Formats of luma and chroma are only
  /// read, and are left as they are.
  public func render(
    _ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect, colorSpace: CGColorSpace?
  ) {
    guard let canvas = buffer.canvas else { return }
    render(
      image, on: canvas,
      CGRect(
        x: bounds.minX, y: bounds.minY, width: CGFloat(buffer.width),
        height: CGFloat(buffer.height)),
      within: bounds)
  }

  public func render(
    _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect,
    format: CIFormat, colorSpace: CGColorSpace?
  ) {
    let area = bounds.integral
    guard let arrangement = format.arrangement, !area.isNull, !area.isInfinite,
      area.width >= 1, area.height >= 1,
      rowBytes >= Int(area.width) * arrangement.bytesPerPixel
    else { return }
    let canvas = PixelCanvas(
      base: data.assumingMemoryBound(to: UInt8.self), width: Int(area.width),
      height: Int(area.height), rowBytes: rowBytes, arrangement: arrangement)
    render(image, on: canvas, area)
  }

  /// Draws the part of a picture that begins at the lower left of `area`.
  private func render(
    _ image: CIImage, on canvas: PixelCanvas, _ area: CGRect, within bounds: CGRect? = nil
  ) {
    let map = CGAffineTransform(1, 0, 0, -1, -area.minX, area.minY + CGFloat(canvas.height))
    var clip = PixelClip(columns: 0..<canvas.width, rows: 0..<canvas.height)
    if let bounds { clip.intersect(bounds.applying(map)) }
    canvas.render(image, map, clip)
  }

  // MARK: Files

  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? {
    let key = CIImageRepresentationOption(kCGImageDestinationLossyCompressionQuality)
    let share = (options[key] as? NSNumber)?.doubleValue ?? 0.9
    return encoded(image, isJPEG: true, Int(share * 99) + 1)
  }

  public func pngRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { encoded(image, isJPEG: false, 0) }

  public func writeJPEGRepresentation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(jpegRepresentation(of: image, colorSpace: colorSpace, options: options), url)
  }

  public func writePNGRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(
      pngRepresentation(of: image, format: format, colorSpace: colorSpace, options: options), url)
  }

  private func encoded(_ image: CIImage, isJPEG: Bool, _ quality: Int) -> Data? {
    createCGImage(image, from: image.extent)?.rgbImage?.encoded(isJPEG: isJPEG, quality)
      .map { Data($0) }
  }

  private func write(_ data: Data?, _ url: URL) throws {
    guard let data else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSURLErrorKey: url])
    }
    try data.write(to: url)
  }
}
