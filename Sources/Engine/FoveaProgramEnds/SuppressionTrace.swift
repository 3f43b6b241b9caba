// Fovea - the way of boxes and scores to a suppression, followed back.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Follows boxes and scores back from a suppression.
struct SuppressionTrace {
  /// Where boxes or scores come from.
  struct Source {
    /// The value in front of the suppression.
    var name: String
    /// What rows were picked by, last first.
    var masks: [String]
    /// Whether scores are the greatest of each row of the source.
    var isReduced = false
    /// Whether boxes of different classes were moved apart.
    var hasOffset = false
    /// Whether corners became centers and sizes.
    var isTurnedToCenters = false
  }

  let graph: SuppressionGraph
  private let mostSteps: Int

  init(_ graph: SuppressionGraph, _ mostSteps: Int) {
    (self.graph, self.mostSteps) = (graph, mostSteps)
  }

  /// The scores of all classes, or the value that the suppression reads if it is given those.
  func scores(_ argument: TensorProgram.Argument) -> Source? {
    guard case .value(var name) = argument else { return nil }
    var masks: [String] = []
    var first: Source?
    for _ in 0..<mostSteps {
      if first == nil, !graph.isOpen(name) { first = Source(name: name, masks: masks) }
      guard let node = graph.node(name), case .value(let before)? = node.inputs.first else {
        return first
      }
      switch node.role {
      case .greatest: return Source(name: before, masks: masks, isReduced: true)
      case .move: break
      case .scale where node.inputs.count == 2 && graph.isFlag(node.inputs[1]): break
      case .pick:
        guard let mask = mask(node) else { return first }
        if !mask.isEmpty { masks.append(mask) }
      default: return first
      }
      name = before
    }
    return nil
  }

  /// The boxes of all rows, in one place for all classes.
  func boxes(_ argument: TensorProgram.Argument) -> Source? {
    guard case .value(let first) = argument else { return nil }
    var source = Source(name: first, masks: [])
    for _ in 0..<mostSteps {
      if let corners = corners(source.name) {
        (source.name, source.isTurnedToCenters) = (corners, true)
      } else if let before = withoutOffset(source.name) {
        (source.name, source.hasOffset) = (before, true)
      } else if graph.isOpen(source.name) {
        guard let node = graph.node(source.name), let before = scaled(node) else { return nil }
        if node.role == .pick {
          guard let mask = mask(node) else { return nil }
          if !mask.isEmpty { source.masks.append(mask) }
        }
        source.name = before
      } else {
        return source
      }
    }
    return nil
  }

  /// The least score that a mask lets through.
  func threshold(_ mask: String) -> Double? {
    guard let node = graph.node(mask), node.inputs.count == 2 else { return nil }
    switch node.role {
    case .compare: return graph.number(node.inputs[1])
    // Some exporters let the best box through in any case.
    case .either:
      for case .value(let part) in node.inputs {
        if let number = threshold(part) { return number }
      }
      return nil
    default: return nil
    }
  }

  /// Corners, of which centers and sizes were made column by column.
  private func corners(_ name: String) -> String? {
    guard let joined = graph.node(unmoved(name)), joined.role == .join, joined.inputs.count == 4
    else { return nil }
    var found: String?
    for (index, argument) in joined.inputs.enumerated() {
      guard case .value(let part) = argument, let node = graph.node(part),
        node.role == (index < 2 ? .add : .subtract)
      else { return nil }
      for case .value(let operand) in node.inputs {
        var name = operand
        if let node = graph.node(name), node.role == .scale || node.role == .subtract,
          case .value(let before)? = node.inputs.first
        {
          name = before
          if let node = graph.node(name), node.role == .subtract,
            case .value(let first)? = node.inputs.first
          {
            name = first
          }
        }
        guard let whole = whole(name), found == nil || found == whole else { return nil }
        found = whole
      }
    }
    return found
  }

  /// What a value was before it was moved.
  private func unmoved(_ name: String) -> String {
    var name = name
    for _ in 0..<mostSteps {
      guard let node = graph.node(name), node.role == .move,
        case .value(let before)? = node.inputs.first
      else { break }
      name = before
    }
    return name
  }

  /// What rows are picked by: a mask, or nothing where one picture of one is picked; `nil` for
  /// anything else.
  private func mask(_ node: SuppressionGraph.Node) -> String? {
    guard node.inputs.count == 2 else { return nil }
    if graph.number(node.inputs[1]) == 0 { return "" }
    guard case .value(var name) = node.inputs[1] else { return nil }
    for _ in 0..<mostSteps {
      guard let source = graph.node(name), case .value(let before)? = source.inputs.first,
        source.role == .move || source.role == .places
      else { return nil }
      if source.role == .places { return before }
      name = before
    }
    return nil
  }

  /// What a value was before it was moved, picked or multiplied by one number.
  private func scaled(_ node: SuppressionGraph.Node) -> String? {
    guard case .value(let before)? = node.inputs.first else { return nil }
    switch node.role {
    // A part that is no box ends where its shape is looked at.
    case .move, .pick, .part: return before
    case .scale:
      // The size of the picture is no single constant before it is computed.
      guard case .value(let factor)? = node.inputs.last else { return before }
      return graph.isOpen(factor) ? nil : before
    default: return nil
    }
  }

  /// Boxes before a number for each class was added; `nil` where none was.
  private func withoutOffset(_ name: String) -> String? {
    var name = name
    for _ in 0..<mostSteps {
      guard let node = graph.node(name), let first = node.inputs.first else { return nil }
      switch node.role {
      case .add: return base(node)
      case .join:
        // Corners are moved, and what follows them is not.
        var found: String?
        var isMoved = false
        for case .value(let part) in node.inputs {
          guard let source = graph.node(part) else { return nil }
          let moved = source.role == .add ? base(source) : nil
          isMoved = isMoved || moved != nil
          guard let whole = whole(moved ?? part), found == nil || found == whole else { return nil }
          found = whole
        }
        return isMoved ? found : nil
      case .move:
        guard case .value(let before) = first else { return nil }
        name = before
      default: return nil
      }
    }
    return nil
  }

  /// The other one beside numbers of classes in a sum.
  private func base(_ node: SuppressionGraph.Node) -> String? {
    guard node.inputs.count == 2 else { return nil }
    for (boxes, offset) in [(0, 1), (1, 0)] where graph.isOfClasses(node.inputs[offset]) {
      if case .value(let name) = node.inputs[boxes], !graph.isOfClasses(node.inputs[boxes]) {
        return name
      }
    }
    return nil
  }

  /// What a part was cut from.
  func whole(_ name: String) -> String? {
    guard let node = graph.node(unmoved(name)), node.role == .part,
      case .value(let before)? = node.inputs.first
    else { return nil }
    return before
  }
}
