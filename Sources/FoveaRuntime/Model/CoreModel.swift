// Fovea - owning a finished model of the core.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// Owns a model of the core.
final class CoreModel: @unchecked Sendable {  // because fov_model never changes after creation
  let pointer: OpaquePointer

  /// Finishes a graph. The core takes it, also when this fails.
  init(
    _ graph: GraphBuilder, backend: Backend, options choices: Model.Options
  ) throws(FoveaError) {
    var options = fov_model_options_default()
    options.backend = backend.core
    options.keep_all_nodes = choices.keepsAllLayers
    options.instruction_set = try Self.instructionSet(choices.instructionSet).core
    options.measures_ranges = choices.measuresRanges
    let graph = try graph.take()
    var model: OpaquePointer?
    let ranges = choices.activationRanges?.core ?? []
    try ranges.withUnsafeBufferPointer { ranges throws(FoveaError) in
      options.ranges = ranges.isEmpty ? nil : ranges.baseAddress
      options.range_count = ranges.count
      try FoveaError.check { fov_model_create(graph, &options, &model, $0) }
    }
    guard let model else { throw FoveaError(.invalidGraph, "no model was made") }
    pointer = model
  }

  /// What the caller forces, else what FOVEA_FORCE_ISA does.
  private static func instructionSet(_ chosen: InstructionSet) throws(FoveaError) -> InstructionSet {
    guard chosen == .automatic, let forced = Environment.value("FOVEA_FORCE_ISA"), !forced.isEmpty
    else { return chosen }
    guard let set = InstructionSet(rawValue: forced) else {
      let all = InstructionSet.allCases.map(\.rawValue).joined(separator: ", ")
      throw FoveaError(.invalidArgument, "FOVEA_FORCE_ISA is \(forced); expected one of \(all)")
    }
    return set
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
