// Fovea - the names of layers that int8 computes otherwise.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension Model {
  /// Refuses names that no convolution has. Convolutions keep theirs whatever is folded or fused into them;
  /// other layers may lose theirs.
  ///
  /// - Throws: `invalidArgument`, with the convolution whose name is nearest.
  func checkFloatLayers(_ names: Set<String>) throws(FoveaError) {
    try checkLayers(names, to: "stay in float") { _ in true }
  }

  /// The same for names that no dense convolution has.
  func checkInt16Layers(_ names: Set<String>) throws(FoveaError) {
    guard !names.isEmpty else { return }
    let depthwise = convolutions.lazy.filter(\.isDepthwise).map(\.label)
    if let name = names.intersection(depthwise).min() {
      throw FoveaError(
        .invalidArgument,
        "convolution \"\(name)\" is depthwise, and only dense ones compute in 16 bits; "
          + "keep it in float, which costs a depthwise one little")
    }
    try checkLayers(names, to: "compute in 16 bits") { !$0.isDepthwise }
  }

  private func checkLayers(
    _ names: Set<String>, to aim: String, among isMeant: (Convolution) -> Bool
  ) throws(FoveaError) {
    guard !names.isEmpty else { return }
    let convolutions = Set(convolutions.filter(isMeant).map(\.label))
    guard let stranger = names.subtracting(convolutions).min() else { return }
    let problem =
      specification.stages.contains { $0.model.hasLayer(stranger) }
      ? "layer \"\(stranger)\" does not run as a convolution, and only those can \(aim)"
      : "there is no convolution \"\(stranger)\" to \(aim)"
    let nearest = convolutions.map { (distance: Self.editDistance($0, stranger), name: $0) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    let remedy = nearest.map { "the nearest name is \"\($0.name)\"; Model.nodes has all" }
    throw FoveaError(
      .invalidArgument, "\(problem); \(remedy ?? "the model has no convolutions")")
  }

  /// The fewest bytes to insert, remove or replace that make one name of another (Levenshtein).
  private static func editDistance(_ first: String, _ second: String) -> Int {
    let second = Array(second.utf8)
    var row = Array(0...second.count)
    for (place, byte) in first.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for (index, other) in second.enumerated() {
        let replaced = diagonal + (byte == other ? 0 : 1)
        diagonal = row[index + 1]
        row[index + 1] = min(replaced, diagonal + 1, row[index] + 1)
      }
    }
    return row[second.count]
  }
}

extension Model {
  /// A convolution that runs, of either direction.
  private struct Convolution {
    /// The name of its layer.
    var label: String
    /// Whether it convolves every channel by itself.
    var isDepthwise: Bool
  }

  /// A transposed one with a very large stride always computes in float.
  private static func isConvolution(_ node: fov_node_information) -> Bool {
    let operation = String(cString: node.operation)
    return operation == "convolution"
      || operation == "transposed convolution" && node.channels_last
  }

  /// The convolutions in the order in which they run.
  private var convolutions: [Convolution] {
    (0..<fov_model_node_count(core.pointer)).compactMap { index in
      withUnsafeTemporaryAllocation(of: fov_node_information.self, capacity: 1) { buffer in
        guard let node = buffer.baseAddress, fov_model_node(core.pointer, index, node) == .ok,
          Self.isConvolution(node.pointee)
        else { return nil }
        return Convolution(
          label: String(cString: node.pointee.label), isDepthwise: node.pointee.is_depthwise)
      }
    }
  }
}

extension ModelDescription {
  /// Whether a network of the file itself has a layer of this name.
  fileprivate func hasLayer(_ name: String) -> Bool {
    guard case .neuralNetwork(let network) = body else { return false }
    return network.layers.contains { $0.name == name }
  }
}
