// Fovea - the request for numbers by which images are compared.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
internal import FoveaNetworkTasks
public import FoveaRuntime
public import FoveaVision

/// A request for a row of numbers by which an image is compared with others, with a network for that.
///
///     let request = try ImageEmbeddingRequest(model: Model(contentsOf: "embedding.onnx"))
///     let one = try request.perform(on: ImageFile(contentsOf: "one.jpg"))
///     let other = try request.perform(on: ImageFile(contentsOf: "other.jpg"))
///     print(try one.distance(to: other))
public struct ImageEmbeddingRequest: Sendable {
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

  /// A request that reads the row of numbers that a network writes.
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
      model, .embedding, output: output, requiresEvidence: requiresEvidence, pool: pool)
  }

  /// The network. For a model that reads an array, it is the same one with a picture in its place.
  public var model: Model { network.model }

  /// The row of numbers of an image.
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored picture; `nil` for what it says itself.
  /// - Throws: `.invalidRequest` for a region of interest that leaves the picture; `.image`;
  ///   `.runtime`; `.cancelled`; `.invalidOutput` when the network
  ///   writes what is no number.
  public func perform(
    on image: consuming some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> ImageEmbedding {
    try network.run(on: image, orientation: orientation, view) { values, _ in
      ImageEmbedding(values.withUnsafeBufferPointer { Array($0) })
    }
  }

  /// The same by a thread of Fovea's own, as in `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see the form that is not `async`.
  public func perform(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> ImageEmbedding {
    try await InferenceThreads.shared.run { () throws(DetectionError) in
      try perform(on: image, orientation: orientation)
    }
  }
}
