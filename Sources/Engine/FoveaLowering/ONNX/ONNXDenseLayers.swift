// Fovea - dense layers in ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Dense layers, which ONNX writes as a product with turned weights and a sum.
///
///     MatMul(x, W), Add(., b)   ->  linear(x, turned W, b)
///
/// Codes of weights are turned as codes.
struct ONNXDenseLayers {
  /// A sum behind a product that adds a constant.
  private struct Sum {
    var bias: TensorProgram.Argument
    var result: String
  }

  /// The sums by the result of the product.
  private var sums: [String: Sum] = [:]
  /// What the sums give.
  private var doneSums: Set<String> = []
  /// Codes that products alone read, by the result of DequantizeLinear.
  private var turned: Set<String> = []

  init() {}

  /// Finds the layers of a function.
  init(_ function: TensorProgram.Function) {
    var readers: [String: Int] = [:]
    for name in function.outputs { readers[name, default: 0] += 2 }
    var products: [String: Int] = [:]
    var codes: Set<String> = []
    var turnedUses: [String: Int] = [:]
    for (index, operation) in function.operations.enumerated() {
      for case .value(let name) in operation.arguments.values.joined() {
        readers[name, default: 0] += 1
      }
      switch operation.kind {
      case "MatMul":
        products[operation.firstResult] = index
        fallthrough
      case "Gemm":
        if case .value(let name)? = operation.arguments["1"]?.first,
          codes.contains(name), Self.isPlain(operation)
        {
          turnedUses[name, default: 0] += 1
        }
      case "DequantizeLinear": codes.insert(operation.firstResult)
      default: break
      }
    }
    turned = Set(turnedUses.filter { readers[$0.key] == $0.value }.keys)
    for operation in function.operations where operation.kind == "Add" {
      guard let first = operation.arguments["0"]?.first,
        let second = operation.arguments["1"]?.first
      else { continue }
      for (product, bias) in [(first, second), (second, first)] {
        guard case .value(let name) = product, products[name] != nil, readers[name] == 1 else {
          continue
        }
        sums[name] = Sum(bias: bias, result: operation.firstResult)
        break
      }
    }
  }

  /// Whether the second matrix of a product stands as it is multiplied.
  private static func isPlain(_ operation: TensorProgram.Operation) -> Bool {
    guard case .constant(let constant)? = operation.arguments["transB"]?.first else { return true }
    return (try? ConstantValue(constant).integers().first) ?? 1 == 0
  }

  /// Translates an operation that is a part of a dense layer; `false` for another one.
  mutating func translate(_ node: ForeignOperation) throws(FoveaError) -> Bool {
    switch node.kind {
    case "MatMul": return try product(node, bias: sums[node.result])
    case "Gemm": return try generalProduct(node)
    case "Add": return doneSums.contains(node.result)
    case "DequantizeLinear":
      return turned.contains(node.result) ? try node.giveTurnedWeights() : false
    default: return false
    }
  }

  // MARK: Products

  private mutating func product(_ node: ForeignOperation, bias: Sum?) throws(FoveaError) -> Bool {
    guard let weights = try node.turnedWeights(ofInput: 1), try node.shape(0).count >= 1 else {
      return false
    }
    var arguments: [String: TensorProgram.Argument] = ["x": try node.input(0), "weight": weights]
    let outputs = try node.shape(of: weights)[0]
    // The sum may come before its addend is known; then it stays a sum.
    if let bias, case .some(let constant) = try? node.program.value(bias.bias).constant,
      constant.shape == [outputs]
    {
      arguments["bias"] = bias.bias
      doneSums.insert(bias.result)
      try node.program.write("linear", arguments.mapValues { [$0] }, to: [bias.result])
      return true
    }
    try node.give("linear", arguments)
    return true
  }

  private func generalProduct(_ node: ForeignOperation) throws(FoveaError) -> Bool {
    let isTurned = try node.integer("transB", default: 0) != 0
    guard try node.shape(0).count == 2, try node.knownConstant(0) == nil,
      let weights = try isTurned ? node.weights(ofInput: 1) : node.turnedWeights(ofInput: 1)
    else { return false }
    let outputs = try node.shape(of: weights)[0]
    var x = try node.input(0)
    if try node.integer("transA", default: 0) != 0 {
      x = try node.step("transpose", ["x": x, "perm": .integers([1, 0])])
    }
    let alpha = try node.float("alpha", default: 1)
    if alpha != 1 { x = try node.step("mul", ["x": x, "y": .float(alpha)]) }
    var arguments: [String: TensorProgram.Argument] = ["x": x, "weight": weights]
    guard node.has(2) else {
      try node.give("linear", arguments)
      return true
    }
    let addend = try node.scaledAddend()
    if let constant = try node.program.value(addend).constant, constant.count == outputs,
      constant.shape.last == outputs
    {
      arguments["bias"] = addend
      try node.give("linear", arguments)
    } else {
      try node.give("add", ["x": node.step("linear", arguments), "y": addend])
    }
    return true
  }
}

