// Fovea - a program as people write it: pixels between buffers, images and files.
// SPDX-License-Identifier: Apache-2.0
import CoreGraphics
import CoreImage
import CoreML
import CoreVideo
import Foundation
import ImageIO

extension CGImage {
  /// A buffer with this image in another size.
  public func pixelBuffer(
    width: Int, height: Int, pixelFormatType: OSType = kCVPixelFormatType_32ARGB
  ) -> CVPixelBuffer? {
    var maybePixelBuffer: CVPixelBuffer?
    let attrs = [
      kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue,
      kCVPixelBufferCGBitmapContextCompatibilityKey: kCFBooleanTrue,
    ]
    let isGray = pixelFormatType == kCVPixelFormatType_OneComponent8
    let status = CVPixelBufferCreate(
      kCFAllocatorDefault, width, height, pixelFormatType, attrs as CFDictionary,
      &maybePixelBuffer)
    guard status == kCVReturnSuccess, let pixelBuffer = maybePixelBuffer else { return nil }
    let flags = CVPixelBufferLockFlags(rawValue: 0)
    guard kCVReturnSuccess == CVPixelBufferLockBaseAddress(pixelBuffer, flags) else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, flags) }
    guard
      let context = CGContext(
        data: CVPixelBufferGetBaseAddress(pixelBuffer), width: width, height: height,
        bitsPerComponent: 8, bytesPerRow: CVPixelBufferGetBytesPerRow(pixelBuffer),
        space: isGray ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: isGray
          ? CGImageAlphaInfo.none.rawValue : CGImageAlphaInfo.noneSkipFirst.rawValue)
    else { return nil }
    context.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
    return pixelBuffer
  }

  /// An image of bytes in the order red, green, blue, alpha.
  public static func fromByteArrayRGBA(_ bytes: [UInt8], width: Int, height: Int) -> CGImage? {
    guard let provider = CGDataProvider(data: Data(bytes) as CFData) else { return nil }
    return CGImage(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32,
      bytesPerRow: width * 4, space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue),
      provider: provider, decode: nil, shouldInterpolate: false,
      intent: CGColorRenderingIntent.defaultIntent)
  }

  /// The bytes of the image in the order red, green, blue, alpha.
  public func toByteArrayRGBA() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    bytes.withUnsafeMutableBytes { pointer in
      let info = CGBitmapInfo.byteOrder32Big.rawValue | CGImageAlphaInfo.premultipliedLast.rawValue
      if let context = CGContext(
        data: pointer.baseAddress, width: width, height: height, bitsPerComponent: 8,
        bytesPerRow: width * 4, space: colorSpace ?? CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: info)
      {
        context.clear(CGRect(x: 0, y: 0, width: width, height: height))
        context.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
      }
    }
    return bytes
  }
}

/// Buffers of one size, made again and again.
public final class BufferMaker {
  private var pool: CVPixelBufferPool?
  private let context = CIContext(options: [CIContextOption.useSoftwareRenderer: true])
  private let size: CGSize

  public init(width: Int, height: Int) {
    size = CGSize(width: width, height: height)
    let attributes: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
      kCVPixelBufferWidthKey as String: width,
      kCVPixelBufferHeightKey as String: height,
      kCVPixelBufferIOSurfacePropertiesKey as String: [:] as [String: Any],
    ]
    CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool)
  }

  /// The picture in the middle of a buffer, with black where it does not reach.
  public func letterboxed(_ image: CIImage) -> CVPixelBuffer? {
    guard let pool = pool else { return nil }
    var output: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBuffer(nil, pool, &output)
    guard let buffer = output else { return nil }
    let factor = min(size.width / image.extent.width, size.height / image.extent.height)
    let scaled = image.transformed(by: CGAffineTransform(scaleX: factor, y: factor))
    let moved = scaled.transformed(
      by: CGAffineTransform(
        translationX: (size.width - scaled.extent.width) / 2,
        y: (size.height - scaled.extent.height) / 2))
    let black = CIImage(color: .black).cropped(to: CGRect(origin: .zero, size: size))
    context.render(moved.composited(over: black), to: buffer)
    return buffer
  }
}

