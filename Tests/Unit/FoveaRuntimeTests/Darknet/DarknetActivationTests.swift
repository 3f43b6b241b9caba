// Fovea - tests: activations of Darknet, by their formulas.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Foundation
import Testing

struct DarknetActivationTests {
  /// The functions in double precision.
  static let formulas: [(name: String, formula: @Sendable (Double) -> Double)] = [
    ("linear", { $0 }), ("leaky", { $0 > 0 ? $0 : 0.1 * $0 }),
    ("relie", { $0 > 0 ? $0 : 0.01 * $0 }), ("relu", { max($0, 0) }),
    ("relu6", { min(max($0, 0), 6) }), ("logistic", { 1 / (1 + exp(-$0)) }),
    ("loggy", { 2 / (1 + exp(-$0)) - 1 }), ("swish", { $0 / (1 + exp(-$0)) }),
    ("mish", { $0 * tanh(log1p(exp($0))) }),
    ("hard_mish", { $0 > 0 ? $0 : $0 > -2 ? $0 * $0 / 2 + $0 : 0 }),
    ("elu", { $0 >= 0 ? $0 : expm1($0) }),
    ("selu", { 1.0507 * ($0 >= 0 ? $0 : 1.6732 * expm1($0)) }),
    ("gelu", { 0.5 * $0 * (1 + tanh(0.7978845608 * ($0 + 0.044715 * $0 * $0 * $0))) }),
    ("tanh", { tanh($0) }), ("hardtan", { min(max($0, -1), 1) }),
    ("ramp", { max($0, 0) + 0.1 * $0 }),
  ]

  @Test func everyActivationHasAFormula() {
    #expect(Self.formulas.map(\.name).sorted() == DarknetActivation.names)
  }

  @Test(arguments: formulas.map(\.name))
  func activationFollowsItsFormula(_ name: String) throws {
    let formula = try #require(Self.formulas.first { $0.name == name }?.formula)
    let values: [Float] = [
      -100, -88, -50, -30, -20, -12, -8, -6, -5, -4, -3.5, -3, -2.5, -2, -1.99, -1.5, -1, -0.75,
      -0.5, -0.25, -0.1, -1e-3, -1e-6, 0, 1e-6, 1e-3, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5.9, 6,
      8, 12, 20, 30, 50, 88, 100,
    ]
    for backend in SharedProgramTests.backends {
      let found = try Self.applied(name, to: values, backend)
      for (x, y) in zip(values, found) {
        let expected = formula(Double(x))
        #expect(
          abs(Double(y) - expected) <= 2e-6 * max(1, abs(expected)),
          "\(name)(\(x)) is \(expected), not \(y) (\(backend.backend))")
      }
    }
  }

  /// A head of one cell with new coordinates gives x and y as the convolution before has them, whose
  /// weights are 0 and whose biases are the values.
  private static func applied(
    _ name: String, to values: [Float], _ backend: BackendOptions
  ) throws -> [Float] {
    let anchors = values.count / 2
    let text = """
      [net]
      width=1
      height=1
      channels=1
      [convolutional]
      filters=\(6 * anchors)
      activation=\(name)
      [yolo]
      anchors=\(Array(repeating: "1,1", count: anchors).joined(separator: ","))
      classes=1
      new_coords=1
      """
    var numbers = [Float](repeating: 0, count: 2 * 6 * anchors)
    for (index, value) in values.enumerated() { numbers[index / 2 * 6 + index % 2] = value }
    let weights =
      [0, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
      + numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
    let file = try ModelDescription(
      darknetLayers: Array(text.utf8), weights: weights, fileName: "a.cfg", folder: EmptyFolder(),
      size: nil, limits: ReadingLimits())
    let model = try Model(file: file, name: "a", options: Model.Options(backend: backend))
    let session = try Session(model: model)
    session.run()
    let rows = try session.output("coordinates").floats()
    return values.indices.map { rows[$0 / 2 * 4 + $0 % 2] }
  }
}
