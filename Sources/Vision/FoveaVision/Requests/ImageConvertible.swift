// Fovea - what objects can be looked for in.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging

/// An image that requests can look at: an `ImageFile`, a decoded `Image`, a `PixelBuffer`.
///
/// Types of your own conform by handing on the source of one of these:
///
///     struct Page: ImageConvertible {
///       var scan: ImageFile
///       var imageSource: ImageSource { scan.imageSource }
///     }
public protocol ImageConvertible: Sendable {
  /// Where the pixels come from.
  var imageSource: ImageSource { get }
}

extension ImageFile: ImageConvertible {
  /// The file, which is decoded when a request looks at it. A JPEG is then reduced as far as the
  /// request allows.
  public var imageSource: ImageSource { ImageSource(.file(self)) }

  /// `init(contentsOf:)` where all errors are those of a detection.
  ///
  /// - Throws: `.image`.
  package init(toDetectIn path: String) throws(DetectionError) {
    do throws(ImageError) {
      try self.init(contentsOf: path)
    } catch {
      throw .image(error)
    }
  }
}

extension Image: ImageConvertible {
  /// The pixels as they are.
  public var imageSource: ImageSource { ImageSource(.image(self)) }
}

extension PixelBuffer: ImageConvertible {
  /// The pixels as they are.
  public var imageSource: ImageSource { ImageSource(.buffer(self)) }
}
