// Fovea - the request to find objects in a picture.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging
public import FoveaRuntime

/// The request to find the objects that a detector knows.
///
/// Create it once and perform it on every picture: the model, its threads and its working memory
/// are kept and shared by copies. Many tasks may perform one request at once; each borrows a
/// session of its own, so that there are as many as were ever busy at the same time.
///
///     let request = try DetectObjectsRequest(model: Model(contentsOf: "detector.mlmodel"))
///     for object in try request.perform(on: "photo.jpg") { print(object) }
public struct DetectObjectsRequest: Sendable {
  /// The detector.
  public var model: Model { detector.model }

  /// The least score of an object's best class, 0...1; equal stays.
  ///
  /// `nil` takes the model's: of its suppression stage, else of its metadata
  /// (`confidence_threshold`, `Confidence threshold`), else 0.25.
  public var minimumConfidence: Float?

  /// The greatest intersection over union that two objects may have, 0...1; of two that have more,
  /// the better one stays.
  ///
  /// `nil` takes the model's: of its suppression stage, else of its metadata (`iou_threshold`,
  /// `IoU threshold`, `non_maximum_suppression_threshold`), else 0.45.
  public var iouThreshold: Double?

  /// Whether an object also displaces objects of other classes.
  ///
  /// `nil` takes the model's: of its suppression stage, else `false`.
  public var isClassAgnostic: Bool?

  /// The greatest number of objects, at least 1; the best stay. `nil` for all.
  public var maximumObservations: Int?

  /// Only objects whose best class is one of these. Others are left out before suppression, so
  /// that they displace nothing. `nil` for all.
  public var allowedLabels: Set<String>?

  /// Whether one box may stand for objects of several classes.
  public var candidateRule = CandidateRule.bestClass

  /// How the picture is brought to the size of the network's input.
  public var cropAndScaleAction = ImageCropAndScaleAction.scaleToFill

  private let detector: Detector

  /// A request that runs `model` with the thresholds that the model itself states.
  ///
  /// - Parameter pool: Threads to use; `nil` starts `ThreadPool.defaultThreadCount`.
  /// - Throws: `.unsuitableModel` for a model that has no picture input, no scores and boxes, or
  ///   a number of labels that differs from its number of scores; `.runtime`.
  public init(model: Model, pool: ThreadPool? = nil) throws(DetectionError) {
    detector = try Detector(model: model, pool: pool)
  }

  /// The names of the model's classes, in the order of its scores.
  public var classLabels: [String] { detector.layout.classLabels }

  /// The numbers that the request will use, after asking the model for those that are `nil`.
  ///
  /// - Throws: `.invalidRequest` for a number outside its range or an unknown label.
  public func resolvedSettings() throws(DetectionError) -> DetectionSettings {
    try DetectionSettings(self)
  }

  // MARK: Performing

  /// The objects in a picture, by descending score of their best class.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on picture: Picture, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(on: picture, orientation: orientation).observations
  }

  /// The objects in the JPEG or PNG file at `path`, by descending score of their best class.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on path: String, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(on: path, orientation: orientation).observations
  }

  /// The objects in the bytes of a JPEG or PNG file, by descending score of their best class.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on bytes: [UInt8], orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(onlyOn: .bytes(bytes), orientation: orientation).observations
  }

  /// `perform(on:orientation:)` without blocking the caller's actor.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on picture: Picture, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(on: picture, orientation: orientation).observations
  }

  /// `perform(on:orientation:)` without blocking the caller's actor.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on path: String, orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(on: path, orientation: orientation).observations
  }

  /// `perform(on:orientation:)` without blocking the caller's actor.
  ///
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func perform(
    on bytes: [UInt8], orientation: ImageOrientation? = nil
  ) async throws(DetectionError) -> [RecognizedObjectObservation] {
    try result(onlyOn: .bytes(bytes), orientation: orientation).observations
  }

  /// The objects in a picture, with the picture's size and the time that each stage took.
  ///
  /// - Parameters:
  ///   - picture: Pixels as stored.
  ///   - orientation: How to turn the stored picture; `nil` for its own `storedOrientation`.
  /// - Throws: `.invalidRequest` for a property outside its range or an unknown label;
  ///   `.invalidOutput` when the network puts out what is no number; `.picture`; `.runtime`.
  public func result(
    on picture: Picture, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> DetectObjectsResult {
    try result(on: UprightPicture(picture, orientation: orientation))
  }

  /// The objects in the JPEG or PNG file at `path`, with the picture's size and the time that each
  /// stage took. The decoded picture is not kept; `ImageRequestHandler` keeps it for more requests.
  ///
  /// - Parameter orientation: How to turn the stored picture; `nil` for what its EXIF data say.
  /// - Throws: `DetectionError`; see `result(on:orientation:)`.
  public func result(
    on path: String, orientation: ImageOrientation? = nil
  ) throws(DetectionError) -> DetectObjectsResult {
    try result(onlyOn: .path(path), orientation: orientation)
  }

  private func result(
    onlyOn source: PictureSource, orientation: ImageOrientation?
  ) throws(DetectionError) -> DetectObjectsResult {
    var clock = StageClock()
    let picture = try UprightPicture(source.load(), orientation: orientation)
    let decode = clock.lap()
    var result = try result(on: consume picture)
    result.timings.decode = decode
    return result
  }

  func result(on picture: consuming UprightPicture) throws(DetectionError) -> DetectObjectsResult {
    let settings = try resolvedSettings()
    let (size, turned) = (picture.size, picture.orientation)
    let (observations, timings) = try detector.detect(in: consume picture, settings: settings)
    return DetectObjectsResult(
      observations: observations, imageSize: size, orientation: turned, timings: timings)
  }
}
