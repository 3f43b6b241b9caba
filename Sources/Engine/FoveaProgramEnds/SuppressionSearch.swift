// Fovea - where the suppression inside a program begins.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Finds the only suppression inside a program, and what lies in front of it.
///
/// Exporters write more than the suppression itself. Followed back are
///
///     scores <- [picked by a mask] <- greatest of each row <- scores of all classes
///     boxes  <- [+ class * number] <- [scaled] <- [picked by the same mask] <- boxes
///     mask   <- greatest of each row > threshold
struct SuppressionSearch {
  private let function: TensorProgram.Function
  private let suppressions: [TensorProgram.Operation]
  /// The most operations that are followed.
  private static let mostSteps = 64

  private let numbers: (TensorConstant) -> [Float]?

  init(_ function: TensorProgram.Function, _ numbers: @escaping (TensorConstant) -> [Float]?) {
    self.function = function
    self.numbers = numbers
    let operations = function.operations.filter {
      [.suppress, .plugin].contains(SuppressionGraph.role($0))
    }
    // Triangles of matrices occur elsewhere, too.
    suppressions =
      operations.isEmpty
      ? function.operations.filter { SuppressionGraph.role($0) == .triangle } : operations
  }

  /// The suppression; `nil` for none, for several, and for one that is built otherwise.
  func find() -> InnerSuppression? {
    guard suppressions.count == 1, let operation = suppressions.first else { return nil }
    let graph = SuppressionGraph(function, numbers)
    guard let node = graph.node(operation) else { return nil }
    // That of ML Programs has a fixed size, unless boxes are picked before.
    if operation.kind == "non_maximum_suppression",
      !operation.results.contains(where: { graph.isOpen($0.name) })
        || !node.inputs.contains(where: { isOpen($0, graph) })
    {
      return nil
    }
    let built: InnerSuppression? =
      switch node.role {
      case .plugin: plugin(node, graph)
      case .triangle: TurnedSuppression(node, SuppressionTrace(graph, Self.mostSteps)).found
      default: suppression(node, SuppressionTrace(graph, Self.mostSteps))
      }
    guard var found = built else { return nil }
    // Constants are no boxes of a picture.
    guard graph.node(found.boxes) != nil, graph.node(found.scores) != nil else { return nil }
    found.others = function.outputs.filter {
      !graph.isOpen($0) && $0 != found.boxes && $0 != found.scores
    }
    return found
  }

  private func isOpen(_ argument: TensorProgram.Argument, _ graph: SuppressionGraph) -> Bool {
    if case .value(let name) = argument { graph.isOpen(name) } else { false }
  }

  // MARK: Plugins

  /// One of TensorRT's: boxes [1, N, 4] or [1, N, 1, 4] and scores [1, N, C].
  private func plugin(
    _ node: SuppressionGraph.Node, _ graph: SuppressionGraph
  ) -> InnerSuppression? {
    guard node.inputs.count == 2, case .value(let boxes) = node.inputs[0],
      case .value(let scores) = node.inputs[1]
    else { return nil }
    func attribute(_ names: String...) -> Double? {
      names.lazy.compactMap { graph.number(node.operation.arguments[$0]?.first) }.first
    }
    var found = InnerSuppression(boxes: boxes, scores: scores, kind: node.operation.kind)
    found.hasCorners = attribute("box_coding") != 1
    found.hasLogits = attribute("score_activation", "scoreActivation") == 1
    found.iouThreshold = attribute("iou_threshold", "iouThreshold")
    found.confidenceThreshold = attribute("score_threshold", "scoreThreshold")
    found.isClassAgnostic = attribute("class_agnostic") == 1
    found.maximumCount = attribute("max_output_boxes", "keepTopK", "keep_topk")
    let background =
      attribute("background_class", "backgroundLabelId", "background_label_id") ?? -1
    if background >= 0 { found.background = Int(exactly: background) }
    return found
  }

  // MARK: Operations

  private func suppression(
    _ node: SuppressionGraph.Node, _ trace: SuppressionTrace
  ) -> InnerSuppression? {
    guard node.inputs.count >= 2, let scores = trace.scores(node.inputs[1]),
      let boxes = trace.boxes(node.inputs[0]),
      boxes.masks == scores.masks, boxes.hasOffset == false || scores.isReduced
    else { return nil }
    let graph = trace.graph
    func parameter(_ name: String, _ index: Int) -> Double? {
      graph.number(node.operation.arguments[name]?.first)
        ?? graph.number(node.operation.arguments["\(index)"]?.first)
    }
    var found = InnerSuppression(
      boxes: boxes.name, scores: scores.name, kind: node.operation.kind)
    // ML Programs suppress centers and sizes.
    let takesCorners =
      node.operation.kind == "NonMaxSuppression" && parameter("center_point_box", -1) != 1
    found.hasCorners = takesCorners != boxes.isTurnedToCenters
    found.iouThreshold = parameter("iou_threshold", 3)
    let least = [parameter("score_threshold", 4)] + scores.masks.map(trace.threshold)
    found.confidenceThreshold = least.compactMap { $0 }.max()
    found.isClassAgnostic = scores.isReduced && !boxes.hasOffset
    // Given all classes, it keeps as many boxes of each.
    let ends = [scores.isReduced ? parameter("max_boxes", 2) : nil, graph.end(behind: node)]
    found.maximumCount = ends.compactMap { $0 }.filter { $0 > 0 }.min()
    found.mayLackClasses = !scores.isReduced && graph.hasArgmax
    found.rows = trace.whole(found.scores).flatMap { graph.isOpen($0) ? nil : $0 }
    return found
  }
}
