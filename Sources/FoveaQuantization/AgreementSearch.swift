// Fovea - how little must leave 8 bits for int8 to find what float finds.
// SPDX-License-Identifier: Apache-2.0
public import FoveaEvaluation
internal import FoveaGeometry
internal import FoveaImaging
public import FoveaRuntime
public import FoveaVision

/// Looks for the cheapest calibrated `int8` that finds what `float` finds.
///
/// ```swift
/// let calibrator = try ActivationCalibrator(modelAt: "detector.mlmodel")
/// for path in images { try calibrator.add(Image(contentsOf: path)) }
/// let search = try AgreementSearch(calibrator, images: images)
/// let found = try search.cheapest(maximumLoss: 0.05)
/// let model = try Model(contentsOf: "detector.mlmodel", options: found.options)
/// ```
///
/// Ways to compute are tried from the cheapest on: everything as codes of 8 bits; the sums of bottlenecks in floats; then
/// the layers that lose most in floats, up to 1, 2 and 5 % of the multiplications; beside 5 %, dense layers in integers of
/// 16 bits, up to 20, 35, 60 and 95 %; everything in floats. Images that were calibrated with agree better than others;
/// give some of both. Deterministic.
public struct AgreementSearch {
  /// A way to compute, and how it did.
  public struct Step: Sendable {
    /// What a model is loaded with.
    public var options: Model.Options
    /// The layers in floats, those that lose most for their size first.
    public var floatLayers: [LayerSensitivity]
    /// The layers in integers of 16 bits, in the same order.
    public var int16Layers: [LayerSensitivity]
    /// All layers, where it was measured what they lose; else none.
    public var sensitivities: [LayerSensitivity]
    /// The objects found, paired with those that `float` finds.
    public var agreement: DetectionAgreement
    /// The part of the objects, `float`'s and these together, that have no partner: 0 ... 1.
    public var loss: Double { 1 - agreement.share }
  }

  /// Parts of the multiplications that may be in floats and in 16 bits, beside the sums of bottlenecks.
  private static let shares: [(float: Double, int16: Double)] = [
    (0, 0), (0.01, 0), (0.02, 0), (0.05, 0), (0.05, 0.2), (0.05, 0.35), (0.05, 0.6), (0.05, 0.95),
    (1, 0),
  ]

  private let calibrator: ActivationCalibrator
  private let paths: [String]
  private let expected: [[DetectedObject]]

  /// Finds the objects that `float` finds, with the model's own thresholds.
  ///
  /// - Parameters:
  ///   - calibrator: Has seen the images whose ranges count.
  ///   - images: Paths of the images on which results are compared.
  /// - Throws: `.image`, or `.runtime` and `.unsuitableModel` for a model that finds no objects.
  public init(_ calibrator: ActivationCalibrator, images: [String]) throws(DetectionError) {
    self.calibrator = calibrator
    paths = images
    var options = calibrator.options
    options.recordsRanges = false
    expected = try Self.objects(calibrator, options, paths)
  }

  /// The cheapest way whose loss is `maximumLoss` or less; the last if none has so little.
  ///
  /// - Parameters:
  ///   - maximumLoss: 0 ... 1.
  ///   - report: Called with every way that was tried.
  /// - Throws: `.runtime`, or `.image` for one that can no longer be read.
  /// - Complexity: A load and a run over all images for each way; before layers are kept, a load and some
  ///   runs for each convolution.
  public func cheapest(
    maximumLoss: Double, report: (Step) -> Void = { _ in }
  ) throws(DetectionError) -> Step {
    var step = try tried((0, 0), of: [], keepsSums: false)
    report(step)
    for shares in Self.shares where step.loss > maximumLoss {
      let isMeasured = shares.float == 0 || !step.sensitivities.isEmpty
      let layers = isMeasured ? step.sensitivities : try calibrator.sensitivities()
      step = try tried(shares, of: layers, keepsSums: true)
      report(step)
    }
    return step
  }

  private func tried(
    _ shares: (float: Double, int16: Double), of sensitivities: [LayerSensitivity], keepsSums: Bool
  ) throws(DetectionError) -> Step {
    let layers = LayerSensitivity.chosen(
      sensitivities, floatShare: shares.float, int16Share: shares.int16)
    var options = calibrator.options
    options.backend = .int8
    options.recordsRanges = false
    options.activationRanges = calibrator.ranges
    options.compute(layers)
    options.floatSums = keepsSums
    var agreement = DetectionAgreement()
    for (mine, theirs) in zip(try Self.objects(calibrator, options, paths), expected) {
      agreement.add(DetectionAgreement(theirs, mine))
    }
    return Step(
      options: options, floatLayers: layers.float, int16Layers: layers.int16,
      sensitivities: sensitivities, agreement: agreement)
  }

  /// What a model finds in each image.
  private static func objects(
    _ calibrator: ActivationCalibrator, _ options: Model.Options, _ paths: [String]
  ) throws(DetectionError) -> [[DetectedObject]] {
    let model: Model
    do throws(FoveaError) { model = try calibrator.load(options) } catch { throw .runtime(error) }
    let request = try DetectObjectsRequest(model: model, pool: calibrator.pool)
    let categories = request.classLabels.indices.map { Int?($0) }
    var objects: [[DetectedObject]] = []
    for path in paths {
      let result = try request.result(on: ImageFile(toDetectIn: path))
      objects.append(
        result.observations.compactMap {
          DetectedObject(
            classIndex: $0.bestLabel?.classIndex, categories: categories,
            boundingBox: $0.boundingBox, imageSize: result.imageSize, confidence: $0.topConfidence)
        })
    }
    return objects
  }
}
