// Fovea - networks whose results are the same within rounding, whatever the order of their sums.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat

extension ModelDescription {
  /// Whether backends must agree. Where numbers as large as 1e30 cancel, rounding errors are what is
  /// left; where a layer jumps, a rounding error becomes a step; where a weight is not finite, it depends
  /// on which zeros a backend multiplies it by - of a border, of channels that fill a vector - whether
  /// a sum is infinite or no number.
  var hasOneAnswer: Bool {
    switch body {
    case .pipeline(let pipeline): pipeline.stages.allSatisfy(\.model.hasOneAnswer)
    case .neuralNetwork(let network): network.layers.allSatisfy(\.kind.isSmooth)
    case .program(let program): program.hasOneAnswer
    default: true
    }
  }
}

extension LayerKind {
  fileprivate var isSmooth: Bool {
    switch self {
    case .convolution(let layer):
      Self.areOrdinary(try? layer.weights.decoded(layer.weightLayout))
        && (layer.bias.map { Self.areOrdinary(try? $0.decoded(count: layer.outputChannels)) }
          ?? true)
    case .innerProduct(let layer):
      Self.areOrdinary(try? layer.weights.decoded(layer.weightLayout))
    case .batchNormalization(let layer):
      [layer.gamma, layer.beta, layer.mean, layer.variance].allSatisfy { weights in
        weights.map { Self.areOrdinary(try? $0.decoded(count: layer.channels)) } ?? true
      }
    case .elementwise(let function): ![.ceil, .floor, .round, .sign, .tan].contains(function)
    case .broadcastable(let operation): ![.modulo, .floorDivide].contains(operation)
    case .activation(.thresholdedReLU): false
    case .reduce(let layer): layer.operation != .argMaximum
    default: true
    }
  }

  /// Whether weights are numbers of a size that networks have.
  private static func areOrdinary(_ weights: [Float]?) -> Bool {
    weights?.allSatisfy { abs($0) < 1e6 } ?? false
  }
}
