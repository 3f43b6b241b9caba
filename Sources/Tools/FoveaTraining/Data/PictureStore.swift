// Fovea - decoded pictures, kept where memory allows.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaVision

/// Decoded pictures, upright, kept where memory allows.
final class PictureStore {
  private let paths: [String]
  private var images: [Image?]
  private var bytesLeft: Int
  /// Pixels along a side that a network can use.
  private let side: Int

  /// Pictures at paths.
  ///
  /// - Parameters:
  ///   - side: The side of the network's input. Larger pictures may be reduced while they are
  ///     decoded.
  ///   - byteBudget: The most bytes of pictures that are kept.
  init(paths: [String], side: Int, byteBudget: Int) {
    self.paths = paths
    self.side = side
    images = Array(repeating: nil, count: paths.count)
    bytesLeft = byteBudget
  }

  /// The picture at a place.
  ///
  /// - Throws: `.unsuitablePictures`.
  func image(_ place: Int) throws(TrainingError) -> Image {
    if let image = images[place] { return image }
    let image = try decoded(paths[place])
    if image.rgb.count <= bytesLeft {
      bytesLeft -= image.rgb.count
      images[place] = image
    }
    return image
  }

  /// Crops take at least 0.6 of a side.
  private func decoded(_ path: String) throws(TrainingError) -> Image {
    do {
      let file = try ImageFile(contentsOf: path)
      let least = side * 5 / 3
      let pixels = try file.imageSource.decoded(.covering(width: least, height: least))
      return try pixels.upright(file.imageSource.orientation)
    } catch {
      throw TrainingError(.unsuitablePictures, "\(path): \(error)")
    }
  }
}
