// Fovea - looking at what the operations of a run write.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaRuntime

extension Model.Options {
  /// The same options for a model whose sessions show what operations write, see
  /// `Session.run(showing:to:)`. `int8` keeps the factors of its rescaled channels for it, 4 bytes
  /// each.
  public func observingNodes() -> Self {
    var options = self
    options.observesNodes = true
    return options
  }
}

extension Session {
  /// Runs the model once and shows the results of operations as floats, row-major, of the node's
  /// `outputShape`, whatever their form in memory.
  ///
  /// Codes are converted to their values, and channels that `int8` has rescaled have their own
  /// scale again. Results are copied: the run computes the same bytes as `run()`.
  ///
  /// - Parameters:
  ///   - nodes: The indices of operations in `Model.nodes`.
  ///   - body: Called with an index and the elements, in the order in which operations run.
  /// - Throws: `unsupported` for a model that was loaded without `Model.Options.observingNodes()`.
  public func run(
    showing nodes: Set<Int>, to body: (_ node: Int, _ elements: Span<Float>) -> Void
  ) throws(FoveaError) {
    let counts = model.nodes.map { $0.outputShape.reduce(1, *) }
    let largest = nodes.reduce(0) { counts.indices.contains($1) ? max($0, counts[$1]) : $0 }
    let handle = handle
    let status = withoutActuallyEscaping(body) { body in
      let observer = NodeObserver(
        counts: counts.enumerated().map { nodes.contains($0) ? $1 : nil },
        elements: [Float](repeating: 0, count: largest), body: body)
      return withExtendedLifetime(observer) {
        let status = fov_session_set_observer(
          handle,
          { context, session, node in
            guard let context else { return }
            Unmanaged<NodeObserver>.fromOpaque(context).takeUnretainedValue().look(session, node)
          }, Unmanaged.passUnretained(observer).toOpaque())
        guard status == .ok else { return status }
        fov_session_run(handle)
        return fov_session_set_observer(handle, nil, nil)
      }
    }
    try FoveaError.check(
      status, "\(model.name) was not loaded with Model.Options.observingNodes()")
  }
}

/// Reads operations for a function of Swift.
private final class NodeObserver {
  /// Of each operation: its elements, or `nil` where nobody wants to see them.
  private let counts: [Int?]
  private var elements: [Float]
  private let body: (Int, Span<Float>) -> Void

  init(counts: [Int?], elements: [Float], body: @escaping (Int, Span<Float>) -> Void) {
    self.counts = counts
    self.elements = elements
    self.body = body
  }

  func look(_ session: OpaquePointer, _ node: Int) {
    guard let count = counts[node] else { return }
    elements.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress,
        fov_session_read_node(session, node, start, count) == .ok
      else { return }
      body(node, Span(_unsafeElements: UnsafeBufferPointer(start: start, count: count)))
    }
  }
}
