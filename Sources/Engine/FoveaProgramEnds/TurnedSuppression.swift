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
    let before = graph.nodes.filter { $0.results.contains(where: ancestors.contains) }
    // The scores of all classes, of which the greatest is taken.
    guard let greatest = before.first(where: { $0.role == .greatest }),
      case .value(let scores)? = greatest.inputs.first, let rows = trace.whole(scores),
      !graph.isOpen(rows)
    else { return nil }
    // Boxes come first in a row, and the angle last.
    let parts = before.filter { $0.role == .part && $0.reads([rows]) }.flatMap(\.results)
    guard parts.count == 3, parts[1] == scores, parts.allSatisfy(ancestors.contains),
      let iouThreshold = bound(of: Set(triangle.results)),
      let confidence = bound(of: graph.moved(from: greatest.results))
    else { return nil }
    var found = InnerSuppression(boxes: parts[0], scores: scores, kind: triangle.operation.kind)
    (found.hasCorners, found.isTurned, found.rows) = (false, true, rows)
    (found.iouThreshold, found.confidenceThreshold) = (iouThreshold, confidence)
    found.isClassAgnostic = !before.contains {
      $0.role == .add && $0.inputs.contains(where: graph.isOfClasses)
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

  /// The number that some values are compared with.
  private func bound(of names: Set<String>) -> Double? {
    graph.nodes.first { $0.role == .compare && $0.inputs.count == 2 && $0.reads(names) }
      .flatMap { graph.number($0.inputs[1]) }
  }

  /// The greatest number of rows that stay; `nil` where all may.
  private func mostKept() -> Double? {
    guard let places = graph.nodes.filter({ $0.role == .places }).last else { return nil }
    let kept = graph.moved(from: places.results)
    // The numbers of the rows are picked by those places, and cut to the greatest count.
    return graph.nodes.first { node in
      guard node.role == .pick, node.inputs.count == 2, case .value(let which) = node.inputs[1]
      else { return false }
      return kept.contains(which)
    }.flatMap { graph.end(behind: $0) } ?? graph.end(behind: places)
  }
}
