// Fovea - a network of a test, finished and run.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Testing

/// A network that can be built any number of times, and what it reads.
protocol TestNetwork {
  var input: [Float] { get }
  func build(_ graph: OpaquePointer) throws
}

/// A network, finished and run.
struct NetworkRun {
  var outputs: [[Float]]
  var shapes: [[Int]]
  var ranges: [fov_channel_summary]
  var operations: [String]
  var workspaceBytes: Int
  var weightBytes: Int
  /// What an observer saw, by the number of the value; empty unless `observes`.
  var values: [Int: [Float]] = [:]

  init(
    _ network: some TestNetwork, _ backend: fov_backend, threads: Int = 1,
    instructionSet: fov_instruction_set = .automatic, ranges: [fov_channel_summary] = [],
    measures: Bool = false, usesDynamicRanges: Bool = false, usesWinograd: Bool = true,
    keepsCodes: Bool = false, floatLayers: [String] = [], int16Layers: [String] = [],
    floatSums: Bool = false,
    isCompiled: Bool = false, frames: Int = 1,
    observes: Bool = false, keepsAllNodes: Bool = false
  ) throws {
    var graph: OpaquePointer?
    try #require(fov_graph_create(&graph) == .ok)
    do { try network.build(graph!) } catch {
      fov_graph_destroy(graph)
      throw error
    }
    var options = fov_model_options_default()
    options.backend = backend
    options.thread_count = threads
    options.instruction_set = instructionSet
    options.records_ranges = measures
    options.dynamic_ranges = usesDynamicRanges
    options.uses_winograd = usesWinograd
    options.keeps_codes = keepsCodes
    options.float_sums = floatSums
    options.observes_nodes = observes
    options.keep_all_nodes = keepsAllNodes
    var created: OpaquePointer?
    try ranges.withUnsafeBufferPointer { ranges in
      try CStrings(floatLayers).withPointers { names in
        options.ranges = ranges.isEmpty ? nil : ranges.baseAddress
        options.range_count = ranges.count
        options.float_layers = names.baseAddress
        options.float_layer_count = names.count
        try CStrings(int16Layers).withPointers { names in
          options.int16_layers = names.baseAddress
          options.int16_layer_count = names.count
          try check { fov_model_create(graph!, &options, &created, $0) }
        }
      }
    }
    var model = try #require(created)
    defer { fov_model_destroy(model) }
    let file = isCompiled ? try CompiledBytes(of: model) : nil
    if let file {
      let loaded = try file.load(options)
      fov_model_destroy(model)
      model = loaded
    }
    workspaceBytes = fov_model_memory(model).workspace_bytes
    weightBytes = fov_model_memory(model).weight_bytes
    operations = (0..<fov_model_node_count(model)).map { Self.operation(model, $0) }
    let session = try SessionUnderTest(of: model, threads: threads)
    try network.input.withUnsafeBytes { try session.write($0, to: 0) }
    defer { withExtendedLifetime(file) {} }
    if observes {
      values = try NodeObserver(model).values(of: session, frames: frames)
    } else {
      for _ in 0..<frames { session.run() }
    }
    outputs = try (0..<fov_model_output_count(model)).map { try session.output($0) }
    shapes = try (0..<fov_model_output_count(model)).map { index in
      try withUnsafeTemporaryAllocation(of: fov_port.self, capacity: 1) { buffer in
        try #require(fov_model_output(model, index, buffer.baseAddress!) == .ok)
        return buffer[0].shape.sizes
      }
    }
    self.ranges = [fov_channel_summary](
      repeating: fov_channel_summary(), count: fov_model_range_count(model))
    fov_session_ranges(session.handle, &self.ranges, self.ranges.count)
  }

  private static func operation(_ model: OpaquePointer, _ index: Int) -> String {
    withUnsafeTemporaryAllocation(of: fov_node_information.self, capacity: 1) { buffer in
      guard fov_model_node(model, index, buffer.baseAddress!) == .ok else { return "" }
      return String(cString: buffer[0].operation)
    }
  }

  var bits: [[UInt32]] { outputs.map { $0.map(\.bitPattern) } }
}
