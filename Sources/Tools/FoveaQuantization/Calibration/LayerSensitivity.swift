// Fovea - which layers lose most as 8-bit integers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaInspection
package import FoveaRuntime
public import FoveaVision

/// The loss of a convolution in 8-bit integers.
public struct LayerSensitivity: Sendable, Hashable, Codable {
  /// The name of the layer in `Model.nodes`.
  public var layer: String
  /// The squared error of the outputs if only this layer is computed in 8 bits. For a detector,
  /// errors of boxes are weighted by their scores.
  public var noise: Double
  /// Multiplications followed by an addition.
  public var multiplyAccumulates: UInt64
  /// Whether the convolution is depthwise. Depthwise convolutions are computed in 8 bits or in
  /// floats, never in 16 bits.
  public var isDepthwise: Bool

  /// Creates a sensitivity.
  public init(
    layer: String, noise: Double, multiplyAccumulates: UInt64, isDepthwise: Bool = false
  ) {
    self.layer = layer
    self.noise = noise
    self.multiplyAccumulates = multiplyAccumulates
    self.isDepthwise = isDepthwise
  }

  /// Chooses the layers to compute in floats, and those to compute in integers of 16 bits.
  ///
  /// - Parameters:
  ///   - layers: All convolutions.
  ///   - floatShare: The share of all multiplications that may be in floats, 0...1.
  ///   - int16Share: The share that may be in 16 bits, 0...1. Above 0, dense layers use 16 bits,
  ///     and only depthwise layers use floats.
  /// - Returns: Both lists, in the order of choice.
  /// - Complexity: O(n log n).
  public static func selection(
    of layers: [Self], floatShare: Double, int16Share: Double
  ) -> (float: [Self], int16: [Self]) {
    guard int16Share > 0 else { return (mostSensitive(of: layers, share: floatShare), []) }
    let all = layers.reduce(0.0) { $0 + Double($1.multiplyAccumulates) }
    return (
      mostSensitive(of: layers.filter(\.isDepthwise), share: floatShare, total: all),
      mostSensitive(of: layers.filter { !$0.isDepthwise }, share: int16Share, total: all)
    )
  }

  /// The layers to compute in floats: those that lose most for what they cost in floats, until their
  /// multiplications are `share` of all.
  ///
  /// - Parameters:
  ///   - layers: All convolutions.
  ///   - share: A part of all multiplications, 0 ... 1.
  /// - Returns: Layers in the order in which they were chosen; none without noise.
  /// - Complexity: O(n log n).
  public static func mostSensitive(of layers: [Self], share: Double) -> [Self] {
    let total = layers.reduce(0.0) { $0 + Double($1.multiplyAccumulates) }
    return mostSensitive(of: layers, share: share, total: total)
  }

  private static func mostSensitive(of layers: [Self], share: Double, total: Double) -> [Self] {
    let ordered = layers.filter { $0.noise > 0 }.sorted { a, b in
      let (left, right) = (
        a.noise * Double(b.multiplyAccumulates), b.noise * Double(a.multiplyAccumulates)
      )
      return left != right ? left > right : a.layer < b.layer
    }
    var spent = 0.0
    return ordered.filter { layer in
      let sum = spent + Double(layer.multiplyAccumulates)
      guard sum <= share * total else { return false }
      spent = sum
      return true
    }
  }
}

extension BackendOptions {
  /// Calibrated `int8` with what `LayerSensitivity.selection` gives: these layers leave 8 bits, and no
  /// others.
  package static func int8(
    calibration: ActivationRanges,
    computing chosen: (float: [LayerSensitivity], int16: [LayerSensitivity]), floatSums: Bool
  ) -> Self {
    .int8(
      calibration: calibration, floatLayers: Set(chosen.float.map(\.layer)),
      int16Layers: Set(chosen.int16.map(\.layer)), floatSums: floatSums)
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
      let floats = try load(options(integer: nil, of: []))
      let exact = try outputs(floats)
      let noise = OutputNoise(of: floats)
      let nodes = floats.nodes.filter(\.isConvolution)
      let labels = Set(nodes.map(\.label))
      var found: [LayerSensitivity] = []
      var places: [String: Int] = [:]
      for node in nodes {
        if let place = places[node.label] {
          found[place].multiplyAccumulates += node.multiplyAccumulates
          continue
        }
        let integer = try load(options(integer: node.label, of: labels))
        places[node.label] = found.count
        found.append(
          LayerSensitivity(
            layer: node.label, noise: noise(try outputs(integer), exact: exact),
            multiplyAccumulates: node.multiplyAccumulates, isDepthwise: node.isDepthwise))
      }
      return found
    } catch {
      throw .runtime(error)
    }
  }

  /// `float`; or `int8` where one layer alone computes integers.
  private func options(integer layer: String?, of labels: Set<String>) -> Model.Options {
    var options = options
    options.recordsRanges = false
    guard let layer else { return options }
    // With sums of 8 bits, every layer would seem to lose what the sums lose.
    options.backend = .int8(
      calibration: ranges, floatLayers: labels.subtracting([layer]), floatSums: true)
    return options
  }

  /// Every output, with those of all images one after another.
  private func outputs(_ model: Model) throws(FoveaError) -> [[Float]] {
    let session = try Session(model: model, pool: pool)
    var outputs = [[Float]](repeating: [], count: session.model.outputs.count)
    for sample in samples {
      try session.setInput(input, to: sample.tensor)
      session.run()
      for (index, port) in session.model.outputs.enumerated() {
        outputs[index] += try session.output(port.name).floats()
      }
    }
    return outputs
  }
}
