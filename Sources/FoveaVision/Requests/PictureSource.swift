// Fovea - where a picture comes from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging

/// Where a picture comes from.
enum PictureSource: Sendable {
  /// A JPEG or PNG file.
  case path(String)
  /// The bytes of one.
  case bytes([UInt8])
  /// A decoded picture.
  case picture(Picture)

  /// The picture as stored.
  ///
  /// - Throws: `.picture`.
  func load() throws(DetectionError) -> Picture {
    do throws(PictureError) {
      switch self {
      case .path(let path): return try Picture(contentsOf: path)
      case .bytes(let bytes): return try Picture(bytes: bytes)
      case .picture(let picture): return picture
      }
    } catch {
      throw .picture(error)
    }
  }
}
