// Fovea - the request to find objects in an image.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
public import FoveaImaging
public import FoveaRuntime

/// The request to find the objects that a detector knows.
///
/// Create it once and perform it on every image: the model, its threads and its working memory
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

  /// The least intersection over union with an object, 0...1, at which a box that it displaces still
  /// moves it: the object's box becomes the mean of both and all others of that kind, weighted by the
  /// squares of their scores. Boxes then fit better, and are none that the network put out. 1 leaves
  /// them as they are.
  ///
  /// `nil` takes the model's, of its metadata (`box_voting_threshold`), else 1, as in Core ML.
  public var boxVotingThreshold: Double?

  /// How much of its confidence an object loses to better ones that it overlaps by no more than
  /// `iouThreshold`: this part, 0...1, of its greatest intersection over union with one of them. It
  /// goes when what is left is less than `minimumConfidence`. Of second answers for one object, such
  /// as a part of a page, less is then believed. 0 takes nothing.
  ///
  /// `nil` takes the model's, of its metadata (`soft_suppression`), else 0, as in Core ML.
  public var softSuppression: Double?

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

  /// The part of the upright image that is looked at. Boxes are fractions of the full image all
  /// the same.
  public var regionOfInterest = NormalizedRect.fullImage

  /// How the region is brought to the size of the network's input.
  public var cropAndScaleAction = ImageCropAndScaleAction.scaleToFill

  /// Where the padding of `scaleToFit` lies. It is black.
  public var paddingAnchor = PaddingAnchor.centered

  /// How pixels of the image become pixels of the network's input.
  public var resamplingFilter = ResamplingFilter.bilinear

  /// Whether a JPEG that is much larger than the network's input may be decoded at 1/2, 1/4 or 1/8
  /// of its size, so that a pixel remains for every pixel of the input. Faster by a multiple, and
  /// other pixels than those of the full size; see `ImageReduction`.
  public var allowsReducedDecoding = true

  /// How large an image file may be, and how many pixels it may claim. What is larger is refused
  /// before there is memory for it. Images that are decoded already have no limits.
  public var imageLimits = ImageLimits.standard

  /// Whether results hold all scores, so that thresholds may change without another inference.
  public var retainsScores = false

  let detector: Detector

  /// A request that runs `model` with the thresholds that the model itself states.
  ///
  /// - Parameter pool: Threads to use; `nil` starts `ThreadPool.defaultThreadCount`.
  /// - Throws: `.unsuitableModel` for a model that has no image input, no scores and boxes, or
  ///   a number of labels that differs from its number of scores; `.runtime`.
  public init(model: Model, pool: ThreadPool? = nil) throws(DetectionError) {
    detector = try Detector(model: model, pool: pool)
  }

  /// The names of the model's classes, in the order of its scores.
  public var classLabels: [String] { detector.layout.classLabels }

  /// The size of the network's input.
  public var inputSize: ImageSize { detector.layout.inputSize }

  /// How an image of `storedSize` will lie in the network's input.
  ///
  /// - Throws: `.invalidRequest` for an image without pixels, or a region of interest that is empty
  ///   or leaves the image.
  public func geometry(
    of storedSize: ImageSize, orientation: ImageOrientation = .up
  ) throws(DetectionError) -> ImageGeometry {
    try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(
        storedSize: storedSize, orientation: orientation, regionOfInterest: regionOfInterest,
        cropAndScaleAction: cropAndScaleAction, paddingAnchor: paddingAnchor,
        modelSize: inputSize)
    }
  }

  /// The numbers that the request will use, after asking the model for those that are `nil`.
  ///
  /// - Throws: `.invalidRequest` for a number outside its range or an unknown label.
  public func resolvedSettings() throws(DetectionError) -> DetectionSettings {
    try DetectionSettings(self)
  }
}
