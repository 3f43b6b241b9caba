// Fovea - reading files of pictures.
// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import FoveaImaging

public enum CGImageSourceStatus: Int32, Sendable {
  case statusUnexpectedEOF = -5
  case statusInvalidData, statusUnknownType, statusReadingHeader, statusIncomplete, statusComplete
}

/// A file of one picture, which is decoded when an image is asked for.
public final class CGImageSource {
  let file: ImageFile?
  let status: CGImageSourceStatus

  init(bytes: [UInt8]) {
    file = try? ImageFile(bytes: bytes)
    status =
      file == nil ? (bytes.isEmpty ? .statusUnexpectedEOF : .statusUnknownType) : .statusComplete
  }
}

public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  guard let path = url.path, let data = FileManager.default.contents(atPath: path) else {
    return nil
  }
  return CGImageSource(bytes: [UInt8](data))
}

public func CGImageSourceCreateWithData(
  _ data: CFData, _ options: CFDictionary?
) -> CGImageSource? { CGImageSource(bytes: [UInt8](Data(referencing: data))) }

public func CGImageSourceCreateWithDataProvider(
  _ provider: CGDataProvider, _ options: CFDictionary?
) -> CGImageSource? {
  CGImageSource(
    bytes: [UInt8](UnsafeBufferPointer(start: provider.base, count: provider.count)))
}

public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { isrc.file == nil ? 0 : 1 }

public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int { 0 }

public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus { isrc.status }

public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? {
  switch isrc.file?.header.format {
  case .jpeg: "public.jpeg"
  case .png: "public.png"
  case .webP: "org.webmproject.webp"
  default: nil
  }
}

public func CGImageSourceCopyProperties(
  _ isrc: CGImageSource, _ options: CFDictionary?
) -> CFDictionary? { isrc.file == nil ? nil : NSDictionary() }

public func CGImageSourceCopyPropertiesAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? {
  guard index == 0, let header = isrc.file?.header else { return nil }
  let properties: [NSString: NSObject] = [
    kCGImagePropertyPixelWidth: NSNumber(value: header.width),
    kCGImagePropertyPixelHeight: NSNumber(value: header.height),
    kCGImagePropertyOrientation: NSNumber(value: header.orientation),
    kCGImagePropertyDepth: NSNumber(value: 8),
    kCGImagePropertyColorModel: kCGImagePropertyColorModelRGB,
  ]
  return NSDictionary(dictionary: properties)
}

/// The picture as it is stored. It is not turned.
public func CGImageSourceCreateImageAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  guard index == 0, let image = try? isrc.file?.decoded() else { return nil }
  return CGImage(image)
}

/// A small picture. There is none without `kCGImageSourceCreateThumbnailFromImageAlways` or
/// `kCGImageSourceCreateThumbnailFromImageIfAbsent`: thumbnails in files are not read.
public func CGImageSourceCreateThumbnailAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  func number(_ key: CFString) -> Int? { (options?.object(forKey: key) as? NSNumber)?.intValue }
  guard index == 0, let file = isrc.file,
    number(kCGImageSourceCreateThumbnailFromImageAlways) ?? 0 != 0
      || number(kCGImageSourceCreateThumbnailFromImageIfAbsent) ?? 0 != 0
  else { return nil }
  let longest = max(file.header.width, file.header.height)
  let wanted = min(max(1, number(kCGImageSourceThumbnailMaxPixelSize) ?? longest), longest)
  func side(_ side: Int) -> Int {
    max(1, Int((Double(side) * Double(wanted) / Double(max(1, longest))).rounded()))
  }
  let (width, height) = (side(file.header.width), side(file.header.height))
  guard
    let image = try? file.decoded(
      reduction: .covering(width: width, height: height)),
    let small = CGImage(image)?.scaled(width: width, height: height)
  else { return nil }
  guard number(kCGImageSourceCreateThumbnailWithTransform) ?? 0 != 0,
    let upright = try? Image(
      width: width, height: height, rgb: small.rgb, storedOrientation: file.header.orientation)
  else { return CGImage(small) }
  return CGImage(upright.upright())
}

extension CGImage {
  /// The picture in another size, each pixel the mean of those that it covers.
  package func scaled(width: Int, height: Int) -> Image? {
    let map = CGAffineTransform(
      scaleX: CGFloat(self.width) / CGFloat(width), y: CGFloat(self.height) / CGFloat(height))
    return withPlanes { planes in
      PixelResampler.rgb(planes, map, width: width, height: height, isSmooth: true).map {
        Image(uprightRGB: $0, width: width, height: height)
      }
    }
  }
}

nonisolated(unsafe) public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
nonisolated(unsafe) public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
nonisolated(unsafe) public let kCGImagePropertyOrientation: CFString = "Orientation"
nonisolated(unsafe) public let kCGImagePropertyDepth: CFString = "Depth"
nonisolated(unsafe) public let kCGImagePropertyColorModel: CFString = "ColorModel"
nonisolated(unsafe) public let kCGImagePropertyColorModelRGB: CFString = "RGB"
nonisolated(unsafe) public let kCGImagePropertyExifDictionary: CFString = "{Exif}"
nonisolated(unsafe) public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
nonisolated(unsafe) public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
nonisolated(unsafe) public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
nonisolated(unsafe) public let kCGImageSourceShouldCacheImmediately: CFString =
  "kCGImageSourceShouldCacheImmediately"
nonisolated(unsafe) public let kCGImageSourceShouldAllowFloat: CFString =
  "kCGImageSourceShouldAllowFloat"
nonisolated(unsafe) public let kCGImageSourceTypeIdentifierHint: CFString =
  "kCGImageSourceTypeIdentifierHint"
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailFromImageAlways: CFString =
  "kCGImageSourceCreateThumbnailFromImageAlways"
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString =
  "kCGImageSourceCreateThumbnailFromImageIfAbsent"
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailWithTransform: CFString =
  "kCGImageSourceCreateThumbnailWithTransform"
nonisolated(unsafe) public let kCGImageSourceThumbnailMaxPixelSize: CFString =
  "kCGImageSourceThumbnailMaxPixelSize"
