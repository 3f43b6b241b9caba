// Fovea - the request to estimate how far every pixel is.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
internal import FoveaModelValues
internal import FoveaNetworkTasks
public import FoveaRuntime
public import FoveaVision

/// A request that estimates how far every pixel of an image is, with a network for that.
///
/// Create a request once and perform it on every image. Copies share the model, its threads and its
/// memory.
///
///     let request = try EstimateDepthRequest(model: Model(contentsOf: "depth.onnx"))
///     let map = try request.perform(on: ImageFile(contentsOf: "street.jpg"))
///     print(map[x: 10, y: 20], map.unit)
///
/// Depths are mixed from the four nearest places of the network's output.
public struct EstimateDepthRequest: Sendable {
  /// What the depths count: meters where the file says so, as Ultralytics' do, else a measure of the
  /// network's own.
  public let unit: DepthMap.Unit

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

  /// A request that reads the depths that a network writes.
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
      model, .depth, output: output, requiresEvidence: requiresEvidence, pool: pool)
    let metadata = network.model.metadata.userDefined
    unit = metadata["task"] == "depth" || metadata["head"] == "Depth" ? .meters : .relative
  }

  /// The network. For a model that reads an array, it is the same one with a picture in its place.
  public var model: Model { network.model }

  /// The depth of every pixel of the upright image.
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored picture; `nil` for what it says itself.
  /// - Throws: `.invalidRequest` for a region of interest that leaves the picture; `.image`;
  ///   `.runtime`; `.cancelled`; `.invalidOutput` when the network
  ///   writes what is no number.
  public func perform(
    on image: consuming some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> DepthMap {
    try network.run(on: image, orientation: orientation, view) { values, geometry in
      DepthMap(values, geometry, network.reading, unit)
    }
  }

  /// The same by a thread of Fovea's own, as in `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see the form that is not `async`.
  public func perform(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> DepthMap {
    try await InferenceThreads.shared.run { () throws(DetectionError) in
      try perform(on: image, orientation: orientation)
    }
  }
}
