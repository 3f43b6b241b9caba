// Fovea - comparing two models layer by layer.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaInspection
public import FoveaRuntime

/// Compares the outputs of two models, layer by layer. The loss of a layer includes that of earlier
/// layers.
///
/// ```swift
/// let comparison = try LayerComparison(exact, quantized, areOfOneFile: true)
/// for image in images { try comparison.add(["image": image]) }
/// for layer in LayerAgreement.worst(comparison.layers) { print(layer.layer, layer.decibels) }
/// ```
///
/// Backends fuse differently, and only results that both models have are compared. Models of one
/// file are compared value by value. Models of two files are compared where operation, name, fused
/// operations and shape are equal.
public final class LayerComparison {
  private let sessions: [Session]
  private let pairs: [NodePair]
  /// Of each model: the pair that an operation belongs to.
  private let places: [[Int: Int]]
  private var energies: [ErrorEnergy]
  private var exact: [[Float]]

  /// The number of inputs so far.
  public private(set) var inputCount = 0

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - reference: The model that is right.
  ///   - other: The model to compare with it.
  ///   - areOfOneFile: Whether both models were made from one file, with the same stages and sizes.
  ///   - pool: The threads that share the work; `nil` for the calling thread alone.
  /// - Throws: `unsupported` if a model was loaded without `observingNodes()`, or if the models have
  ///   no layer in common.
  public init(
    _ reference: Model, _ other: Model, areOfOneFile: Bool, pool: ThreadPool? = nil
  ) throws(FoveaError) {
    sessions = [
      try Session(model: reference, pool: pool), try Session(model: other, pool: pool),
    ]
    pairs = NodePair.pairs(reference.nodes, other.nodes, byValue: areOfOneFile)
    guard !pairs.isEmpty else {
      throw FoveaError(
        .unsupported, "\(reference.name) and \(other.name) have no layer in common to compare")
    }
    energies = pairs.map { _ in ErrorEnergy() }
    exact = pairs.map { _ in [] }
    places = (0..<2).map { [pairs] side in
      Dictionary(uniqueKeysWithValues: pairs.enumerated().map { ($1.nodes[side], $0) })
    }
  }

  /// Runs both models on the same inputs.
  ///
  /// - Parameter inputs: One array for each input of the models.
  /// - Throws: As `Session.setInput` and `Session.run(showing:to:)`.
  /// - Complexity: Uses memory for the results of all layers at once.
  public func add(_ inputs: [String: Tensor]) throws(FoveaError) {
    for session in sessions {
      for (name, tensor) in inputs { try session.setInput(name, to: tensor) }
    }
    try sessions[0].run(showing: Set(places[0].keys)) { node, elements in
      guard let place = places[0][node] else { return }
      elements.withUnsafeBufferPointer { exact[place] = Array($0) }
    }
    try sessions[1].run(showing: Set(places[1].keys)) { node, elements in
      guard let place = places[1][node] else { return }
      energies[place].add(exact[place], elements)
    }
    inputCount += 1
  }

  /// All layers that both models have, in the order in which the second runs them.
  public var layers: [LayerAgreement] {
    let decibels = energies.map { LayerAgreement.decibels(signal: $0.signal, noise: $0.noise) }
    return zip(pairs, energies).enumerated().map { place, entry in
      let (pair, energy) = entry
      let inputs = pair.readPairs.map { decibels[$0] }.min() ?? .infinity
      let isLossy = !pair.node.weightEncoding.isEmpty || pair.node.outputType == .uint8
      return LayerAgreement(
        layer: pair.node.label, operation: pair.node.operation, activation: pair.node.activation,
        outputShape: pair.node.outputShape, signal: energy.signal, noise: energy.noise,
        loss: isLossy ? max(0, min(inputs, LayerAgreement.ceiling) - decibels[place]) : 0)
    }
  }
}

/// An operation that two models have.
private struct NodePair {
  /// Its index in each model.
  var nodes: [Int]
  /// The second model's.
  var node: Model.Node
  /// The pairs whose results it reads in the second model, through whatever cannot be compared.
  var readPairs: Set<Int> = []

  /// Pairs in the order of the second model.
  static func pairs(
    _ first: [Model.Node], _ second: [Model.Node], byValue: Bool
  ) -> [NodePair] {
    var places: [Key: Int] = [:]
    for (index, key) in Key.keys(first, byValue: byValue).enumerated() {
      if let key { places[key] = index }
    }
    var pairs: [NodePair] = []
    // Of each operation of the second model: the pairs that its result comes from.
    var sources: [Set<Int>] = []
    for (index, key) in Key.keys(second, byValue: byValue).enumerated() {
      let read = second[index].writers.reduce(into: Set<Int>()) { $0.formUnion(sources[$1]) }
      guard let key, let partner = places[key] else {
        sources.append(read)
        continue
      }
      sources.append([pairs.count])
      pairs.append(NodePair(nodes: [partner, index], node: second[index], readPairs: read))
    }
    return pairs
  }

  /// What makes operations of two models the same.
  private struct Key: Hashable {
    var value: Int?
    var names: [String] = []
    var shape: [Int]
    /// How many before it have the same names and shape.
    var occurrence = 0

    /// `nil` for operations that only change the form of a value.
    static func keys(_ nodes: [Model.Node], byValue: Bool) -> [Key?] {
      var seen: [Key: Int] = [:]
      return nodes.map { node in
        guard let value = node.value else { return nil }
        guard !byValue else { return Key(value: value, shape: node.outputShape) }
        var key = Key(
          names: [node.operation, node.label, node.activation], shape: node.outputShape)
        let before = seen[key, default: 0]
        seen[key] = before + 1
        key.occurrence = before
        return key
      }
    }
  }
}
