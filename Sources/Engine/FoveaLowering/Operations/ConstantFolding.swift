// Fovea - operations on constants, computed when a model is loaded.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

/// Computes operations whose arguments are all known: anchors, grids, arithmetic on shapes.
///
/// An operation has one meaning only: its rule adds it to a small graph of its own, which the
/// reference backend runs once.
struct ConstantFolding {
  /// The most bytes that one such run may take. A larger one is left to every run of the model.
  let maximumBytes: Int

  /// Operations whose work does not follow from the sizes of what they read and write; a few bytes
  /// could make loading take minutes.
  private static let heavyKinds: Set<String> = [
    "conv", "conv_transpose", "avg_pool", "max_pool", "l2_pool", "linear", "matmul",
    "scaled_dot_product_attention", "local_response_norm", "non_maximum_suppression",
  ]

  /// What a graph of its own costs in the budget, so that loading ends soon: 1,000 of them take
  /// 20 ms.
  private static let elementsForEachGraph = 1024

  /// The results of an operation: constants where all of its arguments are.
  func results(
    of lowering: OperationLowering, _ kind: String, _ rule: OperationRule
  ) throws(FoveaError) -> [ProgramValue] {
    let results = try foldedResults(of: lowering, kind, rule)
    for result in results {
      guard let constant = result.constant, case .floats = constant.content else { continue }
      try lowering.graph.budget?.spend(constant.count)
    }
    return results
  }

  private func foldedResults(
    of lowering: OperationLowering, _ kind: String, _ rule: OperationRule
  ) throws(FoveaError) -> [ProgramValue] {
    let isKnown = lowering.arguments.values.joined().allSatisfy { $0.constant != nil }
    guard isKnown, !Self.heavyKinds.contains(kind) else { return try rule(lowering) }
    try lowering.graph.budget?.spend(Self.elementsForEachGraph)
    let graph = try GraphBuilder()
    graph.budget = lowering.graph.budget
    let results = try rule(
      OperationLowering(
        graph: graph, label: lowering.label, arguments: lowering.arguments,
        resultTypes: lowering.resultTypes, operationSet: lowering.operationSet))
    let computed = results.compactMap { result -> (GraphValue, ElementClass)? in
      if case .computed(let value, let elementClass) = result { (value, elementClass) } else { nil }
    }
    if computed.isEmpty { return results }
    guard let arrays = try evaluated(graph, computed.map(\.0)) else { return try rule(lowering) }
    var next = 0
    return results.map { result in
      guard case .computed(let value, let elementClass) = result else { return result }
      defer { next += 1 }
      return .constant(ConstantValue(arrays[next], shape: value.shape, as: elementClass))
    }
  }

  /// The elements of values of a graph of constants; `nil` where they would take too much memory.
  private func evaluated(
    _ graph: GraphBuilder, _ values: [GraphValue]
  ) throws(FoveaError) -> [[Float]]? {
    // A graph has at least one input.
    _ = try graph.input("nothing", type: .float32, shape: [1])
    for (index, value) in values.enumerated() {
      try graph.markOutput(value, name: "\(index)")
    }
    var options = ModelOptions(backend: .reference)
    options.maximumSessionBytes = maximumBytes
    let core = try CoreModel(
      graph, options: options, ranges: nil, usesDynamicRanges: false, threadCount: 1)
    guard Int(clamping: fov_model_memory(core.pointer).session_bytes) <= maximumBytes else {
      return nil
    }
    var session: OpaquePointer?
    try FoveaError.check(
      fov_session_create(core.pointer, nil, &session), "no memory for constants")
    guard let session else { throw FoveaError(.outOfMemory, "no memory for constants") }
    defer { fov_session_destroy(session) }
    fov_session_run(session)
    var arrays: [[Float]] = []
    for index in values.indices {
      var data: UnsafeRawPointer?
      var count = 0
      try FoveaError.check(
        fov_session_output(session, index, &data, &count), "constant \(index)")
      let floats = UnsafeRawBufferPointer(start: data, count: count).bindMemory(to: Float.self)
      arrays.append(Array(floats))
    }
    return arrays
  }
}
