// Fovea - the weights of a model as halves.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat
internal import FoveaVision

extension ModelQuantizer {
  /// Converts all weights to halves (IEEE 754 binary16), rounded to the nearest, those of
  /// normalizations and constants included. Weights that a half cannot hold stay. The specification
  /// version becomes at least 2 (iOS 11.2).
  ///
  /// - Throws: `.unreadable`.
  public func inHalfPrecision() throws(QuantizationError) -> Result {
    let output: [UInt8]
    do throws(ModelFormatError) {
      output = try WeightRewriter.rewrite(
        bytes, HalfWeights(CoreMLModel(bytes: bytes)).replacements)
    } catch {
      throw .unreadable(error)
    }
    let written = try NetworkWeights(Self.model(output)).layers
    return Result(
      bytes: output,
      layers: zip(layers, written).map { old, new in
        var energy = ErrorEnergy()
        energy.add(old.weights, new.weights.span)
        return Layer(
          name: old.name, type: old.typeName, weightCount: old.layout.count,
          bits: old.storedBits == new.storedBits ? nil : new.storedBits,
          byteCount: new.storedByteCount, noise: energy.noiseShare)
      })
  }
}

/// The arrays of weights of a model as halves (IEEE 754 binary16), those of normalizations and constants
/// included. Arrays with values that a half cannot hold are left out.
private struct HalfWeights {
  private(set) var replacements: [WeightAddress: WrittenWeights] = [:]

  init(_ model: CoreMLModel) throws(ModelFormatError) {
    for part in model.networks {
      for (index, layer) in part.network.layers.enumerated() {
        for (field, data) in Self.arrays(layer.kind) {
          guard let data, data.encoding == .float32, data.storedValueCount > 0 else { continue }
          let values = try data.decoded(WeightLayout(count: data.storedValueCount))
          guard values.allSatisfy({ $0.magnitude <= HalfPrecision.greatest }) else { continue }
          let address = WeightAddress(path: part.path, layer: index, field: field)
          replacements[address] = .float16(values)
        }
      }
    }
  }

  /// The arrays of a layer, by the number of their field.
  private static func arrays(_ kind: LayerKind) -> [(field: Int, data: WeightData?)] {
    switch kind {
    case .convolution(let layer): [(90, layer.weights), (91, layer.bias)]
    case .innerProduct(let layer): [(20, layer.weights), (21, layer.bias)]
    case .batchedMatrixProduct(let layer): [(8, layer.weights), (9, layer.bias)]
    case .batchNormalization(let layer):
      [(15, layer.gamma), (16, layer.beta), (17, layer.mean), (18, layer.variance)]
    case .layerNormalization(let layer): [(3, layer.gamma), (4, layer.beta)]
    case .scale(let layer): [(2, layer.scale), (5, layer.bias)]
    case .bias(let layer): [(2, layer.bias)]
    case .loadConstant(let layer), .loadConstantND(let layer): [(2, layer.data)]
    default: []
    }
  }
}
