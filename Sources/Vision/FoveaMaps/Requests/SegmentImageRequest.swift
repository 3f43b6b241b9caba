// Fovea - the request to say of every pixel what it shows.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
internal import FoveaNetworkTasks
public import FoveaRuntime
public import FoveaVision

/// A request that says of every pixel of an image what it shows, with a network for that.
///
/// Create a request once and perform it on every image. Copies share the model, its threads and its
/// memory.
///
///     let request = try SegmentImageRequest(model: Model(contentsOf: "deeplab.mlpackage"))
///     let map = try request.perform(on: ImageFile(contentsOf: "street.jpg"))
///     print(map.labels[map[x: 10, y: 20] ?? 0], map.share(of: 0))
///
/// Scores of classes are mixed from the four nearest places of the network's output, and the greatest
/// one counts. Numbers of classes are taken from the nearest place. Of one number for each place,
/// those count that are above 0, or above the half of a range that ends with a sigmoid.
public struct SegmentImageRequest: Sendable {
  /// The names of the classes, in the order of their numbers. A network that writes numbers of classes
  /// and has no names gives further ones where they occur.
  public var classLabels: [String] { classes.labels }

  private let classes: MapClasses
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

  /// A request that reads the scores or the numbers of classes that a network writes.
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
      model, .semantic, output: output, requiresEvidence: requiresEvidence, pool: pool)
    classes = MapClasses(network)
  }

  /// The network. For a model that reads an array, it is the same one with a picture in its place.
  public var model: Model { network.model }

  /// The class of every pixel of the upright image.
  ///
  /// - Parameters:
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`.
  ///   - orientation: How to turn the stored picture; `nil` for what it says itself.
  /// - Throws: `.invalidRequest` for a region of interest that leaves the picture; `.image`;
  ///   `.runtime`; `.cancelled`; `.invalidOutput` when the network
  ///   writes what is no class.
  public func perform(
    on image: consuming some ImageConvertible, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> ClassMap {
    try network.run(on: image, orientation: orientation, view) {
      values, geometry throws(DetectionError) in
      try classes.map(values, geometry, network.reading)
    }
  }

  /// The same by a thread of Fovea's own, as in `DetectObjectsRequest.perform(on:orientation:)`.
  ///
  /// - Throws: `DetectionError`; see the form that is not `async`.
  public func perform(
    on image: some ImageConvertible, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> ClassMap {
    try await InferenceThreads.shared.run { () throws(DetectionError) in
      try perform(on: image, orientation: orientation)
    }
  }
}
