// Fovea - the weights of a model as halves.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat
internal import FoveaVision

extension ModelQuantizer {
  /// Converts all weights to halves (IEEE 754 binary16), rounded to the nearest, those of
  /// normalizations and constants included. Weights that a half cannot hold stay. The specification
  /// version becomes at least 2 (iOS 11.2). In programs the weights of layers become halves that are
  /// converted back when the model is loaded, for iOS 16 or later.
  ///
  /// - Throws: `.unreadable`.
  public func inHalfPrecision() throws(QuantizationError) -> Result {
    var replacements: [WeightAddress: WrittenWeights]
    do throws(ModelFormatError) { replacements = try HalfWeights(source.file).replacements } catch {
      throw .unreadable(error)
    }
    for layer in layers where layer.storage != .network {
      let bytes = layer.storage.halvesByteCount(layer.layout.count)
      guard layer.weights.allSatisfy({ $0.magnitude <= HalfPrecision.greatest }),
        !layer.storage.isHalf, bytes < layer.storedByteCount
      else { continue }
      replacements[layer.address] = .float16(layer.weights)
    }
    return try Result(
      source, replacements,
      layers: layers.map { layer in
        var entry = Layer(
          name: layer.name, type: layer.typeName, weightCount: layer.layout.count, bits: nil,
          byteCount: layer.storedByteCount, noise: 0)
        guard let halves = replacements[layer.address] else { return entry }
        var energy = ErrorEnergy()
        energy.add(layer.weights, halves.decoded(layer.layout).span)
        entry.bits = 16
        entry.byteCount = layer.storage.halvesByteCount(layer.layout.count)
        entry.noise = energy.noiseShare
        return entry
      })
  }
}

extension CodeStorage {
  /// The bytes of weights as halves.
  fileprivate func halvesByteCount(_ count: Int) -> Int {
    self == .network ? 2 * count : ProgramBlobs.byteCount(2 * count, elements: count)
  }
}

/// The arrays of weights of a model as halves (IEEE 754 binary16), those of normalizations and constants
/// included. Arrays with values that a half cannot hold are left out.
private struct HalfWeights {
  private(set) var replacements: [WeightAddress: WrittenWeights] = [:]

  init(_ model: ModelDescription) throws(ModelFormatError) {
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
