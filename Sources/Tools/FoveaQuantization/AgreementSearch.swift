// Fovea - how little must leave 8 bits for int8 to find what float finds.
// SPDX-License-Identifier: Apache-2.0
public import FoveaEvaluation
internal import FoveaFoundObjects
internal import FoveaImaging
public import FoveaRuntime
public import FoveaVision

/// A search for the fastest calibrated `int8` model that finds the objects of `float`.
///
/// ```swift
/// let calibrator = try ActivationCalibrator(contentsOf: "detector.mlmodel")
/// for path in images { try calibrator.add(Image(contentsOf: path)) }
/// let search = try AgreementSearch(calibrator, images: images)
/// let found = try search.cheapest(maximumLoss: 0.05)
/// let model = try Model(contentsOf: "detector.mlmodel", options: found.options)
/// ```
///
/// The search tries steps in this order, from the fastest:
///
/// * everything in 8 bits;
/// * sums of bottlenecks in floats;
/// * also the layers that lose most in floats, up to 1, 2 and 5 % of the multiplications;
/// * beside these 5 %, dense layers in integers of 16 bits, up to 20, 35, 60 and 95 %;
/// * everything in floats.
///
/// Images that were used for calibration agree better than others: pass some of both. The search is
/// deterministic.
public struct AgreementSearch {
  /// One step of the search and its result.
  public struct Step: Sendable {
    /// The options for loading the model.
    public var options: Model.Options
    /// The layers in floats. Those that lose most for their size come first.
    public var floatLayers: [LayerSensitivity]
    /// The layers in integers of 16 bits, in the same order.
    public var int16Layers: [LayerSensitivity]
    /// All layers, if their losses were measured; otherwise empty.
    public var sensitivities: [LayerSensitivity]
    /// The agreement of the objects with those of `float`.
    public var agreement: DetectionAgreement
    /// The share of the objects of both models that have no partner, 0...1. A partner whose mask, key
    /// points or corners lie elsewhere is lost in part.
    public var loss: Double { 1 - agreement.shapeShare }
  }

  /// Parts of the multiplications that may be in floats and in 16 bits, beside the sums of bottlenecks.
  private static let shares: [(float: Double, int16: Double)] = [
    (0, 0), (0.01, 0), (0.02, 0), (0.05, 0), (0.05, 0.2), (0.05, 0.35), (0.05, 0.6), (0.05, 0.95),
    (1, 0),
  ]

  private let calibrator: ActivationCalibrator
  private let paths: [String]
  private let expected: [[DetectedObject]]

  /// Creates a search, and finds the objects of `float` with the thresholds of the model.
  ///
  /// - Parameters:
  ///   - calibrator: A calibrator that has run the images for calibration.
  ///   - images: The paths of the images for the comparison.
  /// - Throws: `.image`; `.runtime` or `.unsuitableModel` for a model that is not a detector.
  public init(_ calibrator: ActivationCalibrator, images: [String]) throws(DetectionError) {
    self.calibrator = calibrator
    paths = images
    var options = calibrator.options
    options.recordsRanges = false
    expected = try Self.objects(calibrator, options, paths)
  }

  /// Returns the fastest step whose loss is at most `maximumLoss`, or the last step if there is
  /// none.
  ///
  /// - Parameters:
  ///   - maximumLoss: The greatest loss, 0...1.
  ///   - report: Called with each step.
  /// - Throws: `.runtime`; `.image` if an image can no longer be read.
  /// - Complexity: For each step, a load and a run on all images. Measuring the losses takes a load
  ///   and some runs for each convolution.
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
    let layers = LayerSensitivity.selection(
      of: sensitivities, floatShare: shares.float, int16Share: shares.int16)
    var options = calibrator.options
    options.backend = .int8(
      calibration: calibrator.ranges, computing: layers, floatSums: keepsSums)
    options.recordsRanges = false
    var agreement = DetectionAgreement()
    for (found, wanted) in zip(try Self.objects(calibrator, options, paths), expected) {
      agreement.add(DetectionAgreement(reference: wanted, candidate: found))
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
      objects.append(result.detectedObjects(categories: categories, keepsShapes: true))
    }
    return objects
  }
}
