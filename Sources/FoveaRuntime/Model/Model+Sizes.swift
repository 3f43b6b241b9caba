// Fovea - the same model for other sizes of its image.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
internal import FoveaModelFormat

extension Model {
  /// Where a model came from, to load it again for another size.
  package struct Source: Sendable {
    var file: ModelFile
    var options: Options
  }

  /// The allowed size of the image input that is nearest to the aspect of a picture; `nil` where the
  /// model cannot be loaded for other sizes, see `resized(to:)`.
  ///
  /// Sizes in a range are multiples of the `stride` that the metadata states; see
  /// `ImageFeature.size(nearestTo:step:)`.
  ///
  /// - Parameter aspect: Width over height of the upright picture.
  package func imageSize(nearestTo aspect: Double) -> ImageSize? {
    guard source != nil, let image = inputs.lazy.compactMap(\.image).first else { return nil }
    let stride = metadata.userDefined["stride"].flatMap { Int($0) }
    let size = image.size(nearestTo: aspect, step: stride ?? image.usualStep)
    return ImageSize(width: size.width, height: size.height)
  }

  /// The same model for another size of its image input. Ranges of a calibration are kept.
  ///
  /// - Throws: `FoveaError`: `unsupported` for a model that has one size, or was compiled for one;
  ///   `invalidArgument` for a size that the file does not allow.
  package func resized(to size: ImageSize) throws(FoveaError) -> Model {
    guard let source else {
      throw FoveaError(.unsupported, "\(name) has one size for images")
    }
    var options = source.options
    options.imageSizes = [:]
    options.imageSize = size
    return try Model(source.file, name: name, options: options)
  }
}
