// Fovea - how little must leave 8 bits for the outputs of int8 to be near those of float.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc
public import FoveaRuntime
public import FoveaVision

/// A search for the fastest calibrated `int8` model whose outputs are near those of `float`.
///
/// ```swift
/// let calibrator = try ActivationCalibrator(contentsOf: "network.onnx")
/// for path in images { try calibrator.add(Image(contentsOf: path)) }
/// let found = try NoiseSearch(calibrator).fastest(decibels: NoiseSearch.defaultDecibels)
/// let model = try Model(contentsOf: "network.onnx", options: found.options)
/// ```
///
/// The noise of each convolution in 8 bits is measured at the outputs, while all others stay in
/// floats. Convolutions then leave 8 bits, those first that make most noise for what they cost:
/// dense ones for integers of 16 bits, depthwise ones for floats. As few do as keep the noise of
/// all together low enough. Noise is measured on half of the images, with ranges of the others:
/// on images that helped to measure ranges, they lose some decibels less. The search is
/// deterministic, and takes some runs for each convolution.
public struct NoiseSearch {
  /// What a search found.
  public struct Result: Sendable {
    /// The options for loading the model.
    public var options: Model.Options
    /// The layers in floats. Those that lose most for what they cost come first.
    public var floatLayers: [LayerSensitivity]
    /// The layers in integers of 16 bits, in the same order.
    public var int16Layers: [LayerSensitivity]
    /// All layers, if their losses were measured; otherwise empty.
    public var sensitivities: [LayerSensitivity]
    /// The signal of the outputs over their noise.
    public var decibels: Double
  }

  /// Outputs that are so near lose next to no object.
  public static let defaultDecibels = 23.0

  private let calibrator: ActivationCalibrator

  /// Creates a search.
  ///
  /// - Parameter calibrator: A calibrator that has run the images.
  public init(_ calibrator: ActivationCalibrator) { self.calibrator = calibrator }

  /// Returns the fastest model with at least so many decibels, or the one with the most if there is
  /// none.
  ///
  /// - Parameters:
  ///   - decibels: The signal of the outputs over their noise, 10 log10 of the quotient of energies.
  ///   - report: Called with the number of layers outside 8 bits and their decibels.
  /// - Throws: `.runtime` for a model that cannot be loaded.
  /// - Complexity: A load and some runs for each convolution.
  public func fastest(
    decibels: Double, report: (Int, Double) -> Void = { _, _ in }
  ) throws(DetectionError) -> Result {
    let meter: NoiseMeter
    do throws(FoveaError) { meter = try NoiseMeter(calibrator, runs: 10) } catch {
      throw .runtime(error)
    }
    let plain = try tried(nil, of: [], meter)
    report(0, plain.decibels)
    guard plain.decibels < decibels else { return plain }
    let layers = LayerSensitivity.byWorth(try calibrator.sensitivities())
    var (few, many) = (0, layers.count)
    var best = try tried(layers, of: layers, meter)
    report(many, best.decibels)
    guard best.decibels >= decibels else { return best.decibels > plain.decibels ? best : plain }
    while few < many {
      let middle = (few + many) / 2
      let found = try tried(Array(layers.prefix(middle)), of: layers, meter)
      report(middle, found.decibels)
      if found.decibels >= decibels {
        (best, many) = (found, middle)
      } else {
        few = middle + 1
      }
    }
    return best
  }

  /// These layers leave 8 bits, and so do sums of bottlenecks; `nil`: nothing does.
  private func tried(
    _ chosen: [LayerSensitivity]?, of layers: [LayerSensitivity], _ meter: NoiseMeter
  ) throws(DetectionError) -> Result {
    let float = (chosen ?? []).filter(\.isDepthwise)
    let int16 = (chosen ?? []).filter { !$0.isDepthwise }
    func backend(_ ranges: ActivationRanges) -> BackendOptions {
      .int8(calibration: ranges, computing: (float, int16), floatSums: chosen != nil)
    }
    var options = calibrator.options
    options.recordsRanges = false
    options.backend = backend(calibrator.ranges)
    do throws(FoveaError) {
      let noise = try meter(backend(meter.ranges))
      return Result(
        options: options, floatLayers: float, int16Layers: int16,
        sensitivities: layers, decibels: noise > 0 ? -10 * log10(noise) : .infinity)
    } catch {
      throw .runtime(error)
    }
  }
}
