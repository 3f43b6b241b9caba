// Fovea - one detector for several sizes of its input.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaRuntime

/// A detector, and the same one for other sizes of its input. Shared by copies of a request.
///
/// A size is loaded when an image first asks for it. The sizes that were used last are kept.
final class DetectorSizes: Sendable {
  /// The detector of the model that the request was made with.
  let own: Detector
  private let pool: ThreadPool
  private let others = ModelVariants<ImageSize, Detector>()

  /// Throws `.unsuitableModel` or `.runtime`.
  init(model: Model, pool: ThreadPool?) throws(DetectionError) {
    self.pool = try DetectionError.translatingRuntime { () throws(FoveaError) in
      if let pool { pool } else { try ThreadPool() }
    }
    own = try Detector(model: model, pool: self.pool)
  }

  /// The allowed size of the input that is nearest to the aspect of what the network is to see.
  func size(nearestTo region: NormalizedRect, of uprightSize: ImageSize) -> ImageSize {
    let width = region.width * Double(uprightSize.width)
    let height = region.height * Double(uprightSize.height)
    return own.model.imageSize(nearestTo: width / height) ?? own.layout.inputSize
  }

  /// The detector for a size of the input.
  ///
  /// - Throws: `.unsuitableModel` or `.runtime` for a size that cannot be loaded.
  func detector(of size: ImageSize) throws(DetectionError) -> Detector {
    if size == own.layout.inputSize { return own }
    return try others.variant(for: size) { () throws(DetectionError) in
      let model = try DetectionError.translatingRuntime { () throws(FoveaError) in
        try own.model.resized(to: size)
      }
      return try Detector(model: model, pool: pool)
    }
  }
}
