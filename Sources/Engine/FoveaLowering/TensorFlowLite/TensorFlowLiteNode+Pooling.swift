// Fovea - pooling of TensorFlow Lite, and where windows lie.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension TensorFlowLiteNode {
  /// Pooling, and normalization over neighbors.
  static let poolingRules: [String: TensorFlowLiteRule] = [
    "AVERAGE_POOL_2D": { node throws(FoveaError) in
      // Elements outside do not count; those of a border that the file has written do.
      var arguments = try node.poolArguments(border: nil)
      arguments["exclude_padding_from_average"] = [.boolean(true)]
      try node.give([Step("avg_pool", arguments)], in: .planes)
    },
    "MAX_POOL_2D": { node throws(FoveaError) in
      let arguments = try node.poolArguments(border: -.infinity)
      try node.give([Step("max_pool", arguments)], in: .planes, isMoved: true)
    },
    "L2_POOL_2D": { node throws(FoveaError) in
      var arguments = try node.poolArguments(border: nil)
      let x = arguments["x"] ?? []
      arguments["x"] = [try node.step("mul", ["x": x, "y": x])]
      arguments["exclude_padding_from_average"] = [.boolean(true)]
      try node.give([Step("avg_pool", arguments), Step("sqrt")], in: .planes)
    },
    "LOCAL_RESPONSE_NORMALIZATION": { node throws(FoveaError) in
      let radius = try node.operation.integer("radius", default: 0)
      guard radius >= 0, radius < 1 << 20 else {
        throw node.operation.mismatch("a radius of \(radius)")
      }
      let size = 2 * radius + 1
      // ML Programs divide the factor by the number of neighbors.
      let factor = try node.operation.float("alpha", default: 1) * Float(size)
      let arguments: [String: [TensorProgram.Argument]] = [
        "x": [try node.argument(0, as: .planes)], "size": [.integer(size)],
        "alpha": [.float(factor)],
        "beta": [.float(try node.operation.float("beta", default: 0.5))],
        "k": [.float(try node.operation.float("bias", default: 1))],
      ]
      try node.give([Step("local_response_norm", arguments)], in: .planes)
    },
  ]

  private func poolArguments(border: Float?) throws(FoveaError) -> [String: [TensorProgram
    .Argument]]
  {
    _ = try imageSizes(0)
    var arguments = try windowArguments(0, border: border)
    arguments["kernel_sizes"] = [
      .integers([
        try operation.integer("filter_height", default: 1),
        try operation.integer("filter_width", default: 1),
      ])
    ]
    return arguments
  }

  // MARK: Windows

  /// Input, strides and padding of an operation on windows.
  ///
  /// - Parameter border: The number that the operation takes for elements outside: a border of that
  ///   number that was put around the input becomes its padding. A number that is the least counts as
  ///   minus infinity. `nil` if it takes none.
  func windowArguments(
    _ index: Int, border: Float?
  ) throws(FoveaError) -> [String: [TensorProgram.Argument]] {
    let strides: [TensorProgram.Argument] = [.integers(try strides())]
    if try !isSame(), let border, let around = try value(index).border,
      around.value == border || (border == -.infinity && around.isLeast)
    {
      return [
        "x": [try values.argument(around.tensor, as: .planes)], "strides": strides,
        "pad_type": [.string("custom")], "pad": [.integers(around.amounts)],
      ]
    }
    return [
      "x": [try argument(index, as: .planes)], "strides": strides,
      "pad_type": [.string(try isSame() ? "same" : "valid")],
    ]
  }

  func strides() throws(FoveaError) -> [Int] {
    [
      try operation.integer("stride_h", default: 1), try operation.integer("stride_w", default: 1),
    ]
  }

  /// Whether as much padding is wanted as gives ceil(size / stride) windows, the odd row or column at
  /// the end; else none.
  func isSame() throws(FoveaError) -> Bool {
    let number = try operation.integer("padding", default: 0)
    guard number == 0 || number == 1 else {
      throw operation.mismatch("its padding has the number \(number)")
    }
    return number == 0
  }
}
