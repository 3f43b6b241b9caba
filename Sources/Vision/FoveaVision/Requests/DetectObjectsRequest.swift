// Fovea - the request to find objects in an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
public import FoveaRuntime

/// A request that finds objects in an image with a detector.
///
/// Create a request once and perform it on every image. Copies share the model, its threads and its
/// memory. Many tasks may perform one request at the same time: each uses a session of its own, and
/// sessions are kept for reuse.
///
///     let request = try DetectObjectsRequest(model: Model(contentsOf: "detector.mlmodel"))
///     let photo = try ImageFile(contentsOf: "photo.jpg")
///     for object in try request.perform(on: photo) { print(object) }
public struct DetectObjectsRequest: Sendable {
  /// The detector. For a model that reads an array, it is the same one with a picture in its place.
  public var model: Model { detector.model }

  /// The least score of an object's best class, 0...1.
  ///
  /// `nil` takes the value of the model: that of its suppression stage, else of its metadata
  /// (`confidence_threshold`, `Confidence threshold`), else 0.25.
  public var minimumConfidence: Float?

  /// The greatest intersection over union of two objects, 0...1. If two overlap more, the better
  /// one stays.
  ///
  /// `nil` takes the value of the model: that of its suppression stage, else of its metadata
  /// (`iou_threshold`, `IoU threshold`, `non_maximum_suppression_threshold`), else 0.45.
  public var iouThreshold: Double?

  /// The intersection over union, 0...1, from which suppressed boxes move the box of an object. The
  /// box becomes the mean of itself and these boxes, weighted by the squares of the scores. Boxes
  /// then fit better, but are not boxes of the network's output. 1 turns this off.
  ///
  /// `nil` takes `box_voting_threshold` of the model's metadata, else 1, as in Core ML.
  public var boxVotingThreshold: Double?

  /// The strength of soft suppression, 0...1. An object that overlaps a better one keeps the share
  /// 1 - `softSuppression` * (greatest intersection over union) of its score, and is removed below
  /// `minimumConfidence`. This lowers second answers for one object, such as a part of a page. 0
  /// turns it off.
  ///
  /// `nil` takes `soft_suppression` of the model's metadata, else 0, as in Core ML.
  public var softSuppression: Double?

  /// Whether an object also suppresses objects of other classes.
  ///
  /// `nil` takes the value of the model's suppression stage, else `false`.
  public var isClassAgnostic: Bool?

  /// The greatest number of objects, at least 1: the best stay. `nil` for all.
  public var maximumObservations: Int?

  /// The classes to find; `nil` for all. Boxes whose best class is another are removed before
  /// suppression, so that they suppress nothing.
  public var allowedLabels: Set<String>?

  /// Whether one box may give objects of several classes.
  public var candidateRule = CandidateRule.bestClass

  /// The part of the upright image that the network sees. Boxes are still fractions of the full
  /// image.
  public var regionOfInterest = NormalizedRect.fullImage

  /// How the region is brought to the size of the network's input.
  public var cropAndScaleAction = ImageCropAndScaleAction.scaleToFill

  /// The position of the image if the action leaves padding. Padding is black.
  public var paddingAnchor = PaddingAnchor.centered

  /// The filter that scales the image to the network's input.
  public var resamplingFilter = ResamplingFilter.bilinear

  /// Whether the network's input takes the allowed size whose aspect is nearest to that of each
  /// image, or of the region of interest: a landscape is then not squeezed into a square. A model
  /// that allows one size keeps it, and so does a compiled one.
  ///
  /// The first image of an aspect takes longer, because the model is loaded again for its size. The
  /// four sizes that were used last are kept.
  public var matchesAspect = false

  /// Whether a JPEG much larger than the network's input may be decoded at 1/2, 1/4 or 1/8 of its
  /// size, with at least one pixel for each pixel of the input. This is much faster, and the pixels
  /// differ slightly; see `ImageReduction`.
  public var allowsReducedDecoding = true

  /// Whether results include all scores, so that you can change thresholds without another
  /// inference.
  public var retainsScores = false

  private let sizes: DetectorSizes
  /// The detector of `model`.
  var detector: Detector { sizes.own }

  /// A request that runs `model` with the thresholds that the model itself states.
  ///
  /// A model that reads an array of 1 or 3 channels, rows and columns, as those of other formats do,
  /// is loaded once more with a picture in its place. That takes as long as loading did, and memory
  /// for the weights of both as long as you keep the model. The article "Models that read arrays" says
  /// what pixels become.
  ///
  /// - Parameters:
  ///   - model: The detector.
  ///   - pool: The threads that share the work; `nil` starts `ThreadPool.defaultThreadCount`.
  /// - Throws: `.unsuitableModel` for a model without an image or picture, or without scores and boxes,
  ///   or whose number of labels is not that of its scores; `.runtime`.
  public init(model: Model, pool: ThreadPool? = nil) throws(DetectionError) {
    sizes = try DetectorSizes(model: model, pool: pool)
  }

  /// The names of the model's classes, in the order of its scores.
  public var classLabels: [String] { detector.layout.classLabels }

  /// Whether objects have masks.
  package var findsMasks: Bool { detector.layout.parts.masks != nil }
  /// How many key points an object has; 0 without any.
  package var keypointCount: Int { detector.layout.parts.pointNames.count }
  /// Whether boxes are turned.
  package var findsTurnedBoxes: Bool { detector.layout.parts.hasTurnedBoxes }

  /// The size of the network's input, unless `matchesAspect` chooses another.
  public var inputSize: ImageSize { detector.layout.inputSize }

  /// The geometry of an image of `storedSize` in the network's input.
  ///
  /// - Throws: `.invalidRequest` for an image without pixels, or for a region of interest that is
  ///   empty or leaves the image.
  public func geometry(
    of storedSize: ImageSize, orientation: ImageOrientation = .up
  ) throws(DetectionError) -> ImageGeometry {
    try geometry(
      of: storedSize, orientation: orientation,
      inputSize: inputSize(of: storedSize, orientation: orientation))
  }

  /// The same in an input of `inputSize`.
  func geometry(
    of storedSize: ImageSize, orientation: ImageOrientation, inputSize: ImageSize
  ) throws(DetectionError) -> ImageGeometry {
    try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(
        storedSize: storedSize, orientation: orientation, regionOfInterest: regionOfInterest,
        cropAndScaleAction: cropAndScaleAction, paddingAnchor: paddingAnchor,
        modelSize: inputSize)
    }
  }

  /// The size of the network's input that the request asks for, for an image of `storedSize`.
  func inputSize(of storedSize: ImageSize, orientation: ImageOrientation) -> ImageSize {
    guard matchesAspect else { return inputSize }
    return sizes.size(nearestTo: regionOfInterest, of: orientation.uprightSize(of: storedSize))
  }

  /// The detector for the size of the input that `preparation` fills.
  func detector(for preparation: InputPreparation) throws(DetectionError) -> Detector {
    try sizes.detector(of: preparation.geometry.modelSize)
  }

  /// The settings of the request, with the values of the model for those that are `nil`.
  ///
  /// - Throws: `.invalidRequest` for a number outside its range, or for an unknown label.
  public func resolvedSettings() throws(DetectionError) -> DetectionSettings {
    try DetectionSettings(self)
  }
}
