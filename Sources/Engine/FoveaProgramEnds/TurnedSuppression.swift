// Fovea - suppression of turned boxes inside a program, written out in small operations.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Finds what lies in front of a suppression that compares all pairs of turned boxes.
///
/// No operation suppresses turned boxes, so that exporters write one out:
///
///     rows [1, N, 4 + C + 1] -+- boxes ---- [picked] - [moved apart] -+- overlaps - triangle > number
///                             +- scores --- greatest, class ----------+
///                             '- angle ---- [picked] -----------------'
///
/// Rows that no better one overlaps too much are those that stay.
struct TurnedSuppression {
  private let triangle: SuppressionGraph.Node
  private let trace: SuppressionTrace
  private var graph: SuppressionGraph { trace.graph }

  init(_ triangle: SuppressionGraph.Node, _ trace: SuppressionTrace) {
    (self.triangle, self.trace) = (triangle, trace)
  }

  /// What was found; `nil` for a matrix of something else.
  var found: InnerSuppression? {
    let ancestors = ancestors(of: triangle)
    // The scores of all classes, of which the greatest is taken.
    let greatest = graph.operations.lazy.compactMap(graph.node).first {
      $0.role == .greatest && $0.operation.results.contains { ancestors.contains($0.name) }
    }
    guard let greatest, case .value(let scores)? = greatest.inputs.first,
      let rows = trace.whole(scores), !graph.isOpen(rows)
    else { return nil }
    // Boxes come first in a row, and the angle last.
    let parts = graph.operations.filter { operation in
      guard let node = graph.node(operation), node.role == .part,
        case .value(rows)? = node.inputs.first
      else { return false }
      return operation.results.contains { ancestors.contains($0.name) }
    }.flatMap(\.results).map(\.name)
    guard parts.count == 3, parts[1] == scores, parts.allSatisfy(ancestors.contains) else {
      return nil
    }
    let overlaps = Set(triangle.operation.results.map(\.name))
    let best = moved(from: Set(greatest.operation.results.map(\.name)))
    guard let iouThreshold = bound(of: overlaps), let confidence = bound(of: best) else {
      return nil
    }
    var found = InnerSuppression(boxes: parts[0], scores: scores, kind: triangle.operation.kind)
    (found.hasCorners, found.isTurned, found.rows) = (false, true, rows)
    (found.iouThreshold, found.confidenceThreshold) = (iouThreshold, confidence)
    found.isClassAgnostic = !graph.operations.lazy.compactMap(graph.node).contains { node in
      node.role == .add && node.inputs.contains(where: graph.isOfClasses)
        && node.operation.results.contains { ancestors.contains($0.name) }
    }
    found.maximumCount = mostKept()
    return found
  }

  /// Everything that a value is computed from.
  private func ancestors(of node: SuppressionGraph.Node) -> Set<String> {
    var seen: Set<String> = []
    var waiting = [node]
    while let node = waiting.popLast() {
      for case .value(let name) in node.operation.arguments.values.joined()
      where seen.insert(name).inserted {
        if let source = graph.node(name) { waiting.append(source) }
      }
    }
    return seen
  }

  /// Values, and the same numbers in another shape or order.
  private func moved(from names: Set<String>) -> Set<String> {
    var names = names
    for node in graph.operations.lazy.compactMap(graph.node)
    where node.role == .move || node.role == .pick {
      if case .value(let name)? = node.inputs.first, names.contains(name) {
        names.formUnion(node.operation.results.map(\.name))
      }
    }
    return names
  }

  /// The number that some values are compared with.
  private func bound(of names: Set<String>) -> Double? {
    graph.operations.lazy.compactMap(graph.node).first { node in
      guard node.role == .compare, node.inputs.count == 2, case .value(let name) = node.inputs[0]
      else { return false }
      return names.contains(name)
    }.flatMap { graph.number($0.inputs[1]) }
  }

  /// The greatest number of rows that stay; `nil` where all may.
  private func mostKept() -> Double? {
    let places = graph.operations.lazy.compactMap(graph.node).last { $0.role == .places }
    guard let places else { return nil }
    let kept = moved(from: Set(places.operation.results.map(\.name)))
    // The numbers of the rows are picked by those places, and cut to the greatest count.
    return graph.operations.lazy.compactMap(graph.node).first { node in
      guard node.role == .pick, node.inputs.count == 2, case .value(let which) = node.inputs[1]
      else { return false }
      return kept.contains(which)
    }.flatMap { graph.end(behind: $0) } ?? graph.end(behind: places)
  }
}
