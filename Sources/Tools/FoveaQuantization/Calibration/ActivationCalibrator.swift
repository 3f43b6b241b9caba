// Fovea - measuring the ranges that 8-bit arithmetic needs.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging
internal import FoveaLibc
public import FoveaRuntime
public import FoveaVision

/// Measures the range of every activation of a detector over images.
///
/// ```swift
/// let calibrator = try ActivationCalibrator(contentsOf: "detector.mlmodel")
/// for path in images { try calibrator.add(Image(contentsOf: path)) }
/// let model = try Model(
///   contentsOf: "detector.mlmodel",
///   options: .init(backend: .int8(calibration: calibrator.ranges)))
/// ```
///
/// Use some dozens of images like those of the task. The `float` backend runs them, prepared as
/// `DetectObjectsRequest` prepares them. The result depends only on the images, not on their order
/// or the number of threads.
public final class ActivationCalibrator {
  private let images: ImageSession
  /// Sees all images but those on trial.
  private let others: ImageSession
  package let load: Loading
  package let options: Model.Options
  package let pool: ThreadPool

  /// The number of images so far.
  public private(set) var imageCount = 0

  /// What the network saw of some images, and of some on trial: half of all. Which ones depends
  /// on their content only.
  private var samples: [Sample] = []
  private var trials: [Sample] = []
  private static let mostSamples = 16
  private static let trialShare: UInt64 = 2

  /// An image as the network saw it.
  struct Sample {
    var digest: UInt64
    var tensor: Tensor
  }

  /// A function that loads the model with the given options.
  public typealias Loading = (Model.Options) throws(FoveaError) -> Model

  /// Loads a model file to calibrate.
  ///
  /// - Parameters:
  ///   - path: The `.mlmodel` file.
  ///   - options: How it will be loaded later; the backend is set as a measurement needs it.
  ///   - pool: The threads that share the work; `nil` makes a pool.
  /// - Throws: `.runtime` for a file that cannot be loaded; `.unsuitableModel` for a model that
  ///   does not have exactly one image input.
  public convenience init(
    contentsOf path: String, options: Model.Options = Model.Options(), pool: ThreadPool? = nil
  ) throws(DetectionError) {
    try self.init(options: options, pool: pool) { options throws(FoveaError) in
      try Model(contentsOf: path, options: options)
    }
  }

  /// Loads a model to calibrate from any source: `ActivationCalibrator { try .codesAndText(options:
  /// $0) }`.
  ///
  /// - Parameters:
  ///   - options: How it will be loaded later; the backend is set as a measurement needs it.
  ///   - pool: The threads that share the work; `nil` makes a pool.
  ///   - load: Loads the model. It is called again for each layer whose sensitivity is measured.
  /// - Throws: `.runtime` for a model that cannot be loaded; `.unsuitableModel` for a model that
  ///   does not have exactly one image input.
  public init(
    options: Model.Options = Model.Options(), pool: ThreadPool? = nil,
    loading load: @escaping Loading
  ) throws(DetectionError) {
    var options = options
    if options.backend.backend != .float { options.backend = .float }
    options.recordsRanges = true
    if options.pictures == nil { options.pictures = PictureInput() }
    let model: Model
    do throws(FoveaError) {
      model = try load(options)
      if let pool { self.pool = pool } else { self.pool = try ThreadPool() }
    } catch {
      throw .runtime(error)
    }
    images = try ImageSession(model: model, pool: self.pool)
    others = try ImageSession(model: model, pool: self.pool)
    self.load = load
    self.options = options
  }

  /// The name of the image input.
  var input: String { images.input.name }

  /// Runs the model on one more image.
  ///
  /// - Throws: `.image` or `.runtime`.
  public func add(_ image: Image) throws(DetectionError) {
    try images.run(image)
    imageCount += 1
    do throws(FoveaError) {
      let sample = try lastSample()
      Self.keep(sample, in: &samples)
      if sample.digest % Self.trialShare == 0 {
        Self.keep(sample, in: &trials)
      } else {
        try others.session.setInput(input, to: sample.tensor)
        others.session.run()
      }
    } catch {
      throw .runtime(error)
    }
  }

  private func lastSample() throws(FoveaError) -> Sample {
    let bytes = try images.session.inputCopy(input)
    return Sample(
      digest: StableHash.of(bytes),
      tensor: try Tensor(shape: images.input.shape, uint8s: bytes))
  }

  /// Keeps the images with the least digests, so that their order does not matter.
  private static func keep(_ sample: Sample, in samples: inout [Sample]) {
    samples.append(sample)
    samples.sort { $0.digest < $1.digest }
    if samples.count > mostSamples { samples.removeLast() }
  }

  /// Ranges, and images on which their loss is measured. Ranges lose more on images that they were
  /// not measured on: these are such images, unless there are too few.
  var trial: (ranges: ActivationRanges, samples: [Sample]) {
    let isFair = trials.count >= 3 && imageCount >= 4 * 3
    return isFair ? (others.session.activationRanges(), trials) : (ranges, samples)
  }

  /// The ranges over all images so far.
  public var ranges: ActivationRanges { images.session.activationRanges() }
}
