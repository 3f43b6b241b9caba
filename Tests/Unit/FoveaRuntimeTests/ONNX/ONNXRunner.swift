// Fovea - tests: ONNX files of a few nodes, run.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Testing

/// An array that a test gives or expects.
struct ONNXArray {
  var shape: [Int]
  var values: [Float]

  init(_ shape: [Int], _ values: [Float]) {
    self.shape = shape
    self.values = values
  }

  /// 0, 1, 2, ...
  init(countingIn shape: [Int]) {
    self.init(shape, (0..<shape.reduce(1, *)).map { Float($0) })
  }
}

/// A file of one node and its constants, which reads "x".
struct ONNXRunner {
  var writer: ONNXWriter
  var outputs: [String]
  var x: ONNXArray

  /// A node that reads "x" and constants.
  init(
    _ kind: String, _ x: ONNXArray, _ constants: [Constant?] = [],
    _ attributes: KeyValuePairs<String, ONNXWriter.Attribute> = [:], set: Int = 18,
    outputs: [String] = ["y"]
  ) {
    writer = ONNXWriter(operationSet: set)
    self.outputs = outputs
    self.x = x
    var names = ["x"]
    for (index, constant) in constants.enumerated() {
      guard let constant else {
        names.append("")
        continue
      }
      names.append("c\(index)")
      switch constant {
      case .floats(let values, let shape): writer.floats("c\(index)", values, shape)
      case .integers(let values, let shape): writer.integers("c\(index)", values, shape)
      case .codes(let type, let values, let shape):
        writer.codes("c\(index)", type: type, values, shape)
      }
    }
    writer.add(kind, names, outputs, attributes)
    writer.input("x", x.shape)
    for output in outputs where !output.isEmpty { writer.output(output) }
  }

  /// A file that a test writes.
  init(_ x: ONNXArray, set: Int = 18, outputs: [String] = ["y"], _ fill: (inout ONNXWriter) -> Void)
  {
    writer = ONNXWriter(operationSet: set)
    self.outputs = outputs
    self.x = x
    fill(&writer)
    writer.input("x", x.shape)
    for output in outputs { writer.output(output) }
  }

  /// What a node reads beside "x".
  enum Constant {
    case floats([Float], [Int]? = nil)
    case integers([Int], [Int]? = nil)
    /// Integers of another type by its number.
    case codes(Int, [Int], [Int]? = nil)
  }

  /// The outputs by name.
  func run(_ backend: BackendOptions = .reference) throws -> [String: ONNXArray] {
    let model = try Model(bytes: writer.bytes, name: "test", options: .init(backend: backend))
    let session = try Session(model: model)
    if !model.inputs.isEmpty {
      try session.setInput("x", to: Tensor(shape: x.shape, floats: x.values))
    }
    session.run()
    var found: [String: ONNXArray] = [:]
    for output in model.outputs {
      let tensor = try session.output(output.name)
      found[output.name] = ONNXArray(tensor.shape, tensor.floats())
    }
    return found
  }

  /// Expects an output on the backends that compute in floats.
  func expect(
    _ values: [Float], shape: [Int]? = nil, output: String = "y", within tolerance: Float = 1e-5,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for backend in [BackendOptions.reference, .float, .blas] {
      let found = try #require(try run(backend)[output], sourceLocation: sourceLocation)
      let fits =
        found.values.count == values.count
        && zip(found.values, values).allSatisfy { $0 == $1 || abs($0 - $1) <= tolerance }
      #expect(
        fits, "\(backend.backend): \(found.values), not \(values)", sourceLocation: sourceLocation)
      if let shape { #expect(found.shape == shape, sourceLocation: sourceLocation) }
    }
  }

  /// The kinds of the operations that run.
  func operations() throws -> [String] {
    let options = Model.Options(backend: .reference)
    return try Model(bytes: writer.bytes, name: "test", options: options).nodes.map(\.operation)
  }

  /// The words with which the file is refused.
  func refusal(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let error = #expect(throws: FoveaError.self, sourceLocation: sourceLocation) {
      try Model(bytes: writer.bytes, name: "test", options: .init(backend: .reference))
    }
    return try #require(error, sourceLocation: sourceLocation).message
  }
}
