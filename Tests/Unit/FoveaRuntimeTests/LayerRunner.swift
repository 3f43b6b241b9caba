// Fovea - networks of a few layers, built from values and run on every exact backend.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

/// Builds a network around layers, runs it on every exact backend and checks that they agree.
struct LayerRunner {
  var arrayMapping = NeuralNetwork.ArrayInputShapeMapping.exact
  var keepsAllLayers = false

  /// The only output of one layer.
  func run(
    _ kind: LayerKind, _ inputs: [Tensor], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Tensor {
    try run(kind, inputs, outputCount: 1, sourceLocation: sourceLocation)[0]
  }

  /// The outputs of one layer.
  func run(
    _ kind: LayerKind, _ inputs: [Tensor], outputCount: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Tensor] {
    let file = Self.model(
      kind, shapes: inputs.map(\.shape), outputCount: outputCount, mapping: arrayMapping)
    let names = file.outputs.map(\.name)
    var results: [[Tensor]] = []
    let backends: [BackendOptions] =
      keepsAllLayers
      ? [.reference(keepsAllLayers: true), .blas(keepsAllLayers: true)]
      : [.reference, .blas, .float]
    for backend in backends {
      let options = Model.Options(backend: backend)
      let session = try Session(model: Model(file: file, name: "test", options: options))
      for (index, input) in inputs.enumerated() { try session.setInput("in\(index)", to: input) }
      session.run()
      results.append(try names.map { try session.output($0) })
    }
    for other in results.dropFirst() {
      for (reference, found) in zip(results[0], other) {
        #expect(reference.shape == found.shape, sourceLocation: sourceLocation)
        expectClose(found.floats(), reference.floats(), sourceLocation: sourceLocation)
      }
    }
    return results[1]
  }

  /// A model of one layer named "layer" that reads in0, in1, ... and writes out0, out1, ...
  static func model(
    _ kind: LayerKind, shapes: [[Int]], outputCount: Int = 1,
    mapping: NeuralNetwork.ArrayInputShapeMapping = .exact
  ) -> ModelDescription {
    let inputs = shapes.indices.map { "in\($0)" }
    let outputs = (0..<outputCount).map { "out\($0)" }
    let layer = NeuralNetworkLayer(
      name: "layer", inputs: inputs, outputs: outputs, kind: kind, typeName: "kind")
    // A constant has no input, and a graph needs one.
    let features = shapes.isEmpty ? [array("unused", [1])] : zip(inputs, shapes).map(array)
    return ModelDescription(
      specificationVersion: 5, inputs: features, outputs: outputs.map { array($0, []) },
      body: .neuralNetwork(
        NeuralNetwork(layers: [layer], arrayInputShapeMapping: mapping)))
  }

  static func array(_ name: String, _ shape: [Int]) -> FeatureDescription {
    FeatureDescription(
      name: name, type: .multiArray(MultiArrayFeature(shape: shape, dataType: .float32)))
  }

  /// The error of one layer that cannot be run.
  func failure(
    _ kind: LayerKind, _ shapes: [[Int]], outputCount: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> FoveaError {
    let file = Self.model(kind, shapes: shapes, outputCount: outputCount, mapping: arrayMapping)
    let error = #expect(throws: FoveaError.self, sourceLocation: sourceLocation) {
      try Model(file: file, name: "test")
    }
    let found = try #require(error, sourceLocation: sourceLocation)
    #expect(
      found.message.hasPrefix("layer 0 \"layer\" (kind): "), sourceLocation: sourceLocation)
    return found
  }
}

/// Compares floats: 1e-5 absolute or relative, NaN and infinities equal to themselves.
func expectClose(
  _ found: [Float], _ expected: [Float], tolerance: Float = 1e-5,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(found.count == expected.count, sourceLocation: sourceLocation)
  for (index, (a, b)) in zip(found, expected).enumerated() {
    let same = a == b || (a.isNaN && b.isNaN) || abs(a - b) <= tolerance * max(1, abs(b))
    if !same {
      Issue.record("element \(index) is \(a), expected \(b)", sourceLocation: sourceLocation)
      return
    }
  }
}

/// Repeatable numbers in -2 ... 2 with one decimal place in binary and some zeros.
func numbers(_ count: Int, seed: UInt64 = 1) -> [Float] {
  var random = MMIXGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
  return (0..<count).map { _ in Float(Int(random.next() >> 58)) / 16 - 2 }
}

/// A tensor of repeatable numbers.
func tensor(_ shape: [Int], seed: UInt64 = 1) throws -> Tensor {
  try Tensor(shape: shape, floats: numbers(shape.reduce(1, *), seed: seed))
}

/// Weights stored as floats.
func weights(_ values: [Float]) -> WeightData {
  var bytes: [UInt8] = []
  for value in values {
    for shift in [0, 8, 16, 24] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
    }
  }
  return WeightData(bytes: bytes, segments: [0..<bytes.count], encoding: .float32)
}
