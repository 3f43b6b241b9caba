// Fovea - programs that scale pixels themselves.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// Programs that scale pixels themselves: the first thing that they do with a picture is to divide
/// it by a number like 255, or to take a mean like 123 from it.
package enum PixelScaling {
  /// The most operations that are looked at.
  private static let mostSteps = 8

  /// Whether a program reads pixels of 0 to 255.
  ///
  /// - Parameters:
  ///   - input: The name of the input that is a picture.
  ///   - numbers: The numbers of a constant.
  /// - Complexity: O(operations).
  package static func isInside(
    _ function: TensorProgram.Function, input: String,
    numbers: @escaping (TensorConstant) -> [Float]?
  ) -> Bool {
    var name = input
    for _ in 0..<mostSteps {
      let readers = function.operations.filter { operation in
        operation.kind != "Shape"
          && operation.arguments.values.joined().contains { $0 == .value(name) }
      }
      guard readers.count == 1, let reader = readers.first else { return false }
      if moves.contains(reader.kind) {
        name = reader.firstResult
        continue
      }
      guard scalings.contains(reader.kind) else { return false }
      let graph = SuppressionGraph(function, numbers)
      let factors =
        reader.arguments.values.joined().lazy
        .compactMap { $0 == .value(name) ? nil : graph.numbers($0) }.first ?? []
      guard !factors.isEmpty else { return false }
      return switch reader.kind {
      case "Div", "real_div": factors.allSatisfy { $0 >= 50 }
      case "Mul", "mul": factors.allSatisfy { (0.001...0.02).contains($0) }
      case "Sub", "sub": factors.contains { $0 >= 10 }
      case "Add", "add": factors.contains { $0 <= -10 }
      default: false
      }
    }
    return false
  }

  /// Operations that may scale pixels.
  private static let scalings: Set<String> = [
    "Add", "Div", "Mul", "Sub", "add", "mul", "real_div", "sub",
  ]

  /// Operations that give pixels on.
  private static let moves: Set<String> = [
    "Cast", "Gather", "Identity", "Squeeze", "Transpose", "Unsqueeze", "cast", "expand_dims",
    "gather", "identity", "reverse", "squeeze", "transpose",
  ]
}
