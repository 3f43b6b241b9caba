// Fovea - codes of weights and activations of ONNX.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

extension ForeignOperation {
  /// What surrounds layers of 8 bits.
  static let onnxCodeRules: [String: ONNXRule] = [
    "QuantizeLinear": { node throws(FoveaError) in try node.quantize() },
    "DequantizeLinear": { node throws(FoveaError) in try node.dequantize() },
    "com.microsoft.QuantizeLinear": { node throws(FoveaError) in try node.quantize() },
    "com.microsoft.DequantizeLinear": { node throws(FoveaError) in try node.dequantize() },
    "QLinearConv": { node throws(FoveaError) in try node.convolutionOfCodes() },
    "QLinearMatMul": { node throws(FoveaError) in try node.productOfCodes() },
  ]

  // MARK: Meanings

  /// The scale and the zero point of codes, whose indices are those of inputs.
  private func meaning(
    _ scaleIndex: Int, _ zeroIndex: Int, axis: Int?, _ shape: [Int]
  ) throws(FoveaError) -> CodeScales {
    let scale = try constant(scaleIndex)
    try spend(scale.count)
    let zero = try knownConstant(zeroIndex)
    if has(zeroIndex), zero == nil { throw mismatch("its zero point is no constant") }
    guard zero.map({ $0.count == scale.count }) ?? true else {
      throw mismatch("\(zero?.count ?? 0) zero points for \(scale.count) scales")
    }
    if scale.count == 1 {
      return CodeScales(
        scales: try scale.floats(), zeros: try zero?.integers(), element: zero?.element, axis: nil)
    }
    guard scale.shape.count == 1, let axis, shape[axis] == scale.count else {
      throw mismatch("scales of shape \(scale.shape) for an input of shape \(shape)")
    }
    return CodeScales(
      scales: try scale.floats(), zeros: try zero?.integers(), element: zero?.element, axis: axis)
  }

  private func codeAxis(_ shape: [Int]) throws(FoveaError) -> Int? {
    let stated = try integer("axis", default: 1)
    // Without several scales the axis has no meaning, and need not exist.
    return stated >= -shape.count && stated < shape.count
      ? try axis(stated, ofRank: shape.count) : nil
  }

  // MARK: Quantizing

  private func quantize() throws(FoveaError) {
    let shape = try shape(0)
    guard try integer("block_size", default: 0) == 0 else {
      throw unsupported("values with a scale for each block cannot be quantized")
    }
    var meaning = try meaning(1, 2, axis: codeAxis(shape), shape)
    if meaning.element == nil, has("output_dtype"),
      let element = Self.codeTypes[try integer("output_dtype", default: 0)]
    {
      meaning.element = element
    }
    if let x = try knownConstant(0) { try spend(x.count) }
    if let x = try knownConstant(0), let codes = try meaning.codes(of: x) {
      return try program.write("const", ["val": [.constant(codes)]], to: [result])
    }
    try quantize(input(0), meaning, to: result)
  }

  private static let codeTypes: [Int: ElementType] = [
    2: .uint8, 3: .int8, 4: .uint16, 5: .int16, 21: .uint4, 22: .int4,
  ]

  /// round(x / scale) + zero point within the range of the type.
  private func quantize(
    _ x: TensorProgram.Argument, _ meaning: CodeScales, to name: String
  ) throws(FoveaError) {
    let element = meaning.element ?? .uint8
    var arguments: [String: TensorProgram.Argument] = [
      "input": x, "scale": meaning.scaleArgument, "output_dtype": .string(element.rawValue),
    ]
    if let zeros = meaning.zeroArgument { arguments["zero_point"] = zeros }
    if let axis = meaning.axis { arguments["axis"] = .integer(axis) }
    if element == .int8 || element == .uint8 {
      return try program.write("quantize", arguments.mapValues { [$0] }, to: [name])
    }
    // ML Programs have codes of 8 bits only: others are numbers.
    guard element.isInteger, element.bits <= 16 else {
      throw unsupported("codes of type \(element.rawValue) cannot be computed")
    }
    let shape = try self.shape(of: x)
    let divided = try step("real_div", ["x": x, "y": meaning.floats(meaning.scales, shape)])
    var value = try step("round", ["x": divided])
    if let zeros = meaning.zeros {
      value = try step("add", ["x": value, "y": meaning.floats(zeros.map { Float($0) }, shape)])
    }
    let half = 1 << (element.bits - 1)
    let range = element.isSigned ? (-half)...(half - 1) : 0...(2 * half - 1)
    value = try step(
      "clip",
      [
        "x": value, "alpha": .float(Float(range.lowerBound)),
        "beta": .float(Float(range.upperBound)),
      ])
    try program.write("cast", ["x": [value], "dtype": [.string("int32")]], to: [name])
  }