/// A picture in another size, without color and with more contrast, as models of text like it.
public func prepared(_ image: CIImage, scale: Double, contrast: Double) -> CIImage? {
  let scaleFilter = CIFilter(name: "CILanczosScaleTransform")!
  scaleFilter.setValue(image, forKey: kCIInputImageKey)
  scaleFilter.setValue(scale, forKey: kCIInputScaleKey)
  scaleFilter.setValue(1.0, forKey: kCIInputAspectRatioKey)
  guard let scaled = scaleFilter.value(forKey: kCIOutputImageKey) as? CIImage,
    let filter = CIFilter(name: "CIColorControls")
  else { return nil }
  filter.setDefaults()
  filter.setValue(scaled, forKey: kCIInputImageKey)
  filter.setValue(0, forKey: kCIInputSaturationKey)
  filter.setValue(NSNumber(value: contrast), forKey: "inputContrast")
  return filter.outputImage
}

/// The mean of every channel of a buffer of four bytes a pixel, in the buffer's own order.
public func means(of pixelBuffer: CVPixelBuffer) -> [Double] {
  CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
  defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
  let width = CVPixelBufferGetWidth(pixelBuffer)
  let height = CVPixelBufferGetHeight(pixelBuffer)
  let rowBytes = CVPixelBufferGetBytesPerRow(pixelBuffer)
  let base = CVPixelBufferGetBaseAddress(pixelBuffer)!.assumingMemoryBound(to: UInt8.self)
  var sums = [Int](repeating: 0, count: 4)
  for y in 0..<height {
    for x in 0..<width {
      for channel in 0..<4 { sums[channel] += Int(base[y * rowBytes + x * 4 + channel]) }
    }
  }
  return sums.map { Double($0) / Double(width * height) }
}

/// Luma and chroma of one level, as cameras give them.
public func makePlanarBuffer(width: Int, height: Int, y: UInt8, cb: UInt8, cr: UInt8)
  -> CVPixelBuffer?
{
  var buffer: CVPixelBuffer?
  guard
    CVPixelBufferCreate(
      kCFAllocatorDefault, width, height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil,
      &buffer) == kCVReturnSuccess, let made = buffer, CVPixelBufferIsPlanar(made)
  else { return nil }
  CVPixelBufferLockBaseAddress(made, [])
  for plane in 0..<CVPixelBufferGetPlaneCount(made) {
    let base = CVPixelBufferGetBaseAddressOfPlane(made, plane)!
    for row in 0..<CVPixelBufferGetHeightOfPlane(made, plane) {
      let line = base.advanced(by: row * CVPixelBufferGetBytesPerRowOfPlane(made, plane))
        .assumingMemoryBound(to: UInt8.self)
      for column in 0..<CVPixelBufferGetWidthOfPlane(made, plane) {
        if plane == 0 {
          line[column] = y
        } else {
          line[2 * column] = cb
          line[2 * column + 1] = cr
        }
      }
    }
  }
  CVPixelBufferUnlockBaseAddress(made, [])
  return made
}

/// A small picture of a file, turned as the file says, written as JPEG.
public func writeThumbnail(of data: Data, side: Int, to url: URL) -> CGSize? {
  let options =
    [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceThumbnailMaxPixelSize: side,
    ] as CFDictionary
  guard let source = CGImageSourceCreateWithData(data as CFData, nil),
    CGImageSourceGetCount(source) > 0,
    let thumbnail = CGImageSourceCreateThumbnailAtIndex(source, 0, options),
    let destination = CGImageDestinationCreateWithURL(url as CFURL, kUTTypeJPEG, 1, nil)
  else { return nil }
  CGImageDestinationAddImage(
    destination, thumbnail, [kCGImageDestinationLossyCompressionQuality: 0.9] as CFDictionary)
  guard CGImageDestinationFinalize(destination) else { return nil }
  return CGSize(width: thumbnail.width, height: thumbnail.height)
}

/// How to turn a picture that a device took in a position, mirrored for its front camera.
public func orientation(angle: Int, isFront: Bool) -> CGImagePropertyOrientation {
  switch (angle, isFront) {
  case (90, false): return .right
  case (90, true): return .leftMirrored
  case (180, false): return .down
  case (180, true): return .upMirrored
  case (270, false): return .left
  case (270, true): return .rightMirrored
  case (0, true): return .downMirrored
  default: return .up
  }
}
