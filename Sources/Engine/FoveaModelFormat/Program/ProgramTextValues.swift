// Fovea - types and constants in the text of a program.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension ProgramTextReader {
  // MARK: Types

  /// A type, such as "tensor<fp16, [1, 3]>" or "int32".
  mutating func readType() throws(ModelFormatError) -> ValueType {
    try readType(scanner.take(), depth: 0)
  }

  /// Whether a name is a type: what stands behind it opens its parts, or a constant.
  func isTypeBefore(_ next: ProgramTextToken) -> Bool { next.isMark("<") || next.isMark("(") }

  private mutating func readType(
    _ first: ProgramTextToken, depth: Int
  ) throws(ModelFormatError) -> ValueType {
    try limits.checkTypeDepth(depth, at: first.range.lowerBound)
    guard first.kind == .name else { throw unexpected(first, expected: "a type") }
    guard scanner.token.isMark("<") else {
      return .tensor(TensorType(element: try elementType(first), shape: []))
    }
    if scanner.isName(first, "tensor") { return .tensor(try readTensorType()) }
    try take("<")
    let type: ValueType
    switch scanner.text(first) {
    case "list":
      let element = try readType(scanner.take(), depth: depth + 1)
      try take(",")
      type = .list(element, count: try readDimension())
    case "tuple":
      var types = [try readType(scanner.take(), depth: depth + 1)]
      while try take(if: ",") {
        try checkCount(types.count, limits.features)
        types.append(try readType(scanner.take(), depth: depth + 1))
      }
      type = .tuple(types)
    case "dict":
      let key = try readType(scanner.take(), depth: depth + 1)
      try take(",")
      type = .dictionary(key: key, value: try readType(scanner.take(), depth: depth + 1))
    case "state": type = .state(try readType(scanner.take(), depth: depth + 1))
    default: throw unexpected(first, expected: "a type")
    }
    try take(">")
    return type
  }

  /// "<fp16, [1, ?]>"
  private mutating func readTensorType() throws(ModelFormatError) -> TensorType {
    try take("<")
    let element = try elementType(scanner.take())
    try take(",")
    try take("[")
    var shape: [Int?] = []
    try readSeparated(until: "]", limit: limits.rank) { reader throws(ModelFormatError) in
      shape.append(try reader.readDimension())
    }
    try take(">")
    return TensorType(element: element, shape: shape)
  }

  private func elementType(_ token: ProgramTextToken) throws(ModelFormatError) -> ElementType {
    guard token.kind == .name else { throw unexpected(token, expected: "an element type") }
    guard let element = ElementType(rawValue: scanner.text(token)) else {
      throw ModelFormatError(
        .invalidValue, byteOffset: token.range.lowerBound,
        found: "element type '\(readable(token))'", expected: "a known type")
    }
    return element
  }

  /// A size; `nil` where it is unknown.
  private mutating func readDimension() throws(ModelFormatError) -> Int? {
    if try take(if: "?") { return nil }
    let token = try scanner.take()
    let digits = scanner.bytes[token.range]
    guard token.kind == .number, digits.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw unexpected(token, expected: "a size or '?'")
    }
    var size: UInt64?
    if case .integer(let value) = ProgramTextNumber(digits)?.magnitude { size = value }
    return try limits.checkedDimension(size, readable(token), at: token.range.lowerBound)
  }

  // MARK: Constants

  /// A type and a value of it: a tensor, or a list of scalars; `nil` for other values, which only
  /// attributes for other tools have.
  mutating func readValue() throws(ModelFormatError) -> TensorConstant? {
    try readValue(scanner.take())
  }

  /// Skips a type and a value of it.
  mutating func skipValue() throws(ModelFormatError) {
    _ = try readType()
    guard scanner.token.isMark("(") else { throw unexpected(scanner.token, expected: "'('") }
    try skipBrackets()
  }

  /// A value whose first token is already taken.
  mutating func readValue(_ first: ProgramTextToken) throws(ModelFormatError) -> TensorConstant? {
    let offset = first.range.lowerBound
    do throws(ModelFormatError) {
      switch try readType(first, depth: 0) {
      case .tensor(let type):
        let builder = try ConstantBuilder(type, limits: limits, at: offset)
        try take("(")
        let constant =
          try takeName("BLOBFILE") ? try readBlob(builder) : try readElements(builder)
        try take(")")
        return constant
      case .list(.tensor(let type), let count) where type.shape == []:
        return try readList(type, count: count)
      default:
        guard scanner.token.isMark("(") else {
          throw unexpected(scanner.token, expected: "'('")
        }
        try skipBrackets()
        return nil
      }
    } catch {
      throw error.at(offset)
    }
  }

  /// "(path = string("@model_path/..."), offset = uint64(64))"
  private mutating func readBlob(
    _ builder: ConstantBuilder
  ) throws(ModelFormatError) -> TensorConstant {
    let start = scanner.token.range.lowerBound
    var path: String?
    var offset: UInt64?
    try take("(")
    try readSeparated(until: ")", limit: limits.features) { reader throws(ModelFormatError) in
      let name = try reader.takeName(as: "path or offset")
      try reader.take("=")
      let scalar = try reader.readScalar()
      switch (name, scalar.element, scalar.content) {
      case ("path", .string, .strings(let texts)): path = texts[0]
      case ("offset", .uint64, .bytes(let bytes)): offset = bytes.littleEndian(at: 0)
      default: break
      }
    }
    guard let path, let offset else {
      throw ModelFormatError(
        .missingField, byteOffset: start,
        found: "no \(path == nil ? "path" : "offset") of a constant",
        expected: "a path and an offset")
    }
    return try builder.constant(
      blobs.bytes(of: path, at: offset, element: builder.element, count: builder.count))
  }

  /// A scalar that stands in the text itself.
  private mutating func readScalar() throws(ModelFormatError) -> TensorConstant {
    try readScalar(scanner.take())
  }

  private mutating func readScalar(
    _ first: ProgramTextToken
  ) throws(ModelFormatError) -> TensorConstant {
    guard case .tensor(let type) = try readType(first, depth: 0), type.shape == [] else {
      throw unexpected(first, expected: "a scalar")
    }
    let builder = try ConstantBuilder(type, limits: limits, at: first.range.lowerBound)
    try take("(")
    let constant = try readElements(builder)
    try take(")")
    return constant
  }

  /// "([string("a"), string("b")])" or "(["a", "b"])": a list of scalars as one tensor of rank 1.
  ///
  /// The first form was seen in arguments, the second in attributes.
  private mutating func readList(
    _ type: TensorType, count: Int?
  ) throws(ModelFormatError) -> TensorConstant? {
    let builder = try ConstantBuilder(type, limits: limits, at: scanner.token.range.lowerBound)
    try take("(")
    let start = scanner.token.range.lowerBound
    try take("[")
    var scalars: [TensorConstant] = []
    try readSeparated(until: "]", limit: limits.labels) { reader throws(ModelFormatError) in
      let token = try reader.scanner.take()
      if token.kind == .name, reader.isTypeBefore(reader.scanner.token) {
        scalars.append(try reader.readScalar(token))
      } else {
        var packer = ElementPacker(type.element)
        try reader.readElement(token, into: &packer)
        scalars.append(try builder.constant(packer))
      }
    }
    try take(")")
    guard count == nil || count == scalars.count else {
      throw ModelFormatError(
        .invalidValue, byteOffset: start, found: "a list of \(scalars.count) values",
        expected: "\(count ?? 0), as its type says")
    }
    return ConstantBuilder.list(scalars)
  }

  // MARK: Elements

  /// The elements of a tensor, row-major, with or without brackets around rows.
  ///
  /// Brackets say nothing that the type does not say. They only have to match, because it is
  /// not known how compilers write every empty tensor.
  private mutating func readElements(
    _ builder: ConstantBuilder
  ) throws(ModelFormatError) -> TensorConstant {
    var packer = ElementPacker(builder.element)
    if builder.count == 0, scanner.token.isMark(")") { return try builder.constant(packer) }
    var depth = 0
    repeat {
      var isOpened = false
      while scanner.token.isMark("["), depth < builder.shape.count {
        _ = try scanner.take()
        depth += 1
        isOpened = true
      }
      if !isOpened || !scanner.token.isMark("]") {
        try readElement(scanner.take(), into: &packer)
        if packer.count > builder.count { try builder.checkCount(packer.count) }
      }
      while depth > 0, try take(if: "]") { depth -= 1 }
      guard depth > 0 else { break }
      try take(",", or: "']'")
    } while true
    return try builder.constant(packer)
  }

  private func readElement(
    _ token: ProgramTextToken, into packer: inout ElementPacker
  ) throws(ModelFormatError) {
    switch (packer.element, token.kind) {
    case (.string, .quoted): packer.append(try unquoted(token))
    case (.bool, .name) where scanner.isName(token, "true"): packer.append(bits: 1)
    case (.bool, .name) where scanner.isName(token, "false"): packer.append(bits: 0)
    case (.string, _), (.bool, _), (_, .quoted), (_, .arrow), (_, .mark), (_, .end):
      throw unexpected(token, expected: "an element of type \(packer.element.rawValue)")
    case (_, .name), (_, .number):
      guard let number = ProgramTextNumber(scanner.bytes[token.range]), packer.append(number) else {
        throw ModelFormatError(
          .invalidWeights, byteOffset: token.range.lowerBound,
          found: "the number \(readable(token)) in a constant",
          expected: "a number of type \(packer.element.rawValue)")
      }
    }
  }
}
