// Fovea - owning a finished model of the core.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaFiles

/// Owns a model of the core.
final class CoreModel: @unchecked Sendable {  // because fov_model never changes after creation
  let pointer: OpaquePointer
  /// Of its kernels, and of those that fill its inputs.
  let instructionSet: fov_instruction_set
  /// The bytes of a compiled model, which the core borrows.
  private let mapped: MappedBytes?

  /// Finishes a graph. The core takes it, also when this fails.
  ///
  /// - Parameter usesDynamicRanges: Whether `int8` measures the ranges of activations in every frame although
  ///   the options have some.
  init(
    _ graph: GraphBuilder, backend: Backend, options choices: Model.Options,
    usesDynamicRanges: Bool
  ) throws(FoveaError) {
    var options = fov_model_options_default()
    options.backend = backend.core
    options.keep_all_nodes = choices.keepsAllLayers
    instructionSet = try Self.instructionSet(choices.instructionSet).core
    options.instruction_set = instructionSet
    options.uses_winograd = choices.usesWinograd
    options.keeps_codes = choices.weights == .packed
    options.records_ranges = choices.recordsRanges
    options.dynamic_ranges = usesDynamicRanges
    options.observes_nodes = choices.observesNodes
    options.float_sums = choices.floatSums
    let graph = try graph.take()
    var model: OpaquePointer?
    let ranges = choices.activationRanges?.core ?? []
    try ranges.withUnsafeBufferPointer { ranges throws(FoveaError) in
      options.ranges = ranges.isEmpty ? nil : ranges.baseAddress
      options.range_count = ranges.count
      try Self.withLines(choices.floatLayers) { floats throws(FoveaError) in
        options.float_layers = floats
        try Self.withLines(choices.int16Layers) { words throws(FoveaError) in
          options.int16_layers = words
          try FoveaError.check { fov_model_create(graph, &options, &model, $0) }
        }
      }
    }
    guard let model else { throw FoveaError(.invalidGraph, "no model was made") }
    pointer = model
    mapped = nil
  }

  /// Names as the core takes them, one a line; `nil` for none.
  private static func withLines(
    _ names: Set<String>, _ body: (UnsafePointer<CChar>?) throws(FoveaError) -> Void
  ) throws(FoveaError) {
    let lines = names.sorted().joined(separator: "\n").utf8CString
    try lines.withUnsafeBufferPointer { lines throws(FoveaError) in
      try body(names.isEmpty ? nil : lines.baseAddress)
    }
  }

  /// Makes a model of the bytes of a compiled file.
  init(compiled bytes: MappedBytes, options choices: Model.Options) throws(FoveaError) {
    var options = fov_model_options_default()
    instructionSet = try Self.instructionSet(choices.instructionSet).core
    options.instruction_set = instructionSet
    options.uses_winograd = choices.usesWinograd
    var model: OpaquePointer?
    try bytes.withBytes { bytes throws(FoveaError) in
      guard let start = bytes.baseAddress else { return }
      try FoveaError.check { fov_model_load(start, bytes.count, &options, &model, $0) }
    }
    guard let model else { throw FoveaError(.invalidModel, "no model was made") }
    pointer = model
    mapped = bytes
  }

  /// What the caller forces, else what FOVEA_FORCE_ISA does.
  private static func instructionSet(_ chosen: InstructionSet) throws(FoveaError) -> InstructionSet
  {
    guard chosen == .automatic, let forced = Environment.value("FOVEA_FORCE_ISA"), !forced.isEmpty
    else { return chosen }
    guard let set = InstructionSet(rawValue: forced) else {
      let all = InstructionSet.allCases.map(\.rawValue).joined(separator: ", ")
      throw FoveaError(.invalidArgument, "FOVEA_FORCE_ISA is \(forced); expected one of \(all)")
    }
    return set
  }

  deinit { fov_model_destroy(pointer) }

  /// The backend that the core runs.
  var backend: Backend {
    let backend = fov_model_backend(pointer)
    return Backend.allCases.first { $0 != .auto && $0.core == backend } ?? .float
  }

  /// The inputs in the order of the graph.
  func inputPorts() throws(FoveaError) -> [Model.Port] {
    try ports(fov_model_input_count(pointer), fov_model_input)
  }

  /// The outputs in the order of the graph.
  func outputPorts() throws(FoveaError) -> [Model.Port] {
    try ports(fov_model_output_count(pointer), fov_model_output)
  }

  /// The places of the inputs by name.
  func inputIndices() throws(FoveaError) -> [String: Int] { Self.indices(try inputPorts()) }

  /// The places of the outputs by name.
  func outputIndices() throws(FoveaError) -> [String: Int] { Self.indices(try outputPorts()) }

  private static func indices(_ ports: [Model.Port]) -> [String: Int] {
    Dictionary(
      ports.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  private func ports(
    _ count: Int,
    _ read: (OpaquePointer, Int, UnsafeMutablePointer<fov_port>) -> fov_status
  ) throws(FoveaError) -> [Model.Port] {
    var ports: [Model.Port] = []
    for index in 0..<count {
      try withUnsafeTemporaryAllocation(of: fov_port.self, capacity: 1) {
        buffer throws(FoveaError) in
        guard let port = buffer.baseAddress else { return }
        try FoveaError.check(read(pointer, index, port), "port \(index)")
        ports.append(
          Model.Port(
            name: String(cString: port.pointee.name),
            type: port.pointee.type == .uint8 ? .uint8 : .float32,
            shape: port.pointee.shape.sizes))
      }
    }
    return ports
  }
}
