// Fovea - what the last layers of a network say about an output.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension OutputTrace {
  func lastLayerKind(of output: String) -> String {
    var name = output
    for _ in 0..<Self.mostSteps {
      guard let kind = layers[name] else { return "" }
      switch kind {
      case .softmax, .softmaxND: return "softmax"
      case .activation(.sigmoid): return "sigmoid"
      default:
        guard kind.onlyShapes, let source = layerInputs[name] else { return "" }
        name = source
      }
    }
    return ""
  }

  func layerRange(of output: String) -> ClosedRange<Double>? {
    var name = output
    var (scale, shift) = (1.0, 0.0)
    for _ in 0..<Self.mostSteps {
      guard let kind = layers[name] else { return nil }
      switch kind {
      case .softmax, .softmaxND, .activation(.sigmoid): return Self.moved(0...1, scale, shift)
      case .activation(.tanh): return Self.moved(-1...1, scale, shift)
      case .clip(let clip) where clip.minimum < clip.maximum:
        return Self.moved(Double(clip.minimum)...Double(clip.maximum), scale, shift)
      case .activation(.linear(let alpha, let beta)):
        shift += Double(beta) * scale
        scale *= Double(alpha)
      case .multiply(let alpha): scale *= Double(alpha)
      case .add(let alpha): shift += Double(alpha) * scale
      default: guard kind.onlyShapes else { return nil }
      }
      guard let source = layerInputs[name] else { return nil }
      name = source
    }
    return nil
  }
}

extension LayerKind {
  /// Whether a layer puts values elsewhere and changes none.
  fileprivate var onlyShapes: Bool {
    switch self {
    case .reshape, .flatten, .permute, .copy, .transpose, .reshapeStatic, .rankPreservingReshape,
      .squeeze, .expandDimensions, .flattenTo2D, .crop, .upsample:
      true
    default: false
    }
  }
}
