// Fovea - blobs that layers change in place.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension NeuralNetwork {
  /// Gives what layers write under the name of a blob that they read names of its own, as networks of
  /// Caffe do it: "conv1" becomes "conv1 (1)" where a later layer changes it. The last one keeps the
  /// name, by which it is known outside.
  ///
  /// Blobs with other second writers, and inputs of the network, stay as they are.
  ///
  /// - Parameter outputs: The outputs of the model, whose names nothing takes.
  mutating func renameInPlaceBlobs(outputs: Set<String>) {
    var changes: [String: Int] = [:]
    var writers: [String: Int] = [:]
    for layer in layers {
      for output in layer.outputs {
        if layer.inputs.contains(output) {
          changes[output, default: 0] += 1
        } else {
          writers[output, default: 0] += 1
        }
      }
    }
    guard !changes.isEmpty else { return }
    var taken = outputs
    for layer in layers { taken.formUnion(layer.inputs + layer.outputs) }
    // What each blob is called, from its first writer on.
    var names: [String: [String]] = [:]
    for (blob, count) in changes where writers[blob] == 1 {
      var number = 0
      names[blob] = (0..<count).map { _ in
        repeat { number += 1 } while !taken.insert("\(blob) (\(number))").inserted
        return "\(blob) (\(number))"
      }
      // Taken off the end.
      names[blob] = [blob] + (names[blob] ?? []).reversed()
    }
    var current: [String: String] = [:]
    for index in layers.indices {
      layers[index].inputs = layers[index].inputs.map { current[$0] ?? $0 }
      for (place, blob) in layers[index].outputs.enumerated() {
        guard let name = names[blob]?.popLast() else { continue }
        current[blob] = name
        layers[index].outputs[place] = name
      }
    }
  }
}
