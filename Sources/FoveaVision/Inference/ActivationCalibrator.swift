// Fovea - measuring the ranges that 8-bit arithmetic needs.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging
public import FoveaRuntime

/// Measures the range of every activation of a detector over pictures.
///
/// ```swift
/// let calibrator = try ActivationCalibrator(modelAt: "detector.mlmodel")
/// for path in pictures { try calibrator.add(Picture(contentsOf: path)) }
/// let model = try Model(
///   contentsOf: "detector.mlmodel",
///   options: .init(backend: .int8, activationRanges: calibrator.ranges))
/// ```
///
/// The pictures should be like those of the task; some dozens are enough. They go through the
/// `float` backend one after another, prepared as `DetectObjectsRequest` prepares them. The
/// result depends on the pictures only, not on their order or the number of threads.
public final class ActivationCalibrator {
  private let pictures: PictureSession
  package let load: Loading
  package let options: Model.Options
  package let pool: ThreadPool

  /// The number of pictures so far.
  public private(set) var pictureCount = 0

  /// What the network saw of some pictures. Which ones depends on their content only.
  private(set) var samples: [Sample] = []
  private static let mostSamples = 16

  /// A picture as the network saw it.
  struct Sample {
    var digest: UInt64
    var tensor: Tensor
  }

  /// Loads the model that is measured, with the options that it is given.
  public typealias Loading = (Model.Options) throws(FoveaError) -> Model

  /// Loads a model file to measure.
  ///
  /// - Parameters:
  ///   - path: The `.mlmodel` file.
  ///   - options: How it will be loaded later; `backend`, `activationRanges` and `recordsRanges`
  ///     are set as a measurement needs them.
  ///   - pool: Threads to share the work; `nil` makes one.
  /// - Throws: `.runtime` for a file that cannot be loaded, `.unsuitableModel` for one that does not
  ///   read exactly one picture.
  public convenience init(
    modelAt path: String, options: Model.Options = Model.Options(), pool: ThreadPool? = nil
  ) throws(DetectionError) {
    try self.init(options: options, pool: pool) { options throws(FoveaError) in
      try Model(contentsOf: path, options: options)
    }
  }

  /// Loads a model to measure, wherever it comes from:
  /// `ActivationCalibrator { try .stillImage(options: $0) }`.
  ///
  /// - Parameters:
  ///   - options: How it will be loaded later; `backend`, `activationRanges` and `recordsRanges`
  ///     are set as a measurement needs them.
  ///   - pool: Threads to share the work; `nil` makes one.
  ///   - load: Loads the model; called again for every layer whose sensitivity is measured.
  /// - Throws: `.runtime` for a model that cannot be loaded, `.unsuitableModel` for one that does not
  ///   read exactly one picture.
  public init(
    options: Model.Options = Model.Options(), pool: ThreadPool? = nil,
    loading load: @escaping Loading
  ) throws(DetectionError) {
    var options = options
    options.backend = .float
    options.activationRanges = nil
    options.recordsRanges = true
    let model: Model
    do throws(FoveaError) {
      model = try load(options)
      if let pool { self.pool = pool } else { self.pool = try ThreadPool() }
    } catch {
      throw .runtime(error)
    }
    pictures = try PictureSession(model: model, pool: self.pool)
    self.load = load
    self.options = options
  }

  /// The name of the picture input.
  var input: String { pictures.input.name }

  /// Runs the model on one more picture.
  ///
  /// - Throws: `.picture` or `.runtime`.
  public func add(_ picture: Picture) throws(DetectionError) {
    try pictures.run(picture)
    pictureCount += 1
    do throws(FoveaError) { try keepSample() } catch { throw .runtime(error) }
  }

  /// Keeps the pictures with the least digests, so that their order does not matter.
  private func keepSample() throws(FoveaError) {
    let bytes = try pictures.session.inputCopy(input)
    let digest = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3  // FNV-1a
    }
    let tensor = try Tensor(shape: pictures.input.shape, uint8s: bytes)
    samples.append(Sample(digest: digest, tensor: tensor))
    samples.sort { $0.digest < $1.digest }
    if samples.count > Self.mostSamples { samples.removeLast() }
  }

  /// The ranges over all pictures so far.
  public var ranges: ActivationRanges { pictures.session.activationRanges() }
}
