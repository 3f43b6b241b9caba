// Fovea - the weights of programs that can become codes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat
internal import FoveaRuntime

/// Finds the weights of programs: constants, as numbers or as codes, that are the weights of
/// convolutions, transposed convolutions and dense layers and nothing else.
///
/// Equal constants are one layer, be they of one function or of several.
struct ProgramWeights {
  private(set) var layers: [QuantizableLayer] = []
  /// Where weights stand, and the biases that go with them.
  private(set) var sites: [ProgramSite: WeightAddress] = [:]
  /// The places of the programs.
  private(set) var paths: [[Int]] = []

  /// Reads the weights of all programs of a file.
  ///
  /// - Throws: `.unreadable`, `.notFinite`.
  init(_ model: ModelDescription) throws(QuantizationError) {
    for part in model.programs {
      paths.append(part.path)
      var found: [FoundWeight] = []
      for (name, function) in part.program.functions.sorted(by: { $0.key < $1.key }) {
        do throws(FoveaError) {
          let reader = try FunctionWeights(function, name: name)
          try reader.collect(into: &found)
        } catch {
          throw .unreadable(
            ModelFormatError(
              .invalidWeights, found: "constants that cannot be decoded: \(error)",
              expected: "numbers"))
        }
      }
      try add(found, path: part.path)
    }
  }

  private mutating func add(
    _ found: [FoundWeight], path: [Int]
  ) throws(QuantizationError) {
    for (index, weight) in found.enumerated() {
      var layer = weight.layer
      layer.address = WeightAddress(path: path, layer: index, field: 0)
      guard layer.weights.allSatisfy(\.isFinite) else { throw .notFinite(layer: layer.name) }
      for place in weight.places {
        sites[ProgramSite(path: path, function: place.function, name: place.name)] = layer.address
      }
      if let bias = weight.bias {
        layer.bias = (layer.address.sibling(1), bias.values, bias.isHalf)
        for place in bias.places {
          sites[ProgramSite(path: path, function: place.function, name: place.name)] =
            layer.address.sibling(1)
        }
      }
      layers.append(layer)
    }
  }
}

/// Where a constant stands in a program.
struct ConstantPlace: Hashable {
  var function: String
  var name: String
}

/// Weights of a program, with all that multiplies them.
struct FoundWeight {
  var layer: QuantizableLayer
  var shape: [Int]
  var places: [ConstantPlace] = []
  /// The bias that all uses have, and that nothing else reads; `nil` where there is no such.
  var bias: (places: [ConstantPlace], values: [Float], isHalf: Bool)?
}
