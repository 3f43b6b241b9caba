// Fovea - the subgraph of a TensorFlow Lite file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Makes a program of the operators of a subgraph.
struct TensorFlowLiteGraphReader {
  let reader: TensorFlowLiteReader
  private let graph: FlatTable
  private let kinds: [String]
  private(set) var tensors: [TensorFlowLiteTensor] = []
  /// The values that stand for tensors, once something writes them.
  private var values: [Int: String] = [:]
  private var names: Set<String> = []
  private var outputTensors: Set<Int> = []
  private(set) var operations: [TensorProgram.Operation] = []
  /// Elements of sparse tensors that were made.
  private var expanded = 0

  init(_ reader: TensorFlowLiteReader, _ graph: FlatTable) throws(ModelFormatError) {
    self.reader = reader
    self.graph = graph
    kinds = try reader.operationKinds()
    let list = try graph.tables(0, "tensors", most: reader.limits.operations)
    tensors.reserveCapacity(list.count)
    for index in 0..<list.count {
      tensors.append(try TensorFlowLiteTensor(list.table(index), limits: reader.limits))
    }
  }

  mutating func read() throws(ModelFormatError) -> TensorFlowLiteGraph {
    let inputs = try ports(1, "inputs")
    let outputs = try ports(2, "outputs")
    outputTensors = Set(outputs)
    var functionInputs: [TensorProgram.Value] = []
    for index in inputs where values[index] == nil {
      functionInputs.append(addInput(index))
    }
    try addOperators()
    var functionOutputs: [(tensor: Int, name: String)] = []
    for index in outputs {
      let name = try outputValue(index)
      guard !functionOutputs.contains(where: { $0.name == name }) else { continue }
      functionOutputs.append((index, name))
    }
    return TensorFlowLiteGraph(
      inputs: zip(inputs, functionInputs).map { ($0, $1) }, outputs: functionOutputs,
      operations: operations, tensors: tensors)
  }

  private func ports(_ field: Int, _ name: String) throws(ModelFormatError) -> [Int] {
    var found: [Int] = []
    for index in try graph.integers(field) {
      guard tensors.indices.contains(index) else { throw missing(index, "\(graph.path).\(name)") }
      if !found.contains(index) { found.append(index) }
      guard found.count <= reader.limits.features else {
        throw ModelFormatError(
          .limitExceeded, fieldPath: "\(graph.path).\(name)", found: "more than \(found.count)",
          expected: "at most \(reader.limits.features)")
      }
    }
    return found
  }

  private func missing(_ index: Int, _ path: String) -> ModelFormatError {
    ModelFormatError(
      .invalidValue, fieldPath: path, found: "tensor \(index)",
      expected: "one of \(tensors.count)")
  }

  // MARK: Names

  /// A name that no other value has: names in files may be empty, or there twice.
  private mutating func unique(_ name: String, _ index: Int) -> String {
    let wanted = name.isEmpty ? "tensor \(index)" : name
    var name = wanted
    var count = 1
    while !names.insert(name).inserted {
      name = count == 1 ? "\(wanted):\(index)" : "\(wanted):\(index).\(count)"
      count += 1
    }
    return name
  }

  private func type(of index: Int) -> ValueType {
    let tensor = tensors[index]
    let element = tensor.hasScales ? ElementType.float32 : tensor.element
    return .tensor(
      TensorType(
        element: element, shape: zip(tensor.shape, tensor.isFree).map { $1 ? nil : $0 }))
  }

  // MARK: Inputs and outputs

  private mutating func addInput(_ index: Int) -> TensorProgram.Value {
    let name = unique(tensors[index].name, index)
    let value = TensorProgram.Value(name: name, type: type(of: index))
    values[index] = name
    if tensors[index].isCoded {
      let codes = unique(name + ".codes", index)
      values[index] = codes
      var arguments: [String: [TensorProgram.Argument]] = ["0": [.value(name)]]
      addMeaning(of: index, result: 0, to: &arguments)
      operations.append(
        TensorProgram.Operation(
          kind: "QUANTIZE", arguments: arguments,
          results: [TensorProgram.Value(name: codes, type: value.type)]))
    }
    return value
  }

