// Fovea - a folded graph, read node by node.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

/// A graph after folding, for programs that train it or write it anew. It owns the graph, whose
/// memory the nodes borrow.
package final class GraphReading {
  private let graph: OpaquePointer

  /// Takes the graph of a builder and folds it.
  package init(_ builder: GraphBuilder) throws(FoveaError) {
    graph = try builder.take()
    let graph = graph
    try FoveaError.check { fov_graph_fold_for_reading(graph, $0) }
  }

  deinit { fov_graph_destroy(graph) }

  /// The number of nodes.
  package var nodeCount: Int { fov_graph_reading_count(graph) }

  /// A node; its pointers are valid while this object lives.
  package func node(_ index: Int) throws(FoveaError) -> fov_node_reading {
    let node = UnsafeMutablePointer<fov_node_reading>.allocate(capacity: 1)
    defer { node.deallocate() }
    try FoveaError.check(fov_graph_read_node(graph, index, node), "node \(index)")
    return node.pointee
  }

  /// The weights of the convolution at `index`.
  package func weights(_ index: Int, count: Int) throws(FoveaError) -> [Float] {
    var weights = [Float](repeating: 0, count: count)
    try FoveaError.check(
      fov_graph_read_weights(graph, index, &weights, count), "weights of node \(index)")
    return weights
  }

  /// How the weights of the convolution at `index` are stored, with the bytes of their codes or
  /// halves; pointers are valid while this object lives.
  package func codes(
    _ index: Int, count: Int
  ) throws(FoveaError) -> (form: fov_weights_reading, bytes: [UInt8]) {
    var form = fov_weights_reading()
    var bytes = [UInt8](repeating: 0, count: 2 * count)
    try FoveaError.check(
      fov_graph_read_codes(graph, index, &bytes, count, &form), "weights of node \(index)")
    if form.encoding != .float16 { bytes.removeLast(count) }
    return (form, bytes)
  }

  /// The shape of a value, and its numbers if it is a constant.
  package func value(
    _ index: UInt32
  ) throws(FoveaError) -> (shape: [Int], isInput: Bool, constant: [Float]?) {
    var value = fov_value_reading()
    try FoveaError.check(fov_graph_read_value(graph, index, &value), "value \(index)")
    let shape = value.shape.sizes
    let constant = value.constant.map {
      Array(UnsafeBufferPointer(start: $0, count: shape.reduce(1, *)))
    }
    return (shape, value.is_input, constant)
  }

  /// The outputs by name.
  package func outputs() throws(FoveaError) -> [String: UInt32] {
    var outputs: [String: UInt32] = [:]
    for index in 0..<fov_graph_output_count(graph) {
      var value: UInt32 = 0
      var name: UnsafePointer<CChar>?
      try FoveaError.check(
        fov_graph_read_output(graph, index, &value, &name), "output \(index)")
      if let name { outputs[String(cString: name)] = value }
    }
    return outputs
  }
}
