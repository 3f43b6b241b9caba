// Fovea - measuring the ranges that 8-bit arithmetic needs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
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
  private let session: Session
  let path: String
  let options: Model.Options
  let pool: ThreadPool
  let input: String
  private let inputSize: ImageSize

  /// The number of pictures so far.
  public private(set) var pictureCount = 0

  /// What the network saw of some pictures. Which ones depends on their content only.
  private(set) var samples: [Sample] = []
  private static let mostSamples = 8

  /// A picture as the network saw it.
  struct Sample {
    var digest: UInt64
    var tensor: Tensor
  }

  /// Loads a model to measure.
  ///
  /// - Parameters:
  ///   - path: The `.mlmodel` file.
  ///   - options: How it will be loaded later; `backend`, `activationRanges` and `measuresRanges`
  ///     are set as a measurement needs them.
  ///   - pool: Threads to share the work; `nil` makes one.
  /// - Throws: `.runtime` for a file that cannot be loaded, `.unsuitableModel` for one that does not
  ///   read exactly one picture.
  public init(
    modelAt path: String, options: Model.Options = Model.Options(), pool: ThreadPool? = nil
  ) throws(DetectionError) {
    var options = options
    options.backend = .float
    options.activationRanges = nil
    options.measuresRanges = true
    do throws(FoveaError) {
      let model = try Model(contentsOf: path, options: options)
      let threads: ThreadPool
      if let pool { threads = pool } else { threads = try ThreadPool() }
      session = try Session(model: model, pool: threads)
      self.pool = threads
    } catch {
      throw .runtime(error)
    }
    let pictures = session.model.inputs.filter { $0.image != nil }
    guard let input = pictures.first, session.model.inputs.count == 1 else {
      throw .unsuitableModel(
        "calibration needs a model that reads one picture and nothing else; this one reads "
          + DetectorLayout.list(session.model.inputs))
    }
    self.path = path
    self.options = options
    self.input = input.name
    inputSize = input.imageSize
  }

  /// Runs the model on one more picture.
  ///
  /// - Throws: `.picture` or `.runtime`.
  public func add(_ picture: Picture) throws(DetectionError) {
    let stored = StoredPicture(picture, orientation: nil)
    let geometry = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(
        storedSize: stored.fullSize, orientation: stored.orientation, modelSize: inputSize)
    }
    try stored.fill(session, input, geometry: geometry, filter: .bilinear)
    session.run()
    pictureCount += 1
    do throws(FoveaError) { try keepSample() } catch { throw .runtime(error) }
  }

  /// Keeps the pictures with the least digests, so that their order does not matter.
  private func keepSample() throws(FoveaError) {
    guard let port = session.model.inputs.first(where: { $0.name == input }) else { return }
    let bytes = try session.inputCopy(input)
    let digest = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3  // FNV-1a
    }
    samples.append(Sample(digest: digest, tensor: try Tensor(shape: port.shape, uint8s: bytes)))
    samples.sort { $0.digest < $1.digest }
    if samples.count > Self.mostSamples { samples.removeLast() }
  }

  /// The ranges over all pictures so far.
  public var ranges: ActivationRanges { session.activationRanges() }
}
