// Fovea - where the pixels of an image come from.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging
internal import FoveaRuntime

/// Where the pixels of an image come from; see `ImageConvertible`.
public struct ImageSource: Sendable {
  enum Content: Sendable {
    case file(ImageFile)
    case image(Image)
    case buffer(PixelBuffer)
  }

  private let content: Content

  init(_ content: Content) { self.content = content }

  /// How the image says that it is to be turned.
  package var orientation: ImageOrientation {
    switch content {
    case .file(let file): ImageOrientation(exif: file.header.orientation)
    case .image(let image): ImageOrientation(exif: image.storedOrientation)
    case .buffer: .up
    }
  }

  /// Whether the image is a file with transparency, and nobody said how it is removed.
  package var mayBeTransparent: Bool {
    if case .file(let file) = content {
      file.header.hasAlpha && file.alpha == .ignored
    } else {
      false
    }
  }

  /// The same image with transparency removed in some way, where it is a file.
  package func removing(_ alpha: ImageAlpha) -> ImageSource {
    guard case .file(var file) = content else { return self }
    file.alpha = alpha
    return ImageSource(.file(file))
  }

  /// The size of the full image as stored, before anything is decoded.
  ///
  /// - Throws: `.image` for a file without pixels.
  package func storedSize() throws(DetectionError) -> ImageSize {
    switch content {
    case .file(let file):
      let size = ImageSize(width: file.header.width, height: file.header.height)
      // The decoder says what is wrong with a file without pixels.
      if size.isEmpty { _ = try decoded(.none) }
      return size
    case .image(let image): return ImageSize(width: image.fullWidth, height: image.fullHeight)
    case .buffer(let buffer):
      return ImageSize(width: buffer.layout.width, height: buffer.layout.height)
    }
  }

  /// `pixels` where all errors are those of a detection.
  ///
  /// - Throws: `.image`.
  package consuming func decoded(_ reduction: ImageReduction) throws(DetectionError)
    -> DecodedPixels
  {
    do throws(ImageError) {
      return try pixels(reduction)
    } catch {
      throw .image(error)
    }
  }

  /// The pixels, of a JPEG file as far reduced as `reduction` allows.
  package consuming func pixels(_ reduction: ImageReduction) throws(ImageError) -> DecodedPixels {
    switch content {
    case .file(let file): return DecodedPixels(try file.decoded(reduction: reduction))
    case .image(let image): return DecodedPixels(image)
    case .buffer(let buffer): return DecodedPixels(bytes: buffer.bytes, layout: buffer.layout)
    }
  }
}

extension ImageReduction {
  /// The most that an image may be reduced for all of `requests`, in whose inputs it lies as
  /// `preparations` say.
  init(for requests: [DetectObjectsRequest], _ preparations: [InputPreparation]) {
    self = requests.allSatisfy(\.allowsReducedDecoding) ? Self(for: preparations) : .none
  }

  /// The most that an image may be reduced for inputs in which it lies as `preparations` say: every
  /// pixel of an input has one of its own.
  package init(for preparations: [InputPreparation]) {
    var (width, height) = (1, 1)
    for preparation in preparations {
      let least = preparation.geometry.leastDecodedSize
      (width, height) = (max(width, least.width), max(height, least.height))
    }
    self = .covering(width: width, height: height)
  }
}

extension ImageGeometry {
  /// The size to which the stored image may be reduced so that every pixel of the network's input
  /// still has one of its own.
  fileprivate var leastDecodedSize: ImageSize {
    let map = map(from: .model, to: .stored)
    let scaleX = abs(map.exchangesAxes ? map.b : map.a)
    let scaleY = abs(map.exchangesAxes ? map.c : map.d)
    func least(_ side: Int, _ scale: Double) -> Int {
      Int((Double(side) / max(1, scale)).rounded(.up))
    }
    return ImageSize(
      width: least(storedSize.width, scaleX), height: least(storedSize.height, scaleY))
  }
}
