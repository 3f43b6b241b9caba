// Fovea - checks on the blobs that layers hand to each other.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Checks that layers read only what was written before them.
struct BlobWiring {
  private let network: NeuralNetwork
  private let messages: [ProtobufMessage]

  init(_ network: NeuralNetwork, messages: [ProtobufMessage]) {
    self.network = network
    self.messages = messages
  }

  func check(
    interface: ModelInterface, isClassifier: Bool, at offset: Int
  ) throws(ModelFormatError) {
    var known = interface.inputNames
    for (index, layer) in network.layers.enumerated() {
      for input in layer.inputs where !known.contains(input) {
        throw error(
          .unknownBlob, index, found: describe(missing: input, readBy: index),
          expected: "a network input or the output of an earlier layer")
      }
      for output in layer.outputs where !known.insert(output).inserted {
        throw error(
          .duplicateBlob, index, found: "'\(output)' written a second time",
          expected: "a new name for every output")
      }
    }
    // A classifier derives its label and its table of probabilities from a blob.
    let derived =
      isClassifier ? [interface.predictedFeatureName, interface.predictedProbabilitiesName] : []
    for output in interface.outputs
    where !known.contains(output.name) && !derived.contains(output.name) {
      if isClassifier, output.type == .dictionary { continue }
      throw ModelFormatError(
        .unknownBlob, byteOffset: offset,
        found: "the output '\(output.name)', which no layer writes",
        expected: "the output of a layer")
    }
  }

  private func describe(missing blob: String, readBy index: Int) -> String {
    let layer = network.layers[index]
    let start = "a layer of type '\(layer.typeName)' reading '\(blob)'"
    guard let writer = network.layers[index...].firstIndex(where: { $0.outputs.contains(blob) })
    else { return start + ", which no layer writes" }
    if writer == index { return start + ", which it writes itself" }
    return start + ", which only the later layers[\(writer)] writes"
  }

  private func error(
    _ code: ModelFormatError.Code, _ index: Int, found: String, expected: String
  ) -> ModelFormatError {
    ModelFormatError(
      code, byteOffset: messages[index].offset, fieldPath: "layers[\(index)]",
      layerName: network.layers[index].name, found: found, expected: expected)
  }
}
