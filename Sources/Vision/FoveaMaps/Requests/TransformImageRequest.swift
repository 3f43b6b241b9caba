// Fovea - the request to make another picture of one.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging
internal import FoveaNetworkTasks
public import FoveaRuntime
public import FoveaVision

/// A request that makes another picture of an image, with a network for that: one that paints in a
/// style, sharpens, or enlarges.
///
///     let request = try TransformImageRequest(model: Model(contentsOf: "style.mlpackage"))
///     let picture = try request.perform(on: ImageFile(contentsOf: "street.jpg"))
///     try picture.write(to: "painted.png", as: .png)
///
/// The last operations of the network say whether it writes 0 to 1, -1 to 1, or 0 to 255. Where they
/// do not, set `outputScale`.
public struct TransformImageRequest: Sendable {
  /// What a number of the output is multiplied by to be a level of 0 to 255, such as 255 for an output
  /// of 0 to 1; `nil` for what the file or its last operations say.
  public var outputScale: Float?

  /// What is added then; counts with `outputScale`.
  public var outputBias: Float = 0

  /// Whether the picture is brought back onto the upright image, in its size. What the network did not
  /// see is black then. Otherwise it has the size that the network writes, with the padding of its
  /// input.
  public var returnsToImage = false

  /// The part of the upright picture that the network sees.
  public var regionOfInterest: NormalizedRect {
    get { view.regionOfInterest }
    set { view.regionOfInterest = newValue }
  }

  /// How the region is brought to the size of the network's input.
  public var cropAndScaleAction: ImageCropAndScaleAction {
    get { view.cropAndScaleAction }
    set { view.cropAndScaleAction = newValue }
  }

  /// All that says how a picture is brought to the network.
  package var view = InputView()

  package let network: MapNetwork
  private let levels: OutputLevels?

  /// A request that reads the picture that a network writes.
  ///
  /// - Parameters:
  ///   - model: The network. One that reads an array is loaded once more, as in
  ///     `DetectObjectsRequest.init(model:pool:)`.
  ///   - output: The name of the output that is read; `nil` for the only one that fits.
  ///   - requiresEvidence: Whether the file, the shapes or the last operations have to say that this
  ///     is what the network does. `false`: you know it.
  ///   - pool: The threads that share the work; `nil` starts `ThreadPool.defaultThreadCount`.
  /// - Throws: `.unsuitableModel`, which says what the model has instead and what to do; `.runtime`.
  public init(
    model: Model, output: String? = nil, requiresEvidence: Bool = true, pool: ThreadPool? = nil
  ) throws(DetectionError) {
    network = try MapNetwork(
      model, .image, output: output, requiresEvidence: requiresEvidence, pool: pool)
    levels = OutputLevels(network.reading)
  }

  /// The network. For a model that reads an array, it is the same one with a picture in its place.
  public var model: Model { network.model }

  /// The picture that the network makes of an image.
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored picture; `nil` for what it says itself.
  /// - Throws: `.invalidRequest` for a region of interest that leaves the picture; `.image`;
  ///   `.runtime`; `.cancelled`; `.invalidOutput` when the network
  ///   writes what is no number.
  public func perform(
    on image: consuming some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> Image {
    let levels = try levels(for: network)
    return try network.run(on: image, orientation: orientation, view) {
      values, geometry throws(DetectionError) in
      try levels.picture(values, network.reading, on: returnsToImage ? geometry : nil)
    }
  }

  /// The same by a thread of Fovea's own, as in `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see the form that is not `async`.
  public func perform(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> Image {
    try await InferenceThreads.shared.run { () throws(DetectionError) in
      try perform(on: image, orientation: orientation)
    }
  }

  /// How numbers become levels.
  ///
  /// - Throws: `.invalidRequest` where neither the request nor the network says it.
  private func levels(for network: MapNetwork) throws(DetectionError) -> OutputLevels {
    if let outputScale {
      guard outputScale.isFinite, outputScale != 0, outputBias.isFinite else {
        throw .invalidRequest(
          "outputScale is \(outputScale) and outputBias \(outputBias); expected numbers, and no "
            + "scale of 0")
      }
      return OutputLevels(scale: outputScale, bias: outputBias)
    }
    guard let levels else {
      throw .invalidRequest(
        "nothing says which numbers '\(network.reading.output)' of \(network.model.name) writes for "
          + "black and white: its last operations keep them in no range. Say what makes levels of 0 "
          + "to 255 of them (--output-scale, outputScale): 255 for numbers of 0 to 1, 1 for levels")
    }
    return levels
  }
}