  // MARK: Dequantizing

  private func dequantize() throws(FoveaError) {
    let shape = try shape(0)
    if try integer("block_size", default: 0) != 0 { return try dequantizeBlocks() }
    let meaning = try meaning(1, 2, axis: codeAxis(shape), shape)
    if let codes = try knownConstant(0) {
      var coded = CodedConstant(
        codes: try codes.asStored(), scale: try constant(1), axis: meaning.axis)
      coded.zero = try knownConstant(2)
      return try write(coded, as: result)
    }
    try dequantize(input(0), meaning, to: result)
  }

  private func dequantize(
    _ codes: TensorProgram.Argument, _ meaning: CodeScales, to name: String
  ) throws(FoveaError) {
    var arguments: [String: TensorProgram.Argument] = [
      "input": codes, "scale": meaning.scaleArgument,
    ]
    if let zeros = meaning.zeroArgument { arguments["zero_point"] = zeros }
    if let axis = meaning.axis { arguments["axis"] = .integer(axis) }
    try program.write("dequantize", arguments.mapValues { [$0] }, to: [name])
  }

  /// Writes a constant of codes.
  func write(_ coded: CodedConstant, as name: String) throws(FoveaError) {
    let isScalar = coded.scale.count == 1
    let numbers = try coded.scale.floats()
    let zero = try coded.zero?.floats() ?? numbers.map { _ in 0 }
    // A single number has no axis, which the operation of ML Programs asks for.
    if coded.codes.shape.isEmpty {
      let code = try ConstantValue(coded.codes).floats()[0]
      let number = TensorConstant.floats([numbers[0] * (code - zero[0])], shape: [])
      return try program.write("const", ["val": [.constant(number)]], to: [name])
    }
    try program.write(
      "constexpr_affine_dequantize",
      [
        "quantized_data": [.constant(coded.codes)],
        "scale": [.floats(numbers, shape: isScalar ? [] : [numbers.count])],
        "zero_point": [.floats(zero, shape: isScalar ? [] : [zero.count])],
        "axis": [.integer(coded.axis ?? 0)],
      ], to: [name])
  }

  /// Codes with a scale for each block along an axis.
  private func dequantizeBlocks() throws(FoveaError) {
    guard let codes = try knownConstant(0) else {
      throw unsupported("values with a scale for each block cannot be run; weights can")
    }
    let scale = try constant(1)
    try spend(2 * scale.count)
    var arguments: [String: TensorProgram.Argument] = [
      "data": .constant(try codes.asStored()),
      "scale": .floats(try scale.floats(), shape: scale.shape),
    ]
    if let zero = try knownConstant(2) {
      arguments["offset"] = .floats(try zero.floats(), shape: zero.shape)
    }
    try give("constexpr_blockwise_shift_scale", arguments)
  }

  // MARK: Operations on codes

  /// Codes in, codes out: the same as numbers between conversions.
  private func convolutionOfCodes() throws(FoveaError) {
    let (x, weight) = (program.name(result, "x"), program.name(result, "weight"))
    try dequantize(input(0), meaning(1, 2, axis: nil, []), to: x)
    guard let codes = try knownConstant(3) else { throw unsupported("its weights are no constant") }
    let scale = try constant(4)
    var coded = CodedConstant(
      codes: try codes.asStored(), scale: scale, axis: scale.count == 1 ? nil : 0)
    coded.zero = try knownConstant(5)
    try write(coded, as: weight)
    var parts = operation.arguments.filter { Int($0.key) == nil }
    parts["0"] = [.value(x)]
    parts["1"] = [.value(weight)]
    if has(8) {
      let factor = try constant(1).floats()[0]
      let factors = try scale.floats().map { factor * $0 }
      let sums = try constant(8).floats()
      guard factors.count == 1 || factors.count == sums.count else {
        throw mismatch("\(sums.count) biases for \(factors.count) scales")
      }
      let bias = sums.indices.map { sums[$0] * factors[factors.count == 1 ? 0 : $0] }
      parts["2"] = [.floats(bias, shape: [bias.count])]
    }
    let sums = try inner("Conv", parts)
    try quantize(sums, meaning(6, 7, axis: nil, []), to: result)
  }

