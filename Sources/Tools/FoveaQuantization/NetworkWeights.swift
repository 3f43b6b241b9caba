// Fovea - the weights of networks that can become codes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// Finds the weights of a model.
struct NetworkWeights {
  private(set) var layers: [QuantizableLayer] = []

  /// Reads the weights of all convolutions and products with stored matrices.
  ///
  /// - Throws: `.alreadyQuantized` when one of them is coded, `.notFinite`.
  init(_ model: ModelDescription) throws(QuantizationError) {
    for part in model.networks {
      let (network, path) = (part.network, part.path)
      let outputs = Set(part.outputs + [network.labelProbabilityLayerName])
      for index in network.layers.indices {
        guard var layer = try Self.read(network.layers[index], path: path, index: index) else {
          continue
        }
        layer.normalization = try Self.normalization(
          after: index, in: network, path: path, outputs: outputs)
        layers.append(layer)
      }
    }
  }

  private static func read(
    _ layer: NeuralNetworkLayer, path: [Int], index: Int
  ) throws(QuantizationError) -> QuantizableLayer? {
    let address = WeightAddress(path: path, layer: index, field: 0)
    let name = layer.name.isEmpty ? "layer \(index)" : layer.name
    func entry(
      _ data: WeightData, _ layout: WeightLayout, _ field: Int,
      _ bias: (data: WeightData, field: Int, count: Int)?, _ convolution: ConvolutionLayer? = nil
    ) throws(QuantizationError) -> QuantizableLayer {
      let bits = data.encoding.bitsPerValue
      var entry = QuantizableLayer(
        name: name, typeName: layer.typeName, address: address.sibling(field),
        weights: try values(data, layout, of: name), layout: layout, storedBits: bits,
        storedByteCount: layout.count * bits / 8,
        uses: [WeightUse(input: layer.inputs.first ?? "", convolution: convolution)])
      if let bias {
        entry.bias = (
          address.sibling(bias.field),
          try values(bias.data, WeightLayout(count: bias.count), of: name),
          bias.data.encoding == .float16
        )
      }
      return entry
    }
    switch layer.kind {
    // With two inputs the weights come from another layer.
    case .convolution(let parameters) where layer.inputs.count == 1:
      return try entry(
        parameters.weights, parameters.weightLayout, 90,
        parameters.bias.map { ($0, 91, parameters.outputChannels) },
        parameters.isDeconvolution ? nil : parameters)
    case .innerProduct(let parameters):
      var dense = try entry(
        parameters.weights, parameters.weightLayout, 20,
        parameters.bias.map { ($0, 21, parameters.outputChannels) })
      dense.uses[0].readsVectors = true
      return dense
    case .batchedMatrixProduct(let parameters):
      guard let weights = parameters.weights else { return nil }
      var product = try entry(
        weights,
        WeightLayout(
          count: parameters.rows * parameters.columns, channelCount: parameters.columns,
          channelStride: parameters.rows), 8,
        parameters.bias.map { ($0, 9, parameters.columns) })
      product.uses[0].readsVectors = !parameters.transposesFirst
      return product
    default: return nil
    }
  }

  private static func values(
    _ data: WeightData, _ layout: WeightLayout, of name: String
  ) throws(QuantizationError) -> [Float] {
    guard !data.encoding.isQuantized else { throw .alreadyQuantized(layer: name) }
    let values: [Float]
    do throws(ModelFormatError) {
      values = try data.decoded(layout)
    } catch {
      throw .unreadable(error)
    }
    guard values.allSatisfy(\.isFinite) else { throw .notFinite(layer: name) }
    return values
  }

  /// The normalization with statistics from the file that alone reads what layer `index` writes.
  private static func normalization(
    after index: Int, in network: NeuralNetwork, path: [Int], outputs: Set<String>
  ) throws(QuantizationError) -> FollowingNormalization? {
    guard case .convolution(let convolution) = network.layers[index].kind,
      !convolution.isDeconvolution, let blob = network.layers[index].outputs.first,
      !outputs.contains(blob)
    else { return nil }
    let readers = network.layers.indices.filter { network.layers[$0].inputs.contains(blob) }
    guard readers.count == 1, network.layers[readers[0]].inputs.count == 1,
      case .batchNormalization(let parameters) = network.layers[readers[0]].kind,
      !parameters.computesMeanAndVariance, !parameters.instanceNormalization,
      parameters.channels == convolution.outputChannels, let mean = parameters.mean,
      let variance = parameters.variance, !parameters.gamma.encoding.isQuantized,
      !mean.encoding.isQuantized, !variance.encoding.isQuantized
    else { return nil }
    let layout = WeightLayout(count: parameters.channels)
    let name = network.layers[readers[0]].name
    let gamma = try values(parameters.gamma, layout, of: name)
    let deviations = try values(variance, layout, of: name).map {
      max(Double($0) + Double(parameters.epsilon), .leastNormalMagnitude).squareRoot()
    }
    return FollowingNormalization(
      address: WeightAddress(path: path, layer: readers[0], field: 0), gamma: gamma,
      mean: try values(mean, layout, of: name),
      gain: zip(gamma, deviations).map { Float(Double($0) / $1) },
      isHalf: (parameters.gamma.encoding == .float16, mean.encoding == .float16))
  }
}
