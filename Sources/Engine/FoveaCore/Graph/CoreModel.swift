// Fovea - owning a finished model of the core.
// SPDX-License-Identifier: Apache-2.0
package import CFovea
package import FoveaFiles
internal import FoveaLibc

/// Owns a model of the core.
package final class CoreModel: @unchecked Sendable {  // because fov_model never changes
  package let pointer: OpaquePointer
  /// Of its kernels, and of those that fill its inputs.
  package let instructionSet: fov_instruction_set
  /// The bytes of a compiled model, which the core borrows.
  private let mapped: MappedBytes?

  /// Finishes a graph. The core takes it, also when this fails.
  ///
  /// - Parameters:
  ///   - ranges: What is known of the activations, for `int8`.
  ///   - usesDynamicRanges: Whether `int8` measures ranges in every frame all the same.
  ///   - threadCount: The most threads of a session; `nil` stands for those of the process.
  package init(
    _ graph: GraphBuilder, options choices: ModelOptions, ranges: ActivationRanges?,
    usesDynamicRanges: Bool, threadCount: Int? = nil
  ) throws(FoveaError) {
    let int8 = choices.backend.int8
    var options = fov_model_options_default()
    options.backend = choices.backend.backend.core
    options.thread_count = threadCount ?? 0
    options.keep_all_nodes = choices.backend.keepsAllLayers
    instructionSet = try Self.instructionSet(choices.instructionSet).core
    options.instruction_set = instructionSet
    options.uses_winograd = choices.usesWinograd
    options.keeps_codes = choices.backend.weights == .coded
    options.records_ranges = choices.recordsRanges
    options.dynamic_ranges = usesDynamicRanges
    options.observes_nodes = choices.observesNodes
    options.float_sums = int8?.floatSums ?? false
    let graph = try graph.take()
    var model: OpaquePointer?
    let ranges = ranges?.core ?? []
    try ranges.withUnsafeBufferPointer { ranges throws(FoveaError) in
      options.ranges = ranges.isEmpty ? nil : ranges.baseAddress
      options.range_count = ranges.count
      try Self.withNames(int8?.floatLayers ?? []) { names throws(FoveaError) in
        options.float_layers = names.baseAddress
        options.float_layer_count = names.count
        try Self.withNames(int8?.int16Layers ?? []) { names throws(FoveaError) in
          options.int16_layers = names.baseAddress
          options.int16_layer_count = names.count
          try FoveaError.check { fov_model_create(graph, &options, &model, $0) }
        }
      }
    }
    guard let model else { throw FoveaError(.invalidGraph, "no model was made") }
    pointer = model
    mapped = nil
  }

  /// Lends names as the core takes them: pointers to C strings.
  private static func withNames(
    _ names: Set<String>,
    _ body: (UnsafeBufferPointer<UnsafePointer<CChar>>) throws(FoveaError) -> Void
  ) throws(FoveaError) {
    var characters: [CChar] = []
    var starts: [Int] = []
    for name in names.sorted() {
      starts.append(characters.count)
      characters += name.utf8CString
    }
    try characters.withUnsafeBufferPointer { characters throws(FoveaError) in
      let pointers = starts.compactMap { start in characters.baseAddress.map { $0 + start } }
      try pointers.withUnsafeBufferPointer(body)
    }
  }

  /// Makes a model of the bytes of a compiled file.
  package init(compiled bytes: MappedBytes, options choices: ModelOptions) throws(FoveaError) {
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
    guard chosen == .automatic, let forced = EnvironmentVariable.value("FOVEA_FORCE_ISA")
    else { return chosen }
    guard let set = InstructionSet(rawValue: forced) else {
      let all = InstructionSet.allCases.map(\.rawValue).joined(separator: ", ")
      throw FoveaError(.invalidArgument, "FOVEA_FORCE_ISA is \(forced); expected one of \(all)")
    }
    return set
  }

  deinit { fov_model_destroy(pointer) }

  /// The backend that the core runs.
  package var backend: Backend {
    let backend = fov_model_backend(pointer)
    return Backend.allCases.first { $0 != .auto && $0.core == backend } ?? .float
  }

  /// The inputs in the order of the graph.
  package func inputPorts() throws(FoveaError) -> [ModelPort] {
    try ports(fov_model_input_count(pointer), fov_model_input)
  }

  /// The outputs in the order of the graph.
  package func outputPorts() throws(FoveaError) -> [ModelPort] {
    try ports(fov_model_output_count(pointer), fov_model_output)
  }

  /// The places of the inputs by name.
  package func inputIndices() throws(FoveaError) -> [String: Int] { Self.indices(try inputPorts()) }

  /// The places of the outputs by name.
  package func outputIndices() throws(FoveaError) -> [String: Int] {
    Self.indices(try outputPorts())
  }

  private static func indices(_ ports: [ModelPort]) -> [String: Int] {
    Dictionary(
      ports.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  private func ports(
    _ count: Int,
    _ read: (OpaquePointer, Int, UnsafeMutablePointer<fov_port>) -> fov_status
  ) throws(FoveaError) -> [ModelPort] {
    var ports: [ModelPort] = []
    for index in 0..<count {
      try withUnsafeTemporaryAllocation(of: fov_port.self, capacity: 1) {
        buffer throws(FoveaError) in
        guard let port = buffer.baseAddress else { return }
        try FoveaError.check(read(pointer, index, port), "port \(index)")
        ports.append(
          ModelPort(
            name: String(cString: port.pointee.name),
            type: port.pointee.type == .uint8 ? .uint8 : .float32,
            shape: port.pointee.shape.sizes))
      }
    }
    return ports
  }
}
