// Fovea - how far the outputs of int8 are from those of float on the images of a calibration.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaInspection
internal import FoveaRuntime
public import FoveaVision

/// Measures how far the outputs of `int8` are from those of `float`, on images of a calibration.
struct NoiseMeter {
  /// The model in floats.
  let floats: Model
  private let calibrator: ActivationCalibrator
  private let noise: OutputNoise
  private let exact: [[Float]]
  private let samples: ArraySlice<ActivationCalibrator.Sample>
  /// Ranges that these images did not help to measure, where there are enough of them.
  let ranges: ActivationRanges

  /// Runs the model in floats.
  ///
  /// - Parameters:
  ///   - runs: How often the model will run on each image. As many images are looked at as keep the
  ///     whole below some 2 * 10^12 multiplications; at least 3.
  init(_ calibrator: ActivationCalibrator, runs: Int) throws(FoveaError) {
    var options = calibrator.options
    options.recordsRanges = false
    floats = try calibrator.load(options)
    self.calibrator = calibrator
    noise = OutputNoise(of: floats)
    let products = floats.nodes.reduce(0.0) { $0 + Double($1.multiplyAccumulates) }
    let most = Self.products / (products * Double(max(runs, 1)) + 1)
    let trial = calibrator.trial
    ranges = trial.ranges
    samples = trial.samples.prefix(max(3, Int(min(most, 1000))))
    exact = try Self.outputs(floats, samples, calibrator)
  }

  /// Multiplications of all runs together.
  private static let products = 2e12

  /// The noise of the outputs with this backend, as a share of the signal.
  func callAsFunction(_ backend: BackendOptions) throws(FoveaError) -> Double {
    var options = calibrator.options
    options.recordsRanges = false
    options.backend = backend
    return noise(try Self.outputs(calibrator.load(options), samples, calibrator), exact: exact)
  }

  /// Every output, with those of all images one after another.
  private static func outputs(
    _ model: Model, _ samples: ArraySlice<ActivationCalibrator.Sample>,
    _ calibrator: ActivationCalibrator
  ) throws(FoveaError) -> [[Float]] {
    let session = try Session(model: model, pool: calibrator.pool)
    var outputs = [[Float]](repeating: [], count: session.model.outputs.count)
    for sample in samples {
      try session.setInput(calibrator.input, to: sample.tensor)
      session.run()
      for (index, port) in session.model.outputs.enumerated() {
        outputs[index] += try session.output(port.name).floats()
      }
    }
    return outputs
  }
}

extension ActivationCalibrator {
  /// Measures the loss of each convolution in 8 bits while all others stay in floats, on some of
  /// the images.
  ///
  /// - Returns: The losses of all convolutions, in the order in which they run.
  /// - Throws: `.runtime` for a model that cannot be loaded.
  /// - Complexity: A load of the model and some runs for each convolution.
  public func sensitivities() throws(DetectionError) -> [LayerSensitivity] {
    do throws(FoveaError) {
      let layers = Self.convolutions(of: try load(options))
      let meter = try NoiseMeter(self, runs: layers.count)
      let labels = Set(layers.map(\.layer))
      var found = layers
      // What is lost without any layer in 8 bits, as by sums, is no layer's loss.
      let rest = try meter(.int8(calibration: meter.ranges, floatLayers: labels, floatSums: true))
      for index in found.indices {
        let noise = try meter(
          .int8(
            calibration: meter.ranges, floatLayers: labels.subtracting([found[index].layer]),
            floatSums: true))
        found[index].noise = max(0, noise - rest)
      }
      return found
    } catch {
      throw .runtime(error)
    }
  }

  /// The convolutions of a model by label, without noise. Those of one label count together.
  private static func convolutions(of model: Model) -> [LayerSensitivity] {
    var found: [LayerSensitivity] = []
    var places: [String: Int] = [:]
    for node in model.nodes where node.isConvolution {
      let elements = UInt64(node.outputShape.reduce(1, *))
      if let place = places[node.label] {
        found[place].multiplyAccumulates += node.multiplyAccumulates
        found[place].elements += elements
        continue
      }
      places[node.label] = found.count
      found.append(
        LayerSensitivity(
          layer: node.label, noise: 0, multiplyAccumulates: node.multiplyAccumulates,
          isDepthwise: node.isDepthwise, elements: elements))
    }
    return found
  }
}
