// Fovea - a picture that stands upright and knows how it was stored.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging

/// A picture that stands upright and knows how it was stored.
struct UprightPicture: Sendable {
  /// The upright pixels.
  let picture: Picture
  /// How the stored picture was turned.
  let orientation: ImageOrientation

  /// The size of the upright picture.
  var size: ImageSize { ImageSize(width: picture.width, height: picture.height) }

  /// Turns a picture as `orientation` says, or as the picture itself says when that is `nil`.
  init(_ stored: Picture, orientation: ImageOrientation?) throws(DetectionError) {
    let applied = orientation ?? ImageOrientation(exif: stored.storedOrientation)
    do throws(PictureError) {
      picture = try Picture(
        width: stored.width, height: stored.height, rgb: stored.rgb,
        storedOrientation: applied.rawValue
      ).upright()
    } catch {
      throw .picture(error)
    }
    self.orientation = applied
  }
}
