// Fovea - decoded pictures, kept where memory allows.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaLibc
internal import FoveaRuntime
internal import FoveaVision

/// Decoded pictures, upright, kept where memory allows.
struct PictureStore: Sendable {
  private struct Kept {
    var images: [Image?]
    var bytesLeft: Int
  }

  /// How many pictures there are.
  let count: Int
  private let read: @Sendable (Int) throws(TrainingError) -> Image
  private let kept: Locked<Kept>

  /// Pictures that `read` gives, the same one for a place each time.
  ///
  /// - Parameter byteBudget: The most bytes of pictures that are kept.
  init(
    count: Int, byteBudget: Int, read: @escaping @Sendable (Int) throws(TrainingError) -> Image
  ) {
    (self.count, self.read) = (count, read)
    kept = Locked(Kept(images: Array(repeating: nil, count: count), bytesLeft: byteBudget))
  }

  /// Pictures at paths.
  ///
  /// - Parameters:
  ///   - side: The side of the network's input. Larger pictures may be reduced while they are
  ///     decoded.
  ///   - byteBudget: The most bytes of pictures that are kept.
  init(paths: [String], side: Int, byteBudget: Int) {
    self.init(count: paths.count, byteBudget: byteBudget) { place throws(TrainingError) in
      try Self.decoded(paths[place], side: side)
    }
  }

  /// The picture at a place. Several threads may ask; they decode side by side.
  ///
  /// - Throws: `.unsuitablePictures`.
  func image(_ place: Int) throws(TrainingError) -> Image {
    if let image = kept.withLock({ $0.images[place] }) { return image }
    let image = try read(place)
    kept.withLock { kept in
      guard kept.images[place] == nil, image.rgb.count <= kept.bytesLeft else { return }
      kept.bytesLeft -= image.rgb.count
      kept.images[place] = image
    }
    return image
  }

  /// Crops take at least 0.6 of a side.
  private static func decoded(_ path: String, side: Int) throws(TrainingError) -> Image {
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