  private func productOfCodes() throws(FoveaError) {
    let (x, y) = (program.name(result, "x"), program.name(result, "y"))
    try dequantize(input(0), meaning(1, 2, axis: nil, []), to: x)
    try dequantize(input(3), meaning(4, 5, axis: nil, []), to: y)
    let product = try step("matmul", ["x": .value(x), "y": .value(y)])
    try quantize(product, meaning(6, 7, axis: nil, []), to: result)
  }

  /// Another operation of ONNX on the way to this one's result.
  private func inner(
    _ kind: String, _ arguments: [String: [TensorProgram.Argument]]
  ) throws(FoveaError) -> TensorProgram.Argument {
    let name = program.name(result, kind)
    let inner = TensorProgram.Operation(
      kind: kind, arguments: arguments,
      results: [
        TensorProgram.Value(
          name: name, type: .tensor(TensorType(element: .float32, shape: nil)))
      ])
    try Self.onnxWindowRules[kind]?(
      ForeignOperation(inner, version: version, program: program))
    return .value(name)
  }
}

/// A constant of codes with their scale: one, or one for each index along an axis.
struct CodedConstant {
  var codes: TensorConstant
  var scale: ConstantValue
  var axis: Int?
  var zero: ConstantValue?

  init(codes: TensorConstant, scale: ConstantValue, axis: Int?) {
    (self.codes, self.scale, self.axis) = (codes, scale, axis)
  }
}

/// What codes of values mean.
private struct CodeScales {
  var scales: [Float]
  /// `nil`: all are 0.
  var zeros: [Int]?
  /// The type of the codes; `nil` where the file leaves it out.
  var element: ElementType?
  /// Where there are several scales, the axis that they belong to.
  var axis: Int?

  var scaleArgument: TensorProgram.Argument {
    axis == nil ? .float(scales[0]) : .floats(scales, shape: [scales.count])
  }

  /// Zero points; a type says only what the file states, so that of the codes is given.
  var zeroArgument: TensorProgram.Argument? {
    zeros.map { axis == nil ? .integer($0[0]) : .integers($0) }
  }

  /// Numbers along the axis of a shape.
  func floats(_ numbers: [Float], _ shape: [Int]) -> TensorProgram.Argument {
    guard let axis else { return .float(numbers[0]) }
    return .floats(numbers, shape: shape.indices.map { $0 == axis ? numbers.count : 1 })
  }

  /// The codes of a constant; `nil` for types that have none of 8 bits.
  func codes(of constant: ConstantValue) throws(FoveaError) -> TensorConstant? {
    let element = element ?? .uint8
    guard element == .int8 || element == .uint8 else { return nil }
    let range: ClosedRange<Float> = element == .int8 ? -128...127 : 0...255
    let inner = axis.map { constant.shape[($0 + 1)...].reduce(1, *) } ?? 1
    var bytes: [UInt8] = []
    for (index, number) in try constant.floats().enumerated() {
      let place = scales.count == 1 ? 0 : index / inner % scales.count
      let rounded = (number / scales[place]).rounded(.toNearestOrEven)
      let code = rounded + Float(zeros?[place] ?? 0)
      let kept = min(max(code.isNaN ? 0 : code, range.lowerBound), range.upperBound)
      bytes.append(UInt8(truncatingIfNeeded: Int(kept)))
    }
    return TensorConstant(
      element: element, shape: constant.shape, content: .bytes(StoredBytes(bytes)))
  }
}

extension ConstantValue {
  /// Integers as a file stores them.
  func asStored() throws(FoveaError) -> TensorConstant {
    if case .stored(let bytes) = content {
      return TensorConstant(element: element, shape: shape, content: .bytes(bytes))
    }
    return .integers(try integers(), shape: shape)
  }
}
