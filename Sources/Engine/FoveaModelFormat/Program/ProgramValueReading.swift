// Fovea - reading of the types and constants of programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension ProgramReader {
  /// A `NamedValueType`.
  func readNamed(_ message: ProtobufMessage) throws(ModelFormatError) -> TensorProgram.Value {
    var name = ""
    var type: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&name)
      case 2: field.read(&type)
      default: break
      }
    }
    guard let type else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset,
        found: "a value '\(ModelText.readable(name))' without a type", expected: "a type")
    }
    return TensorProgram.Value(name: name, type: try readType(type, depth: 0))
  }

  /// A `ValueType`.
  private func readType(
    _ message: ProtobufMessage, depth: Int
  ) throws(ModelFormatError) -> ValueType {
    try limits.checkTypeDepth(depth, at: message.offset)
    var kind = 0
    var content: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      guard (1...5).contains(field.number), field.wire == .bytes else { continue }
      if field.number != kind { content = nil }
      kind = field.number
      field.read(&content)
    }
    guard let content else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, found: "an empty type", expected: "a type")
    }
    switch kind {
    case 1: return .tensor(try readTensorType(content))
    case 2:
      let parts = try readTypes(content, numbers: 1...1, depth: depth)
      return .list(parts[0], count: try readDimension(try self.message(2, of: content)))
    case 3: return .tuple(try readTypes(content, numbers: 1...1, depth: depth))
    case 4:
      let parts = try readTypes(content, numbers: 1...2, depth: depth)
      return .dictionary(key: parts[0], value: parts[parts.count - 1])
    default: return .state(try readTypes(content, numbers: 1...1, depth: depth)[0])
    }
  }

  /// The types in the fields of a message, in order; at least one.
  private func readTypes(
    _ message: ProtobufMessage, numbers: ClosedRange<Int>, depth: Int
  ) throws(ModelFormatError) -> [ValueType] {
    var messages: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      guard numbers.contains(field.number) else { continue }
      try field.read(&messages, limit: limits.features)
    }
    guard !messages.isEmpty else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, found: "a type of nothing",
        expected: "the types of its parts")
    }
    return try messages.map { message throws(ModelFormatError) in
      try readType(message, depth: depth + 1)
    }
  }

  private func message(
    _ number: Int, of message: ProtobufMessage
  ) throws(ModelFormatError) -> ProtobufMessage? {
    var found: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == number { field.read(&found) }
    }
    return found
  }

  private func readTensorType(_ message: ProtobufMessage) throws(ModelFormatError) -> TensorType {
    var number: Int32 = 0
    var rank: Int64 = 0
    var dimensions: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&number)
      case 2: field.read(&rank)
      case 3: try field.read(&dimensions, limit: limits.rank)
      default: break
      }
    }
    guard let element = ElementType.byNumber[number] else {
      throw ModelFormatError(
        .invalidValue, byteOffset: message.offset, fieldPath: "dataType",
        found: "element type \(number)", expected: "a known type")
    }
    if rank < 0 { return TensorType(element: element, shape: nil) }
    guard rank == Int64(dimensions.count) else {
      throw ModelFormatError(
        .invalidValue, byteOffset: message.offset, fieldPath: "rank",
        found: "\(dimensions.count) dimensions for rank \(rank)", expected: "as many")
    }
    let shape = try dimensions.map { dimension throws(ModelFormatError) in
      try readDimension(dimension)
    }
    return TensorType(element: element, shape: shape)
  }

  /// A size; `nil` where it is unknown.
  private func readDimension(_ message: ProtobufMessage?) throws(ModelFormatError) -> Int? {
    guard let message else { return nil }
    var size: UInt64?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      var content: ProtobufMessage?
      field.read(&content)
      guard let content else { continue }
      guard field.number == 1 else {
        size = nil
        continue
      }
      var value: UInt64 = 0
      var parts = ProtobufCursor(content)
      while let part = try parts.next() {
        if part.number == 1 { part.read(&value) }
      }
      size = value
    }
    guard let size else { return nil }
    return try limits.checkedDimension(size, "\(size)", at: message.offset)
  }

  // MARK: Constants

  /// A `Value` that is a tensor or a list of scalars; `nil` for other values, which only attributes
  /// for other tools have.
  mutating func readValue(_ message: ProtobufMessage) throws(ModelFormatError) -> TensorConstant? {
    var (type, immediate, blob): (ProtobufMessage?, ProtobufMessage?, ProtobufMessage?)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 2: field.read(&type)
      case 3: field.read(&immediate)
      case 5: field.read(&blob)
      default: break
      }
    }
    guard let type else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, found: "a constant without a type",
        expected: "a type")
    }
    switch try readType(type, depth: 0) {
    case .tensor(let type):
      let builder = try ConstantBuilder(type, limits: limits, at: message.offset)
      if let blob { return try readBlob(blob, builder) }
      guard let immediate, let tensor = try self.message(1, of: immediate) else {
        throw ModelFormatError(
          .missingField, byteOffset: message.offset, found: "a constant without elements",
          expected: "a tensor")
      }
      return try readTensor(tensor, builder)
    case .list(.tensor, _):
      guard let immediate, let list = try self.message(3, of: immediate) else { return nil }
      return try readList(list)
    default: return nil
    }
  }

  private mutating func readBlob(
    _ message: ProtobufMessage, _ builder: ConstantBuilder
  ) throws(ModelFormatError) -> TensorConstant {
    var name = ""
    var offset: UInt64 = 0
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&name)
      case 2: field.read(&offset)
      default: break
      }
    }
    return try builder.constant(
      blobs.bytes(of: name, at: offset, element: builder.element, count: builder.count))
  }

  /// A `TensorValue`.
  private func readTensor(
    _ message: ProtobufMessage, _ builder: ConstantBuilder
  ) throws(ModelFormatError) -> TensorConstant {
    var kind = 0
    var content: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      guard (1...7).contains(field.number), field.wire == .bytes else { continue }
      if field.number != kind { content = nil }
      kind = field.number
      field.read(&content)
    }
    guard let content else { return try builder.constant(integers: []) }
    switch kind {
    case 1:
      var values: [Float] = []
      var fields = ProtobufCursor(content)
      while let field = try fields.next() {
        if field.number == 1 { try field.read(&values) }
      }
      return try builder.constant(floats: values)
    case 4: return try builder.constant(strings: try strings(content))
    case 6:
      var values: [Double] = []
      var fields = ProtobufCursor(content)
      while let field = try fields.next() {
        if field.number == 1 { try field.read(&values) }
      }
      return try builder.constant(doubles: values)
    case 7:
      var range: Range<Int>?
      var fields = ProtobufCursor(content)
      while let field = try fields.next() {
        if field.number == 1 { field.read(&range) }
      }
      return try builder.constant(raw: StoredBytes(Array(content.file[range ?? 0..<0])))
    default:
      var values: [Int64] = []
      var fields = ProtobufCursor(content)
      while let field = try fields.next() {
        if field.number == 1 { try field.read(&values) }
      }
      // Negative 32-bit integers are sign-extended to 64 bits.
      return try builder.constant(
        integers: kind == 2 ? values.map { Int64(Int32(truncatingIfNeeded: $0)) } : values)
    }
  }

  private func strings(_ message: ProtobufMessage) throws(ModelFormatError) -> [String] {
    var values: [String] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&values, limit: limits.labels) }
    }
    return values
  }

  /// A `ListValue` of scalars as one tensor of rank 1.
  private mutating func readList(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> TensorConstant? {
    var messages: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&messages, limit: limits.labels) }
    }
    var scalars: [TensorConstant] = []
    scalars.reserveCapacity(messages.count)
    for message in messages {
      guard let scalar = try readScalar(message) else { return nil }
      scalars.append(scalar)
    }
    return ConstantBuilder.list(scalars)
  }

  /// An element of a list: a value whose type is a scalar.
  private mutating func readScalar(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> TensorConstant? {
    var (type, immediate): (ProtobufMessage?, ProtobufMessage?)
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 2: field.read(&type)
      case 3: field.read(&immediate)
      default: break
      }
    }
    guard let type, case .tensor(let tensor) = try readType(type, depth: 0), let immediate,
      let content = try self.message(1, of: immediate)
    else { return nil }
    let scalar = try readTensor(
      content, ConstantBuilder(tensor, limits: limits, at: message.offset))
    return scalar.shape.isEmpty ? scalar : nil
  }
}
