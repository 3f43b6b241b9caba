// Fovea - operations of ONNX that write elements at indices.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// Elements replaced by others.
  static let onnxScatteringRules: [String: ONNXRule] = [
    "ScatterND": { node throws(FoveaError) in try node.scatterND() },
    "ScatterElements": { node throws(FoveaError) in try node.scatterElements() },
    "Scatter": { node throws(FoveaError) in try node.scatterElements() },
  ]

  private func knownIndices() throws(FoveaError) -> ConstantValue {
    guard let indices = try knownConstant(1) else {
      throw unsupported(
        "where elements are replaced depends on what the model is given; it has to be known when"
          + " the model is loaded")
    }
    return indices
  }

  /// The last dimension of the indices are places in the first dimensions of the input.
  private func scatterND() throws(FoveaError) {
    let shape = try shape(0)
    let indices = try knownIndices()
    guard let depth = indices.shape.last, depth >= 1, depth <= shape.count else {
      throw mismatch("indices of shape \(indices.shape) for an input of shape \(shape)")
    }
    let inner = shape[depth...].reduce(1, *)
    let updates = indices.shape.dropLast() + shape[depth...]
    guard try self.shape(2) == Array(updates) else {
      throw mismatch("updates of shape \(try self.shape(2)); \(Array(updates)) were expected")
    }
    try checkCount(max(updates.reduce(1, *), indices.count))
    let numbers = try indices.integers()
    var targets: [Int] = []
    for row in 0..<(numbers.count / depth) {
      var place = 0
      for axis in 0..<depth {
        place = try place * shape[axis] + index(numbers[row * depth + axis], of: shape[axis])
      }
      targets += (0..<inner).map { place * inner + $0 }
    }
    try scatter(to: targets)
  }

  /// Indices have the shape of the updates, and are places along one axis.
  private func scatterElements() throws(FoveaError) {
    let shape = try shape(0)
    let indices = try knownIndices()
    let axis = try axis(integer("axis", default: 0), ofRank: shape.count)
    guard indices.shape.count == shape.count, indices.shape == (try self.shape(2)),
      shape.indices.allSatisfy({ $0 == axis || indices.shape[$0] <= shape[$0] })
    else { throw mismatch("indices of shape \(indices.shape) for an input of shape \(shape)") }
    try checkCount(indices.count)
    var targets: [Int] = []
    for (number, stated) in try indices.integers().enumerated() {
      var (rest, place, stride) = (number, 0, 1)
      for dimension in shape.indices.reversed() {
        let here =
          try dimension == axis
          ? index(stated, of: shape[axis]) : rest % indices.shape[dimension]
        rest /= indices.shape[dimension]
        place += here * stride
        stride *= shape[dimension]
      }
      targets.append(place)
    }
    try scatter(to: targets)
  }

  private func index(_ index: Int, of size: Int) throws(FoveaError) -> Int {
    guard index >= -size, index < size else {
      throw mismatch("index \(index) of \(size) elements")
    }
    return index < 0 ? index + size : index
  }

  private func checkCount(_ count: Int) throws(FoveaError) {
    guard count <= 1 << 22 else { throw unsupported("\(count) elements are replaced") }
    // Each of them is looked at several times.
    try spend(4 * count)
  }

  /// Replaces the elements at the targets, or adds to them and the like.
  ///
  /// The core has no such operation. The elements and the updates in one row, of which every place
  /// picks one: that is the same, because the places are known. Updates that meet at one place take
  /// turns.
  private func scatter(to targets: [Int]) throws(FoveaError) {
    let shape = try shape(0)
    let count = shape.reduce(1, *)
    try checkCount(count)
    let data = try step("reshape", ["x": input(0), "shape": .integers([count])])
    let updates = try step("reshape", ["x": input(2), "shape": .integers([targets.count])])
    let kind = try choice(
      "reduction", default: "none",
      ["none": "", "add": "add", "mul": "mul", "max": "maximum", "min": "minimum"])
    var turns: [[Int: Int]] = []
    var met: [Int: Int] = [:]
    for (number, target) in targets.enumerated() {
      let turn = kind.isEmpty ? 0 : met[target, default: 0]
      met[target] = turn + 1
      guard turn < 64 else { throw unsupported("more than 64 updates meet at one element") }
      if turn == turns.count { turns.append([:]) }
      turns[turn][target] = number
    }
    var value = data
    for turn in turns {
      try spend(2 * count)
      if kind.isEmpty {
        let picks = (0..<count).map { turn[$0].map { count + $0 } ?? $0 }
        value = try picked(picks, of: [data, updates])
      } else {
        let neutral: Float =
          switch kind {
          case "add": 0
          case "mul": 1
          case "maximum": -.infinity
          default: .infinity
          }
        let picks = (0..<count).map { turn[$0] ?? targets.count }
        let changes = try picked(picks, of: [updates, .floats([neutral], shape: [1])])
        value = try step(kind, ["x": value, "y": changes])
      }
    }
    try give("reshape", ["x": value, "shape": .integers(shape)])
  }

  private func picked(
    _ picks: [Int], of values: [TensorProgram.Argument]
  ) throws(FoveaError) -> TensorProgram.Argument {
    let name = program.name(result, "concat")
    try program.write("concat", ["values": values, "axis": [.integer(0)]], to: [name])
    return try step(
      "gather", ["x": .value(name), "indices": .integers(picks), "axis": .integer(0)])
  }
}
