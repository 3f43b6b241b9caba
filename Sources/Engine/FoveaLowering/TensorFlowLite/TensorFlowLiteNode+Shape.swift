// Fovea - operations of TensorFlow Lite that change shapes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Elements stay what they are; their order may change.
  static let shapeRules: [String: TensorFlowLiteRule] = [
    "RESHAPE": { node throws(FoveaError) in try node.reshape() },
    "SQUEEZE": { node throws(FoveaError) in try node.squeeze() },
    "EXPAND_DIMS": { node throws(FoveaError) in
      let shape = try node.shape(0)
      let axis = try node.operation.axis(node.integer(1), ofRank: shape.count + 1)
      try node.reshape(to: Array(shape[..<axis]) + [1] + shape[axis...])
    },
    "TRANSPOSE": { node throws(FoveaError) in try node.transpose() },
    "DEPTH_TO_SPACE": { node throws(FoveaError) in
      try node.blocks("depth_to_space")
    },
    "SPACE_TO_DEPTH": { node throws(FoveaError) in
      try node.blocks("space_to_depth")
    },
    "SPACE_TO_BATCH_ND": { node throws(FoveaError) in try node.spaceToBatch() },
    "BATCH_TO_SPACE_ND": { node throws(FoveaError) in try node.batchToSpace() },
    "TILE": { node throws(FoveaError) in
      let form = try node.form(0)
      let times = try node.integers(1)
      guard times.count == (try node.shape(0).count) else {
        throw node.operation.mismatch("\(times) repetitions of shape \(try node.shape(0))")
      }
      let arguments: [String: [TensorProgram.Argument]] = [
        "x": [try node.argument(0, as: form)],
        "reps": [.integers(Self.ordered(times, in: form))],
      ]
      try node.give([Step("tile", arguments)], in: form, isMoved: true)
    },
    "BROADCAST_TO": { node throws(FoveaError) in try node.broadcast() },
    "REVERSE_V2": { node throws(FoveaError) in
      let form = try node.form(0)
      let rank = try node.shape(0).count
      var axes: [Int] = []
      for axis in try node.integers(1) {
        axes.append(Self.axis(try node.operation.axis(axis, ofRank: rank), in: form))
      }
      let arguments: [String: [TensorProgram.Argument]] = [
        "x": [try node.argument(0, as: form)], "axes": [.integers(axes)],
      ]
      try node.give([Step("reverse", arguments)], in: form, isMoved: true)
    },
  ]

  // MARK: Shapes

  /// The shape is an input, or an option of old files. One size may be -1, for what is left.
  private func reshape() throws(FoveaError) {
    let wanted =
      try operation.has(1) ? integers(1) : operation.integers("new_shape") ?? []
    let count = try shape(0).reduce(1, *)
    let known = wanted.filter { $0 != -1 }
    let free = wanted.count - known.count
    guard known.allSatisfy({ $0 >= 0 }), free <= 1 else {
      throw operation.mismatch("the shape \(wanted)")
    }
    var product = 1
    for size in known {
      let (next, overflow) = product.multipliedReportingOverflow(by: size)
      guard !overflow else { throw operation.mismatch("the shape \(wanted)") }
      product = next
    }
    guard free == 0 ? product == count : product > 0 && count % product == 0 else {
      throw operation.mismatch("\(count) elements cannot have the shape \(wanted)")
    }
    try reshape(to: wanted.map { $0 == -1 ? count / product : $0 })
  }

  private func squeeze() throws(FoveaError) {
    let shape = try shape(0)
    var axes: [Int] = []
    for axis in try operation.integers("squeeze_dims") ?? [] {
      axes.append(try operation.axis(axis, ofRank: shape.count))
    }
    if axes.isEmpty { axes = shape.indices.filter { shape[$0] == 1 } }
    guard axes.allSatisfy({ shape[$0] == 1 }) else {
      throw operation.mismatch("axes \(axes) of shape \(shape) are not all of size 1")
    }
    try reshape(to: shape.indices.filter { !axes.contains($0) }.map { shape[$0] })
  }

  /// The input 0 under another shape. Images without a neighbor of each channel stay planes.
  func reshape(to shape: [Int]) throws(FoveaError) {
    let given = try self.shape(0)
    if given == shape { return try hand(argument(0, as: form(0)), in: form(0)) }
    if try endsShuffle(shape) { return }
    let arguments: [String: [TensorProgram.Argument]] = [
      "x": [try argument(0, as: .file)], "shape": [.integers(shape)],
    ]
    try give([Step("reshape", arguments)], in: .file, isMoved: true)
    try noteSplit(shape)
  }

  private func broadcast() throws(FoveaError) {
    let wanted = try integers(1)
    let given = try shape(0)
    guard wanted.count >= given.count else {
      throw operation.mismatch("shape \(given) cannot become \(wanted)")
    }
    let sizes = Array(repeating: 1, count: wanted.count - given.count) + given
    guard zip(sizes, wanted).allSatisfy({ $0 == $1 || ($0 == 1 && $1 >= 1) }) else {
      throw operation.mismatch("shape \(given) cannot become \(wanted)")
    }
    let times = zip(sizes, wanted).map { $0 == $1 ? 1 : $1 }
    let shaped = Step(
      "reshape", ["x": [try argument(0, as: .file)], "shape": [.integers(sizes)]])
    try give([shaped, Step("tile", ["reps": [.integers(times)]])], in: .file)
  }

  // MARK: Orders

  /// Channels that were last and come first, or the other way, need not move.
  private func transpose() throws(FoveaError) {
    let rank = try shape(0).count
    var axes: [Int] = []
    for axis in try integers(1) { axes.append(try operation.axis(axis, ofRank: rank)) }
    guard Set(axes).count == rank, axes.count == rank else {
      throw operation.mismatch("the order \(axes) of \(rank) dimensions")
    }
    let form = try form(0)
    let x = try argument(0, as: form)
    // Where an axis of the file's order lies in what is at hand.
    let places = axes.map { Self.axis($0, in: form) }
    if places == Array(0..<rank) {
      try hand(x, in: .file)
      return try noteTurned(channelsFirst: true)
    }
    if rank == 4, Self.ordered(places, in: .planes) == [0, 1, 2, 3] {
      return try hand(x, in: .planes)
    }
    try give(
      [Step("transpose", ["x": [x], "perm": [.integers(places)]])], in: .file, isMoved: true)
    try noteSwapped(axes)
  }

  private func blocks(_ kind: String) throws(FoveaError) {
    _ = try imageSizes(0)
    let arguments: [String: [TensorProgram.Argument]] = [
      "x": [try argument(0, as: .planes)],
      "block_size": [.integer(try operation.integer("block_size", default: 0))],
    ]
    try give([Step(kind, arguments)], in: .planes, isMoved: true)
  }

  // MARK: Blocks as images

  /// The blocks of rows and columns, and what is added or cut off, both as the file gives them.
  private func blockSizes() throws(FoveaError) -> (sizes: [Int], borders: [Int]) {
    let (sizes, borders) = (try integers(1), try integers(2))
    guard sizes.count == 2, borders.count == 4, try shape(0).count == 4,
      sizes.allSatisfy({ (1...4096).contains($0) }),
      borders.allSatisfy({ (0...1 << 20).contains($0) })
    else { throw operation.unsupported("blocks of \(sizes); those of rows and columns can be run") }
    return (sizes, borders)
  }

  /// Each place of a block becomes an image of its own.
  private func spaceToBatch() throws(FoveaError) {
    let (blocks, borders) = try blockSizes()
    let shape = try shape(0)
    let rows = shape[1] + borders[0] + borders[1]
    let columns = shape[2] + borders[2] + borders[3]
    guard rows % blocks[0] == 0, columns % blocks[1] == 0 else {
      throw operation.mismatch("blocks of \(blocks) of \(rows)x\(columns)")
    }
    let padded = Step(
      "pad",
      [
        "x": [try argument(0, as: .file)], "pad": [.integers([0, 0] + borders + [0, 0])],
        "mode": [.string("constant")], "constant_val": [.float(0)],
      ])
    let cut = [
      shape[0], rows / blocks[0], blocks[0], columns / blocks[1], blocks[1], shape[3],
    ]
    let images = [
      shape[0] * blocks[0] * blocks[1], rows / blocks[0], columns / blocks[1], shape[3],
    ]
    try give(
      [
        padded, Step("reshape", ["shape": [.integers(cut)]]),
        Step("transpose", ["perm": [.integers([2, 4, 0, 1, 3, 5])]]),
        Step("reshape", ["shape": [.integers(images)]]),
      ], in: .file)
  }

  /// The other way; rows and columns at the ends are cut off.
  private func batchToSpace() throws(FoveaError) {
    let (blocks, crops) = try blockSizes()
    let shape = try shape(0)
    let area = blocks[0] * blocks[1]
    let (rows, columns) = (shape[1] * blocks[0], shape[2] * blocks[1])
    guard shape[0] % area == 0, crops[0] + crops[1] < rows, crops[2] + crops[3] < columns else {
      throw operation.mismatch("blocks of \(blocks) from shape \(shape), less \(crops)")
    }
    let images = shape[0] / area
    let cut = [blocks[0], blocks[1], images, shape[1], shape[2], shape[3]]
    try give(
      [
        Step("reshape", ["x": [try argument(0, as: .file)], "shape": [.integers(cut)]]),
        Step("transpose", ["perm": [.integers([2, 3, 0, 4, 1, 5])]]),
        Step("reshape", ["shape": [.integers([images, rows, columns, shape[3]])]]),
        Step(
          "slice_by_index",
          [
            "begin": [.integers([0, crops[0], crops[2], 0])],
            "end": [.integers([images, rows - crops[1], columns - crops[3], shape[3]])],
          ]),
      ], in: .file)
  }
}