extension ForeignOperation {
  /// What a value is called after it was turned.
  private static let turnedSuffix = ".turned"

  /// A matrix of weights, [outputs, inputs]; `nil` for another input.
  fileprivate func weights(ofInput index: Int) throws(FoveaError) -> TensorProgram.Argument? {
    guard let constant = try knownConstant(index), constant.shape.count == 2, constant.count > 0
    else { return nil }
    return try input(index)
  }

  /// A matrix of weights [inputs, outputs] turned; `nil` for another input.
  fileprivate func turnedWeights(ofInput index: Int) throws(FoveaError) -> TensorProgram.Argument? {
    guard let weights = try weights(ofInput: index) else { return nil }
    if case .value(let name) = weights, case let turned = name + Self.turnedSuffix,
      (try? program.value(.value(turned))) != nil
    {
      return .value(turned)
    }
    try spend(try program.value(weights).constant?.count ?? 0)
    if let constant = try program.value(weights).constant, let turned = constant.turned {
      let name = program.name(result, "weight")
      try program.write("const", ["val": [.constant(turned)]], to: [name])
      return .value(name)
    }
    return try step("transpose", ["x": weights, "perm": .integers([1, 0])])
  }

  /// Writes a matrix of codes, and the same turned.
  ///
  /// - Returns: `false` for anything but a matrix of codes that is known.
  fileprivate func giveTurnedWeights() throws(FoveaError) -> Bool {
    try spend(try knownConstant(0)?.count ?? 0)
    guard let codes = try knownConstant(0), let turned = codes.turned,
      let scale = try knownConstant(1), try integer("block_size", default: 0) == 0
    else { return false }
    let axis = try axis(integer("axis", default: 1), ofRank: 2)
    var meaning = CodedConstant(codes: turned, scale: scale, axis: 1 - axis)
    meaning.zero = try knownConstant(2)
    let name = result + Self.turnedSuffix
    try write(meaning, as: name)
    meaning.codes = try codes.asStored()
    meaning.axis = axis
    try write(meaning, as: result)
    return true
  }
}

extension ConstantValue {
  /// The matrix with its dimensions exchanged; `nil` where elements are no whole bytes.
  fileprivate var turned: TensorConstant? {
    guard case .stored(let bytes) = content, shape.count == 2, element.bits % 8 == 0,
      element != .string
    else { return nil }
    let (rows, columns) = (shape[0], shape[1])
    guard bytes.count >= rows * columns * element.bits / 8 else { return nil }
    let result = bytes.withBytes { bytes in
      switch element.bits {
      case 8: bytes.turned(rows, columns, as: UInt8.self)
      case 16: bytes.turned(rows, columns, as: UInt16.self)
      case 32: bytes.turned(rows, columns, as: UInt32.self)
      default: bytes.turned(rows, columns, as: UInt64.self)
      }
    }
    return TensorConstant(
      element: element, shape: [columns, rows], content: .bytes(StoredBytes(result)))
  }
}

extension UnsafeRawBufferPointer {
  /// A matrix of words with its dimensions exchanged.
  ///
  /// Squares of it are turned one after another: the lines of the cache that they lie in stay there, also
  /// where rows are a power of 2 apart.
  fileprivate func turned<Word: FixedWidthInteger & BitwiseCopyable>(
    _ rows: Int, _ columns: Int, as word: Word.Type
  ) -> [UInt8] {
    let size = MemoryLayout<Word>.size
    return [UInt8](unsafeUninitializedCapacity: rows * columns * size) { target, written in
      let target = UnsafeMutableRawBufferPointer(target)
      let side = 16
      for firstRow in stride(from: 0, to: rows, by: side) {
        for firstColumn in stride(from: 0, to: columns, by: side) {
          for column in firstColumn..<Swift.min(firstColumn + side, columns) {
            for row in firstRow..<Swift.min(firstRow + side, rows) {
              target.storeBytes(
                of: loadUnaligned(fromByteOffset: (row * columns + column) * size, as: word),
                toByteOffset: (column * rows + row) * size, as: word)
            }
          }
        }
      }
      written = target.count
    }
  }
}
