// Fovea - owning a finished model of the core.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// Owns a model of the core.
final class CoreModel: @unchecked Sendable {  // because fov_model never changes after creation
  let pointer: OpaquePointer

  /// Finishes a graph. The core takes it, also when this fails.
  init(_ graph: GraphBuilder, backend: Backend, keepsAllLayers: Bool) throws(FoveaError) {
    var options = fov_model_options_default()
    options.backend = backend.core
    options.keep_all_nodes = keepsAllLayers
    let graph = try graph.take()
    var model: OpaquePointer?
    try FoveaError.check { fov_model_create(graph, &options, &model, $0) }
    guard let model else { throw FoveaError(.invalidGraph, "no model was made") }
    pointer = model
  }

  deinit { fov_model_destroy(pointer) }

  /// The places of the inputs by name.
  func inputIndices() throws(FoveaError) -> [String: Int] {
    try indices(fov_model_input_count(pointer), fov_model_input)
  }

  /// The places of the outputs by name.
  func outputIndices() throws(FoveaError) -> [String: Int] {
    try indices(fov_model_output_count(pointer), fov_model_output)
  }

  private func indices(
    _ count: Int,
    _ read: (OpaquePointer, Int, UnsafeMutablePointer<fov_port>) -> fov_status
  ) throws(FoveaError) -> [String: Int] {
    var indices: [String: Int] = [:]
    for index in 0..<count {
      try withUnsafeTemporaryAllocation(of: fov_port.self, capacity: 1) {
        buffer throws(FoveaError) in
        guard let port = buffer.baseAddress else { return }
        try FoveaError.check(read(pointer, index, port), "port \(index)")
        indices[String(cString: port.pointee.name)] = index
      }
    }
    return indices
  }
}
