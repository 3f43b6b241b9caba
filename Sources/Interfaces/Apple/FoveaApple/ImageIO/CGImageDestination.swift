// Fovea - writing files of pictures.
// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import FoveaImaging

/// A JPEG or PNG file that is written when it is finished. Alpha is not written.
public final class CGImageDestination {
  fileprivate enum Target {
    case file(String)
    case data(NSMutableData)
  }

  private let target: Target
  private let isJPEG: Bool
  private var image: CGImage?
  private var quality = 90

  fileprivate init?(_ target: Target, _ type: CFString, count: Int) {
    switch String(describing: type) {
    case "public.jpeg", "public.jpg": isJPEG = true
    case "public.png": isJPEG = false
    default: return nil
    }
    guard count == 1 else { return nil }
    self.target = target
  }

  fileprivate func add(_ image: CGImage, _ properties: CFDictionary?) {
    set(properties)
    if self.image == nil { self.image = image }
  }

  fileprivate func set(_ properties: CFDictionary?) {
    let wish = properties?.object(forKey: kCGImageDestinationLossyCompressionQuality)
    if let share = (wish as? NSNumber)?.doubleValue {
      quality = Int((min(max(share, 0), 1) * 99).rounded()) + 1
    }
  }

  fileprivate func finish() -> Bool {
    guard let image = image?.rgbImage, let bytes = image.encoded(isJPEG: isJPEG, quality) else {
      return false
    }
    switch target {
    case .file(let path):
      do {
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        return true
      } catch {
        return false
      }
    case .data(let data):
      data.append(Data(bytes))
      return true
    }
  }
}

extension Image {
  /// The bytes of a file; `nil` where the build has no encoder for it.
  package func encoded(isJPEG: Bool, _ quality: Int) -> [UInt8]? {
    isJPEG ? try? jpegBytes(quality: min(max(quality, 1), 100)) : try? pngBytes()
  }
}

public func CGImageDestinationCreateWithURL(
  _ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  url.path.flatMap { CGImageDestination(.file($0), type, count: count) }
}

public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { CGImageDestination(.data(data), type, count: count) }

public func CGImageDestinationAddImage(
  _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) { idst.add(image, properties) }

public func CGImageDestinationAddImageFromSource(
  _ idst: CGImageDestination, _ isrc: CGImageSource, _ index: Int, _ properties: CFDictionary?
) {
  if let image = CGImageSourceCreateImageAtIndex(isrc, index, nil) { idst.add(image, properties) }
}

public func CGImageDestinationSetProperties(
  _ idst: CGImageDestination, _ properties: CFDictionary?
) { idst.set(properties) }

@discardableResult
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { idst.finish() }

nonisolated(unsafe) public let kCGImageDestinationLossyCompressionQuality: CFString =
  "kCGImageDestinationLossyCompressionQuality"
