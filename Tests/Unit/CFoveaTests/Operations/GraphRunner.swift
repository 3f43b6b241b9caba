// Fovea - one operation in a graph of its own, run in a session.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Testing

/// Where the operation under test finds its inputs.
enum InputPlace: CaseIterable {
  /// In the graph's inputs, which a run keeps.
  case inputs
  /// In results of other operations, which it may overwrite.
  case intermediates
}

/// How a graph is finished and run.
struct RunOptions {
  var backend = fov_backend.reference
  var threads = 1
  var instructionSet = fov_instruction_set.automatic
  /// Folds and fuses; otherwise every operation that was added runs.
  var folds = false
  /// How many operations must be left.
  var expectedNodes: Int?
  /// Runs what a compiled file holds of the model.
  var isCompiled = false
}

/// What adds the operation: the graph, its inputs, and places for the result and the message.
typealias AddOperation = (
  OpaquePointer, [fov_value], UnsafeMutablePointer<fov_value>, UnsafeMutablePointer<fov_diagnostic>
) -> fov_status

enum GraphRunner {
  /// Runs one operation on arrays of floats.
  static func run(
    _ inputs: [DenseArray], from place: InputPlace = .inputs, options: RunOptions = RunOptions(),
    add: AddOperation
  ) throws -> DenseArray {
    let ports = inputs.map { input in
      (
        type: fov_data_type.float32, shape: input.shape,
        bytes: input.values.withUnsafeBytes { [UInt8]($0) }
      )
    }
    return try run(ports, from: place, options: options, add: add)
  }

  /// The status with which an operation on inputs of these shapes is refused, or ok.
  static func status(shapes: [[Int]], add: AddOperation) throws -> fov_status {
    try refusal(shapes: shapes, add: add)?.status ?? .ok
  }

  /// The refusal of an operation on inputs of these shapes, or nil.
  static func refusal(shapes: [[Int]], add: AddOperation) throws -> CoreFailure? {
    do {
      let graph = try makeGraph()
      defer { fov_graph_destroy(graph) }
      let values = try shapes.enumerated().map {
        try addInput(
          graph, name: "input \($0.offset)", type: fov_data_type.float32, shape: $0.element)
      }
      _ = try addedValue { add(graph, values, $0, $1) }
      return nil
    } catch let failure as CoreFailure {
      #expect(!failure.message.isEmpty, "a refusal without a reason")
      return failure
    }
  }

  // MARK: - Steps

  private typealias Port = (type: fov_data_type, shape: [Int], bytes: [UInt8])

  private static func run(
    _ ports: [Port], from place: InputPlace, options: RunOptions, add: AddOperation
  ) throws -> DenseArray {
    var (model, shape) = try makeModel(ports, from: place, options: options, add: add)
    defer { fov_model_destroy(model) }
    let file = options.isCompiled ? try CompiledBytes(of: model) : nil
    defer { withExtendedLifetime(file) {} }
    if let file {
      let loaded = try file.load(modelOptions(options))
      fov_model_destroy(model)
      model = loaded
    }
    if let expected = options.expectedNodes {
      #expect(fov_model_node_count(model) == expected, "operations that are left")
    }
    return try runSession(model, ports: ports, shape: shape, threads: options.threads)
  }

  private static func makeModel(
    _ ports: [Port], from place: InputPlace, options: RunOptions = RunOptions(), add: AddOperation
  ) throws -> (OpaquePointer, fov_shape) {
    let graph = try makeGraph()
    var shape = fov_shape()
    do {
      var values: [fov_value] = []
      for (i, port) in ports.enumerated() {
        var value = try addInput(graph, name: "input \(i)", type: port.type, shape: port.shape)
        if place == .intermediates { value = try addCopy(graph, of: value, rank: port.shape.count) }
        values.append(value)
      }
      let result = try addedValue { add(graph, values, $0, $1) }
      try check { fov_graph_mark_output(graph, result, "result", $0) }
      try check { _ in fov_graph_value_shape(graph, result, &shape) }
    } catch {
      fov_graph_destroy(graph)
      throw error
    }
    var modelOptions = modelOptions(options)
    var model: OpaquePointer?
    try check { fov_model_create(graph, &modelOptions, &model, $0) }
    return (model!, shape)
  }

  private static func modelOptions(_ options: RunOptions) -> fov_model_options {
    var modelOptions = fov_model_options_default()
    modelOptions.backend = options.backend
    modelOptions.thread_count = options.threads
    modelOptions.instruction_set = options.instructionSet
    // Packed backends always fold.
    let packs = options.backend == .float32 || options.backend == .int8
    modelOptions.keep_all_nodes = !options.folds && !packs
    return modelOptions
  }

  private static func runSession(
    _ model: OpaquePointer, ports: [Port], shape: fov_shape, threads: Int
  ) throws -> DenseArray {
    let session = try SessionUnderTest(of: model, threads: threads)
    for (i, port) in ports.enumerated() {
      try port.bytes.withUnsafeBytes { try session.write($0, to: i) }
    }
    session.run()
    return DenseArray(shape.sizes, try session.output(fov_model_output_count(model) - 1))
  }

  private static func makeGraph() throws -> OpaquePointer {
    var graph: OpaquePointer?
    try check { _ in fov_graph_create(&graph) }
    return graph!
  }

  private static func addInput(
    _ graph: OpaquePointer, name: String, type: fov_data_type, shape: [Int]
  ) throws -> fov_value {
    var sizes = fov_shape(sizes: shape)
    return try addedValue { fov_graph_add_input(graph, name, type, &sizes, $0, $1) }
  }

  /// A transposition that leaves every dimension where it is: it copies, bit for bit.
  private static func addCopy(
    _ graph: OpaquePointer, of value: fov_value, rank: Int
  ) throws -> fov_value {
    try addedValue { fov_graph_add_transpose(graph, Array(0..<rank), value, $0, $1) }
  }
}

extension fov_shape {
  init(sizes: [Int]) {
    self.init()
    rank = sizes.count
    withUnsafeMutableBytes(of: &dims) { buffer in
      let dims = buffer.bindMemory(to: Int.self)
      for (i, size) in sizes.prefix(dims.count).enumerated() { dims[i] = size }
    }
  }

  var sizes: [Int] {
    withUnsafeBytes(of: dims) { [Int]($0.bindMemory(to: Int.self).prefix(rank)) }
  }
}

/// Expects equal shapes, and elements within absolute + relative * |expected|; NaN and infinities
/// must match exactly. Reports the first difference.
func expectClose(
  _ actual: DenseArray, _ expected: DenseArray, relative: Float = 0, absolute: Float = 0,
  _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  guard actual.shape == expected.shape else {
    #expect(actual.shape == expected.shape, comment(), sourceLocation: sourceLocation)
    return
  }
  for (i, (a, e)) in zip(actual.values, expected.values).enumerated() {
    let same = a == e || (a.isNaN && e.isNaN)
    guard !same, !(abs(a - e) <= absolute + relative * abs(e)) || !e.isFinite else { continue }
    Issue.record(
      "element \(i) of \(actual.shape) is \(a), expected \(e); \(comment()?.rawValue ?? "")",
      sourceLocation: sourceLocation)
    return
  }
}
