// Fovea - building a graph of the core.
// SPDX-License-Identifier: Apache-2.0
package import CFovea
package import FoveaModelValues

/// A graph of the core under construction. It owns the graph until a model takes it.
///
/// Every method adds one operation and returns the value it makes. Parameters and weights are
/// copied by the core before a method returns.
package final class GraphBuilder {
  private var handle: OpaquePointer?
  /// What the numbers of constants are taken from; `nil` where the file holds each of them.
  package var budget: ConstantBudget?
  /// Values that codes stand for, by the number of the codes.
  package var codedValues: [UInt32: CodedValue] = [:]
  /// Codes that were written already: files write them once for each reader.
  package var writtenCodes: [WrittenCodes: GraphValue] = [:]
  /// What operations `softplus` of programs read, by the number of their result.
  package var softplusInputs: [UInt32: GraphValue] = [:]
  /// What values with channels at the end were before, by their numbers.
  var channelsMoved: [UInt32: GraphValue] = [:]
  /// Constants that may stand beside channels at the end, by their numbers.
  var vectors: [UInt32: VectorConstant] = [:]

  /// An empty graph.
  package init() throws(FoveaError) {
    var graph: OpaquePointer?
    try FoveaError.check(fov_graph_create(&graph), "no memory for a graph")
    handle = graph
  }

  deinit { fov_graph_destroy(handle) }

  /// Hands the graph over to whoever makes a model of it; nothing can be added afterwards.
  package func take() throws(FoveaError) -> OpaquePointer {
    defer { handle = nil }
    return try graph()
  }

  /// The graph, while this builder owns it.
  private func graph() throws(FoveaError) -> OpaquePointer {
    guard let handle else { throw FoveaError(.invalidGraph, "the graph is already a model") }
    return handle
  }

  /// The name of the layer that operations added from now on come from.
  package func setLabel(_ label: String) throws(FoveaError) {
    try FoveaError.check(fov_graph_set_label(graph(), label), "no memory for a label")
  }

  /// Adds an operation and asks for the shape of its result.
  package func add(
    _ operation: (
      _ graph: OpaquePointer, _ value: UnsafeMutablePointer<fov_value>,
      _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
    ) -> fov_status
  ) throws(FoveaError) -> GraphValue {
    let graph = try graph()
    var value = fov_value()
    try FoveaError.check { operation(graph, &value, $0) }
    var shape = fov_shape()
    try FoveaError.check(fov_graph_value_shape(graph, value, &shape), "the shape of a value")
    return GraphValue(value: value, shape: shape.sizes)
  }

  // MARK: Inputs, constants, outputs

  /// A value that callers write before a run.
  package func input(_ name: String, type: DataType, shape: [Int]) throws(FoveaError) -> GraphValue
  {
    var shape = try fov_shape(shape)
    return try add { fov_graph_add_input($0, name, type.core, &shape, $1, $2) }
  }

  /// A constant as the file stores it, which the core decodes.
  package func constant(_ weights: WeightData, shape: [Int]) throws(FoveaError) -> GraphValue {
    var shape = try fov_shape(shape)
    let value = try weights.withCoreWeights { (weights) throws(FoveaError) in
      try add { fov_graph_add_constant($0, &shape, weights, $1, $2) }
    }
    note(value, .stored(weights))
    return value
  }

  /// A constant of floats, row-major.
  package func constant(_ floats: [Float], shape: [Int]) throws(FoveaError) -> GraphValue {
    try budget?.spend(floats.count)
    var shape = try fov_shape(shape)
    let value = try floats.withCoreWeights { (weights) throws(FoveaError) in
      try add { fov_graph_add_constant($0, &shape, weights, $1, $2) }
    }
    note(value, .floats(floats))
    return value
  }

  /// Makes a value readable after a run. A value may have several names.
  package func markOutput(_ value: GraphValue, name: String) throws(FoveaError) {
    let graph = try graph()
    try FoveaError.check { fov_graph_mark_output(graph, value.value, name, $0) }
  }
}

/// What the result of an operation `quantize` stands for, as `dequantize` gives it back.
package struct CodedValue {
  package var value: GraphValue
  package var scale: Float
  package var zero: Float

  /// Creates a description.
  package init(value: GraphValue, scale: Float, zero: Float) {
    self.value = value
    self.scale = scale
    self.zero = zero
  }
}

/// A value that becomes codes, and what these mean.
package struct WrittenCodes: Hashable {
  package var value: UInt32
  package var scale: Float
  package var zero: Float
  package var range: ClosedRange<Float>

  /// Creates a description.
  package init(value: UInt32, scale: Float, zero: Float, range: ClosedRange<Float>) {
    self.value = value
    self.scale = scale
    self.zero = zero
    self.range = range
  }
}

extension DataType {
  /// The core's word for the type.
  package var core: fov_data_type {
    switch self {
    case .float32: .float32
    case .uint8: .uint8
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    }
  }

  /// The type that a word of the core stands for.
  package init(_ type: fov_data_type) {
    self =
      switch type {
      case .float32: .float32
      case .uint8: .uint8
      case .int8: .int8
      case .int16: .int16
      case .int32: .int32
      }
  }
}
