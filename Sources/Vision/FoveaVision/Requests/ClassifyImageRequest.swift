// Fovea - the request to name what is in an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
public import FoveaRuntime

/// A request that names what is in an image with a classifier.
///
/// Create a request once and perform it on every image. Copies share the model, its threads and its
/// memory, as those of a ``DetectObjectsRequest`` do.
///
///     let request = try ClassifyImageRequest(model: Model(contentsOf: "classifier.mlpackage"))
///     let photo = try ImageFile(contentsOf: "photo.jpg")
///     for found in try request.perform(on: photo).prefix(3) {
///       print(found.identifier, found.confidence)
///     }
public struct ClassifyImageRequest: Sendable {
  /// The part of the upright image that the network sees.
  public var regionOfInterest = NormalizedRect.fullImage

  /// How the region is brought to the size of the network's input. The longer side is cut at both ends
  /// unless you say otherwise: so classifiers are trained, and so Vision gives them pictures.
  public var cropAndScaleAction = ImageCropAndScaleAction.centerCrop

  /// The position of the image if the action leaves padding. Padding is black.
  package var paddingAnchor = PaddingAnchor.centered

  /// The filter that scales the image to the network's input.
  package var resamplingFilter = ResamplingFilter.bilinear

  /// Whether a JPEG much larger than the network's input may be decoded at a part of its size.
  package var allowsReducedDecoding = true

  private let classifier: Classifier

  /// A request that runs a classifier: a model whose file names an output as the probabilities of
  /// its class labels, or one that reads an array with a picture and writes one row of scores. The
  /// latter is loaded once more, as in `DetectObjectsRequest.init(model:pool:)`.
  ///
  /// - Parameters:
  ///   - model: The classifier.
  ///   - pool: The threads that share the work; `nil` starts `ThreadPool.defaultThreadCount`.
  /// - Throws: `.unsuitableModel` for a model that does not read exactly one image, or whose file
  ///   names no probabilities or no label for each; `.runtime`.
  public init(model: Model, pool: ThreadPool? = nil) throws(DetectionError) {
    classifier = try Classifier(model: model, pool: pool)
  }

  /// The classifier.
  package var model: Model { classifier.model }

  /// The names of the model's classes, in the order of its scores.
  public var classLabels: [String] { classifier.layout.classLabels }

  // MARK: Performing

  /// All classes of the model by descending probability, ties by index.
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored image; `nil` for what it says itself.
  /// - Throws: `.invalidRequest` for a region of interest that leaves the image; `.invalidOutput`
  ///   when the network puts out what is no probability; `.image`; `.runtime`; `.cancelled`.
  public func perform(
    on image: consuming some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [ClassificationObservation] {
    try DetectionError.checkCancellation()
    let source = (consume image).imageSource
    let preparation = try preparation(
      of: source.storedSize(), orientation: orientation ?? source.orientation)
    let reduction =
      allowsReducedDecoding ? ImageReduction(for: [preparation]) : ImageReduction.none
    let pixels = try (consume source).decoded(reduction)
    return try classifier.classify { session throws(DetectionError) in
      try session.fill(
        classifier.layout.imageInput, from: pixels.bytes.span.bytes, layout: pixels.layout,
        reductionFactor: pixels.reductionFactor, geometry: preparation.geometry,
        filter: preparation.filter)
    }
  }

  /// All classes of the model by descending probability, for pixels that somebody else holds. They
  /// are sampled where they lie and not copied.
  ///
  /// - Throws: As `perform(on:orientation:)`; `.runtime` for fewer bytes than the layout says.
  package func perform(
    onPixels pixels: RawSpan, layout: PixelLayout, orientation: ImageOrientation
  ) throws(DetectionError) -> [ClassificationObservation] {
    try DetectionError.checkCancellation()
    let size = ImageSize(width: layout.width, height: layout.height)
    let preparation = try preparation(of: size, orientation: orientation)
    return try classifier.classify { session throws(DetectionError) in
      try session.fill(
        classifier.layout.imageInput, from: pixels, layout: layout, geometry: preparation.geometry,
        filter: preparation.filter)
    }
  }

  /// All classes of the model by descending probability, found by a thread of Fovea's own as in
  /// `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see the form that is not `async`.
  public func perform(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> [ClassificationObservation] {
    try await InferenceThreads.shared.run { () throws(DetectionError) in
      try perform(on: image, orientation: orientation)
    }
  }

  private func preparation(
    of storedSize: ImageSize, orientation: ImageOrientation
  ) throws(DetectionError) -> InputPreparation {
    let geometry = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(
        storedSize: storedSize, orientation: orientation, regionOfInterest: regionOfInterest,
        cropAndScaleAction: cropAndScaleAction, paddingAnchor: paddingAnchor,
        modelSize: classifier.layout.inputSize)
    }
    return InputPreparation(
      geometry: geometry, filter: resamplingFilter, shape: classifier.layout.inputShape)
  }
}
