// Fovea - pictures in memory.
// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import FoveaImaging
package import FoveaRuntime

/// Bytes that a picture is read from. They never change.
public final class CGDataProvider: @unchecked Sendable {  // because nothing writes into the bytes
  private let bytes: NSData

  public init?(data: CFData) {
    guard let copy = data.copy() as? NSData else { return nil }
    bytes = copy
  }

  /// The bytes of a file; `nil` if it cannot be read.
  public init?(url: CFURL) {
    guard let path = url.path, let data = NSData(contentsOfFile: path) else { return nil }
    bytes = data
  }

  public convenience init?(filename: UnsafePointer<CChar>) {
    self.init(url: NSURL(fileURLWithPath: String(cString: filename)))
  }

  /// Bytes that somebody else holds until `releaseData` is called.
  public init?(
    dataInfo info: UnsafeMutableRawPointer?, data: UnsafeRawPointer, size: Int,
    releaseData: @escaping @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer, Int) -> Void
  ) {
    guard size >= 0 else { return nil }
    bytes = NSData(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: data), length: size,
      deallocator: { pointer, count in releaseData(info, UnsafeRawPointer(pointer), count) })
  }

  /// Bytes that nobody else writes into.
  package init(owned: NSData) { bytes = owned }

  public var data: CFData? { bytes }

  package var count: Int { bytes.length }
  package var base: UnsafePointer<UInt8> {
    bytes.bytes.assumingMemoryBound(to: UInt8.self)
  }
}

/// A picture of 8-bit samples in memory, rows from the top. It never changes.
public final class CGImage: Hashable, Sendable {
  public let width: Int
  public let height: Int
  public let bitsPerComponent: Int
  public let bitsPerPixel: Int
  public let bytesPerRow: Int
  public let bitmapInfo: CGBitmapInfo
  public let shouldInterpolate: Bool
  public let renderingIntent: CGColorRenderingIntent
  private let space: CGColorSpace
  package let provider: CGDataProvider
  /// Where the first pixel lies in the provider's bytes.
  package let offset: Int
  package let arrangement: PixelArrangement

  /// A picture over the bytes of a provider; `nil` for fewer bytes than the numbers say, for more
  /// than 8 bits in a sample, and for a decoding table.
  public convenience init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: CGBitmapInfo, provider: CGDataProvider,
    decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    guard decode == nil,
      let arrangement = PixelArrangement(
        bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel, bitmapInfo)
    else { return nil }
    self.init(
      width: width, height: height, bytesPerRow: bytesPerRow, space: space,
      bitmapInfo: bitmapInfo, arrangement: arrangement, provider: provider, offset: 0,
      shouldInterpolate: shouldInterpolate, intent: intent)
  }

  init?(
    width: Int, height: Int, bytesPerRow: Int, space: CGColorSpace, bitmapInfo: CGBitmapInfo,
    arrangement: PixelArrangement, provider: CGDataProvider, offset: Int,
    shouldInterpolate: Bool = true, intent: CGColorRenderingIntent = .defaultIntent
  ) {
    let (least, overflow) = width.multipliedReportingOverflow(by: arrangement.bytesPerPixel)
    let (above, tooMany) = bytesPerRow.multipliedReportingOverflow(by: max(0, height - 1))
    guard width > 0, height > 0, !overflow, !tooMany, bytesPerRow >= least,
      offset >= 0, above <= provider.count, least <= provider.count - above - offset
    else { return nil }
    (self.width, self.height, self.bytesPerRow) = (width, height, bytesPerRow)
    (bitsPerComponent, bitsPerPixel) = (8, arrangement.bytesPerPixel * 8)
    (self.space, self.bitmapInfo, self.arrangement) = (space, bitmapInfo, arrangement)
    (self.provider, self.offset) = (provider, offset)
    (self.shouldInterpolate, renderingIntent) = (shouldInterpolate, intent)
  }

  public convenience init?(
    jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    self.init(encoded: source, .jpeg, hasDecode: decode != nil)
  }

  public convenience init?(
    pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?,
    shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    self.init(encoded: source, .png, hasDecode: decode != nil)
  }

  private convenience init?(encoded source: CGDataProvider, _ format: ImageFormat, hasDecode: Bool)
  {
    let bytes = [UInt8](UnsafeBufferPointer(start: source.base, count: source.count))
    guard !hasDecode, let file = try? ImageFile(bytes: bytes), file.header.format == format,
      let image = try? file.decoded()
    else { return nil }
    self.init(image)
  }

  public var colorSpace: CGColorSpace? { space }
  public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo }
  public var dataProvider: CGDataProvider? { provider }
  public var isMask: Bool { false }

  public func copy() -> CGImage? { self }

  /// A part in pixels, counted from the upper left. It shares the bytes; `nil` outside the picture.
  public func cropping(to rect: CGRect) -> CGImage? {
    let part = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
    guard !part.isNull, !part.isEmpty else { return nil }
    return CGImage(
      width: Int(part.width), height: Int(part.height), bytesPerRow: bytesPerRow, space: space,
      bitmapInfo: bitmapInfo, arrangement: arrangement, provider: provider,
      offset: offset + Int(part.minY) * bytesPerRow + Int(part.minX) * arrangement.bytesPerPixel,
      shouldInterpolate: shouldInterpolate, intent: renderingIntent)
  }

  public static func == (left: CGImage, right: CGImage) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Lends the pixels as requests see them.
  package func withPlanes<Result, Failure: Error>(
    _ body: (PixelPlanes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(provider) {} }
    return try body(
      PixelPlanes(
        arrangement.image(
          at: provider.base + offset, count: provider.count - offset, width: width,
          height: height, rowBytes: bytesPerRow)))
  }
}

// MARK: Fovea's pictures

extension CGImage {
  /// A decoded picture as red, green, blue and a byte of 255.
  package convenience init?(_ image: Image) {
    let pixels = image.width * image.height
    guard let memory = malloc(max(1, pixels * 4)) else { return nil }
    let target = memory.bindMemory(to: UInt8.self, capacity: pixels * 4)
    image.rgb.withUnsafeBufferPointer { source in
      for pixel in 0..<pixels {
        target[4 * pixel] = source[3 * pixel]
        target[4 * pixel + 1] = source[3 * pixel + 1]
        target[4 * pixel + 2] = source[3 * pixel + 2]
        target[4 * pixel + 3] = 255
      }
    }
    let bytes = NSData(bytesNoCopy: memory, length: pixels * 4, freeWhenDone: true)
    let info = CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue)
    guard
      let arrangement = PixelArrangement(bitsPerComponent: 8, bitsPerPixel: 32, info)
    else { return nil }
    self.init(
      width: image.width, height: image.height, bytesPerRow: image.width * 4,
      space: CGColorSpace("kCGColorSpaceSRGB", .rgb), bitmapInfo: info,
      arrangement: arrangement, provider: CGDataProvider(owned: bytes), offset: 0)
  }

  /// The pixels as red, green and blue; alpha is dropped.
  package var rgbImage: Image? {
    withPlanes { planes in
      PixelResampler.rgb(planes, .identity, width: width, height: height).map {
        Image(uprightRGB: $0, width: width, height: height)
      }
    }
  }
}