  /// The value of numbers that stands for an output.
  private mutating func outputValue(_ index: Int) throws(ModelFormatError) -> String {
    guard let value = try value(index, "\(graph.path).outputs") else {
      throw missing(index, "\(graph.path).outputs")
    }
    guard tensors[index].isCoded else { return value }
    let name = unique(tensors[index].name, index)
    operations.append(
      TensorProgram.Operation(
        kind: "DEQUANTIZE", arguments: ["0": [.value(value)]],
        results: [TensorProgram.Value(name: name, type: type(of: index))]))
    return name
  }

  /// What the codes of a result mean.
  private func addMeaning(
    of index: Int, result: Int, to arguments: inout [String: [TensorProgram.Argument]]
  ) {
    let tensor = tensors[index]
    guard tensor.isCoded else { return }
    arguments[TensorFlowLiteNames.scale(ofResult: result)] = [
      .constant(.floats(tensor.scales, shape: []))
    ]
    var zero = TensorConstant.integers(tensor.zeroPoints, shape: [])
    zero.content = .bytes(StoredBytes([UInt8(truncatingIfNeeded: tensor.zeroPoints[0])]))
    zero.element = tensor.element
    arguments[TensorFlowLiteNames.zeroPoint(ofResult: result)] = [.constant(zero)]
  }

  // MARK: Operators

  private mutating func addOperators() throws(ModelFormatError) {
    let list = try graph.tables(3, "operators", most: reader.limits.operations)
    operations.reserveCapacity(2 * list.count)
    for index in 0..<list.count { try add(list.table(index)) }
  }

  private mutating func add(_ table: FlatTable) throws(ModelFormatError) {
    let code = Int(try table.number(0, as: UInt32.self, default: 0))
    guard kinds.indices.contains(code) else {
      throw ModelFormatError(
        .invalidValue, fieldPath: "\(table.path).opcode_index", found: "operation code \(code)",
        expected: "one of \(kinds.count)")
    }
    let kind = kinds[code]
    var arguments: [String: [TensorProgram.Argument]] = [:]
    for (position, index) in try table.integers(1).enumerated() where index != -1 {
      guard let value = try value(index, "\(table.path).inputs") else { continue }
      arguments["\(position)"] = [.value(value)]
    }
    let outputs = try table.integers(2)
    guard !outputs.isEmpty else {
      throw ModelFormatError(
        .missingField, fieldPath: "\(table.path).outputs", found: "no result", expected: "one")
    }
    var results: [TensorProgram.Value] = []
    for (position, index) in outputs.enumerated() {
      guard tensors.indices.contains(index) else {
        throw missing(index, "\(table.path).outputs")
      }
      guard values[index] == nil else {
        throw ModelFormatError(
          .duplicateBlob, fieldPath: "\(table.path).outputs",
          found: "tensor \"\(ModelText.readable(tensors[index].name))\", which is written before",
          expected: "a tensor that nothing has written")
      }
      let isOutput = tensors[index].isCoded && outputTensors.contains(index)
      let name = unique(tensors[index].name + (isOutput ? ".codes" : ""), index)
      values[index] = name
      addMeaning(of: index, result: position, to: &arguments)
      results.append(TensorProgram.Value(name: name, type: type(of: index)))
    }
    try addOptions(of: kind, table, to: &arguments)
    operations.append(
      TensorProgram.Operation(kind: kind, arguments: arguments, results: results))
  }

