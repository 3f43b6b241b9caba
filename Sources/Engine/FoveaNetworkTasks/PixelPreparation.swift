// Fovea - what a file does to the pixels of a picture first.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// What a file that reads pictures does to their pixels first, for people who compare it with what the
/// network was trained on.
package enum PixelPreparation {
  /// Where pixels of 0 to 255 are scaled and shifted, in words.
  ///
  /// - Parameter input: The name of the input, which the file declares as a picture.
  /// - Complexity: O(operations).
  package static func text(_ file: ModelDescription, input: String) -> String {
    switch file.body {
    case .neuralNetwork(let network): return text(network)
    case .program(let program):
      return program.functions[file.functionName].map { text($0, input) } ?? unknown
    case .pipeline(let pipeline):
      return pipeline.stages.first.map { text($0.model, input: input) } ?? unknown
    case .nonMaximumSuppression, .unsupported: return unknown
    }
  }

  private static let unknown = "not known"
  private static let none = "as they are, 0 to 255: the file neither scales nor shifts them"

  private static func text(_ network: NeuralNetwork) -> String {
    let steps = network.preprocessing.map { step in
      switch step.kind {
      case .meanImage: return "minus a mean picture"
      case .scaler(let scaler):
        let shifts = [scaler.redBias, scaler.greenBias, scaler.blueBias, scaler.grayBias]
        let isShifted = shifts.contains { $0 != 0 }
        return "* \(scaler.channelScale)"
          + (isShifted ? " + (\(shifts[0]), \(shifts[1]), \(shifts[2]))" : "")
      }
    }
    return steps.isEmpty
      ? none : "\(steps.joined(separator: ", ")), by the preprocessing of the file"
  }

  private static func text(_ function: TensorProgram.Function, _ input: String) -> String {
    var (name, steps) = (input, [String]())
    for _ in 0..<8 {
      let readers = function.operations.filter { operation in
        operation.arguments.values.joined().contains { $0 == .value(name) }
      }
      guard readers.count == 1, let reader = readers.first else { break }
      if arithmetic.contains(reader.kind) {
        steps.append(reader.kind)
      } else if !moves.contains(reader.kind) {
        break
      }
      name = reader.firstResult
    }
    return steps.isEmpty
      ? none : "by the first operations of the network: \(steps.joined(separator: ", "))"
  }

  private static let arithmetic: Set<String> = ["add", "mul", "real_div", "sub"]
  private static let moves: Set<String> = ["cast", "identity", "transpose", "expand_dims"]
}
