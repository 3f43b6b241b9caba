// Fovea - the same model for other sizes of its inputs, and for pictures.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
package import FoveaGeometry
internal import FoveaLowering
package import FoveaModelValues

extension Model {
  /// Where a model came from, to load it again for another size.
  package struct Source: Sendable {
    var file: ModelFile
    var options: Options

    /// The source where it can be used: for a model that allows several sizes or shapes of an input,
    /// or reads an array that can be a picture.
    func kept(for file: ModelDescription) -> Source? {
      let isFlexible = file.inputs.contains { $0.type.isFlexible }
      return isFlexible || PictureForm(of: file) != nil ? self : nil
    }
  }

  /// The same model with a picture in the place of an array; the model itself if it reads images, or
  /// has not exactly one array that can be a picture.
  ///
  /// The model is loaded again from the bytes of its file, which it keeps for this: it takes as long
  /// as loading, and the new model has weights of its own.
  package func readingPictures(_ wish: PictureInput = PictureInput()) throws(FoveaError) -> Model {
    guard let source, picture == nil, inputs.allSatisfy({ $0.image == nil }) else { return self }
    var options = source.options
    options.pictures = wish
    // Shapes of the array are sizes of the picture now.
    if let form = PictureForm(of: specification), let shape = options.arrayShapes[form.input] {
      let (rows, columns) = form.layout.sides(of: shape)
      options.imageSizes[form.input] = ImageSize(width: columns, height: rows)
      options.arrayShapes[form.input] = nil
    }
    return try Model(source.file, name: name, options: options)
  }

  /// The same model with the arrays of its file; the model itself if no picture takes the place of one.
  ///
  /// It is loaded again, as by `readingPictures(_:)`.
  package func readingArrays() throws(FoveaError) -> Model {
    guard let source, let picture, let port = inputs.first(where: { $0.name == picture.input })
    else { return self }
    var options = source.options
    options.pictures = nil
    options.head = nil
    options.imageSize = nil
    options.imageSizes[picture.input] = nil
    options.arrayShapes[picture.input] = picture.layout.shape(
      rows: port.shape[0], columns: port.shape[1])
    return try Model(source.file, name: name, options: options)
  }

  /// The allowed size of the image input that is nearest to the aspect of a picture; `nil` where the
  /// model cannot be loaded for other sizes, see `resized(to:)`.
  ///
  /// Sizes in a range are multiples of the `stride` that the metadata states; see
  /// `ImageFeature.size(nearestTo:step:)`.
  ///
  /// - Parameter aspect: Width over height of the upright picture.
  package func imageSize(nearestTo aspect: Double) -> ImageSize? {
    let images = inputs.compactMap(\.image)
    guard source != nil, images.count == 1, images[0].isFlexible else { return nil }
    let image = images[0]
    let stride = metadata.userDefined["stride"].flatMap { Int($0) }
    let size = image.size(nearestTo: aspect, step: stride ?? image.usualStep)
    return ImageSize(width: size.width, height: size.height)
  }

  /// Allowed sizes of the image input with fewer pixels than `size`, the largest first; none where
  /// the model cannot be loaded for other sizes.
  ///
  /// Of a range they are about 3/4, 1/2 and 3/8 of the sides, in steps as above.
  package func imageSizes(below size: ImageSize) -> [ImageSize] {
    let images = inputs.compactMap(\.image)
    guard source != nil, images.count == 1 else { return [] }
    let stride = metadata.userDefined["stride"].flatMap { Int($0) }
    return images[0].sizes(below: size, step: stride ?? images[0].usualStep)
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

  /// Whether the file allows several sizes or shapes of an input, and they can still be chosen.
  package var isFlexible: Bool {
    source != nil && specification.inputs.contains { $0.type.isFlexible }
  }

  /// The same model for other sizes of images and shapes of arrays, by the names of the inputs.
  /// Inputs that are not named have the sizes that the file prefers.
  ///
  /// - Throws: As `resized(to:)`.
  package func reshaped(
    images: [String: ImageSize], arrays: [String: [Int]]
  ) throws(FoveaError) -> Model {
    guard let source else { throw FoveaError(.unsupported, "\(name) has one shape for each input") }
    var options = source.options
    options.imageSize = nil
    options.imageSizes = images
    options.arrayShapes = arrays
    return try Model(source.file, name: name, options: options)
  }
}

extension FeatureType {
  /// Whether an input of this type may have several sizes or shapes.
  package var isFlexible: Bool {
    switch self {
    case .image(let image): image.isFlexible
    case .multiArray(let array): array.isFlexible
    default: false
    }
  }
}

extension MultiArrayFeature {
  /// Whether the model allows other shapes than its own.
  fileprivate var isFlexible: Bool {
    switch allowedShapes {
    case .fixed: false
    case .enumerated(let shapes): shapes.contains { $0 != shape }
    case .ranges(let ranges): ranges.contains { $0.upper != $0.lower }
    }
  }
}