  private func addOptions(
    of kind: String, _ table: FlatTable, to arguments: inout [String: [TensorProgram.Argument]]
  ) throws(ModelFormatError) {
    let attributes = TensorFlowLiteAttribute.attributes(of: kind)
    if !attributes.isEmpty {
      let options = try table.table(4, "builtin_options")
      for attribute in attributes {
        arguments[attribute.name] = [.constant(try attribute.constant(in: options))]
      }
    }
    switch kind {
    case TensorFlowLiteNames.detection:
      let numbers = try FlexNumbers(
        reader.bytes[customOptions(table)], path: "\(table.path).custom_options")
      for (name, number) in numbers.values {
        arguments[name] = [.constant(.floats([Float(number)], shape: []))]
      }
    case TensorFlowLiteNames.transposedConvolution:
      // Three integers: 1 for padding as much as is needed, 2 for none, and the strides.
      let options = reader.bytes[try customOptions(table)]
      guard options.count >= 12 else { return }
      for (index, name) in ["padding", "stride_w", "stride_h"].enumerated() {
        let place = options.startIndex + 4 * index
        let number = Int(try reader.file.number(at: place, as: Int32.self, table.path))
        arguments[name] = [.constant(.integers([index == 0 ? number - 1 : number], shape: []))]
      }
    default: break
    }
  }

  private func customOptions(_ table: FlatTable) throws(ModelFormatError) -> Range<Int> {
    if let place = try table.bytes(5), !place.isEmpty { return place }
    let offset = try table.number(9, as: UInt64.self, default: 0)
    guard offset > 1 else { return 0..<0 }
    return try reader.place(offset, table.number(10, as: UInt64.self, default: 0), table.path)
  }

  // MARK: Values

  /// The value that stands for a tensor. A constant is added before the operation that reads it.
  ///
  /// - Returns: `nil` for what was left out.
  private mutating func value(
    _ index: Int, _ path: String
  ) throws(ModelFormatError) -> String? {
    guard tensors.indices.contains(index) else { throw missing(index, path) }
    if let name = values[index] { return name }
    let tensor = tensors[index]
    let stored = try reader.buffer(tensor.buffer, tensor.path)
    guard !stored.isEmpty || tensor.count == 0 || tensor.shape.contains(0) else {
      throw ModelFormatError(
        .unknownBlob, fieldPath: path,
        found: "tensor \"\(ModelText.readable(tensor.name))\", which nothing has written",
        expected: "an input, a constant or an earlier result")
    }
    let constant = try self.constant(tensor, stored)
    let name = unique(tensor.name, index)
    values[index] = name
    var arguments: [String: [TensorProgram.Argument]] = ["val": [.constant(constant)]]
    if !tensor.scales.isEmpty {
      let count = tensor.scales.count
      let shape = count == 1 ? [] : [count]
      arguments[TensorFlowLiteNames.scales] = [.constant(.floats(tensor.scales, shape: shape))]
      arguments[TensorFlowLiteNames.zeroPoints] = [
        .constant(.integers(tensor.zeroPoints, shape: shape))
      ]
      arguments[TensorFlowLiteNames.axis] = [.constant(.integers([tensor.axis], shape: []))]
    }
    let type = ValueType.tensor(TensorType(element: constant.element, shape: constant.shape))
    operations.append(
      TensorProgram.Operation(
        kind: "const", arguments: arguments,
        results: [TensorProgram.Value(name: name, type: type)]))
    return name
  }

  private mutating func constant(
    _ tensor: TensorFlowLiteTensor, _ stored: StoredBytes
  ) throws(ModelFormatError) -> TensorConstant {
    let count = tensor.shape.reduce(1, *)
    if let sparsity = tensor.sparsity {
      // A few bytes can ask for any number of zeros.
      expanded += count
      guard expanded / 64 <= reader.bytes.count else {
        throw ModelFormatError(
          .limitExceeded, fieldPath: "\(tensor.path).sparsity",
          found: "sparse tensors of more than \(expanded) elements", expected: "fewer")
      }
      let dense = try SparseTensor(tensor, sparsity).dense(stored)
      return TensorConstant(
        element: tensor.element, shape: tensor.shape, content: .bytes(StoredBytes(dense)))
    }
    guard tensor.element.byteCount(count) == stored.count else {
      throw ModelFormatError(
        .invalidWeights, fieldPath: tensor.path,
        found: "a buffer of \(stored.count) bytes",
        expected:
          "\(count) elements of \(tensor.element.bits) bits, as the shape \(tensor.shape) says")
    }
    return TensorConstant(element: tensor.element, shape: tensor.shape, content: .bytes(stored))
  }
}
