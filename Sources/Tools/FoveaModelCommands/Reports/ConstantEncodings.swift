// Fovea - how a program stores its constants.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// How a program stores its constants.
///
/// A coded constant is one operation or a chain of them, which read codes, tables and scales. These
/// parts count with the constant that is made from them, and not by themselves.
struct ConstantEncodings {
  /// Constants that are stored in one way.
  struct Row: Encodable {
    /// Such as "float16", "4-bit palette, 4 groups" or "int8 in blocks of 32".
    var encoding: String
    var tensors = 0
    /// The numbers that the program reads.
    var elements = 0
    /// With tables, scales and masks. What several constants share counts for the first.
    var bytes = 0
  }

  /// The encodings, most bytes first.
  private(set) var rows: [Row] = []

  private typealias Operation = TensorProgram.Operation
  private let operations: [String: Operation]
  private var taken: Set<String> = []

  /// Looks at the constants of a function. Texts are left out.
  init(_ function: TensorProgram.Function) {
    var operations: [String: Operation] = [:]
    var parts: Set<String> = []
    for operation in function.operations where operation.isConstant {
      for result in operation.results { operations[result.name] = operation }
      guard operation.kind != "const" else { continue }
      for case .value(let name) in operation.arguments.values.joined() { parts.insert(name) }
    }
    self.operations = operations
    for operation in function.operations where operation.isConstant {
      // The last result is the values; a mask may stand before it.
      guard let result = operation.results.last,
        !operation.results.contains(where: { parts.contains($0.name) }),
        case .tensor(let type) = result.type, type.element != .string
      else { continue }
      let elements = (type.knownShape ?? []).reduce(1) { Self.product($0, $1) }
      add(words(operation), elements: elements, bytes: bytes(operation))
    }
    rows.sort { ($1.bytes, $0.encoding) < ($0.bytes, $1.encoding) }
  }

  private mutating func add(_ encoding: String, elements: Int, bytes: Int) {
    let index = rows.firstIndex { $0.encoding == encoding } ?? rows.count
    if index == rows.count { rows.append(Row(encoding: encoding)) }
    rows[index].tensors += 1
    rows[index].elements = Self.sum(rows[index].elements, elements)
    rows[index].bytes = Self.sum(rows[index].bytes, bytes)
  }

  /// The bytes of all that an operation is made from, of each part once.
  private mutating func bytes(_ operation: Operation, depth: Int = 0) -> Int {
    guard depth < Self.greatestDepth,
      taken.insert(operation.results.first?.name ?? "").inserted
    else { return 0 }
    var count = 0
    for argument in operation.arguments.values.joined() {
      switch argument {
      case .constant(let constant):
        count = Self.sum(count, constant.element.byteCount(constant.count) ?? .max)
      case .value(let name):
        if let part = operations[name] { count = Self.sum(count, bytes(part, depth: depth + 1)) }
      }
    }
    return count
  }

  /// Codes of codes of codes: tools write chains of three. A hostile file has longer ones.
  private static let greatestDepth = 8

  // A file may claim any size; sums stop at the largest number.

  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (result, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : result
  }

  private static func product(_ left: Int, _ right: Int) -> Int {
    let (result, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : result
  }

  // MARK: Words

  /// Type and shape of what an argument names, and the operation that makes it unless it is stored.
  private struct Part {
    var element: ElementType
    var shape: [Int]
    var source: Operation?

    var count: Int { shape.reduce(1) { ConstantEncodings.product($0, $1) } }
  }

  private func part(_ name: String, of operation: Operation) -> Part? {
    switch operation.arguments[name]?.first {
    case nil: return nil
    case .constant(let constant):
      return Part(element: constant.element, shape: constant.shape)
    case .value(let value):
      guard let source = operations[value],
        case .tensor(let type)? = source.results.first(where: { $0.name == value })?.type
      else { return nil }
      return Part(
        element: type.element, shape: type.knownShape ?? [],
        source: source.kind == "const" ? nil : source)
    }
  }

  private func words(_ operation: Operation, depth: Int = 0) -> String {
    guard depth < Self.greatestDepth else { return "more codes" }
    switch operation.kind {
    case "constexpr_affine_dequantize":
      let scale = part("scale", of: operation)
      return element("quantized_data", operation)
        + ((scale?.count ?? 1) > 1 ? " per channel" : " per tensor")
    case "constexpr_blockwise_shift_scale":
      return element("data", operation) + blocks(of: "data", operation)
    case "constexpr_sparse_blockwise_shift_scale":
      return element("nonzero_data", operation) + blocks(of: "data_mask", operation)
    case "constexpr_lut_to_dense", "constexpr_lut_to_sparse": return palette(operation, depth)
    case "constexpr_sparse_to_dense":
      guard let values = part("nonzero_data", of: operation) else { return "sparse" }
      return "sparse "
        + (values.source.map { words($0, depth: depth + 1) } ?? Self.name(values.element))
    case "constexpr_cast": return element("source_val", operation)
    default: return element("val", operation)
    }
  }

  private func element(_ argument: String, _ operation: Operation) -> String {
    part(argument, of: operation).map { Self.name($0.element) } ?? operation.kind
  }

  /// How many numbers share a scale.
  private func blocks(of data: String, _ operation: Operation) -> String {
    guard let data = part(data, of: operation)?.shape,
      let scale = part("scale", of: operation)?.shape, scale.count == data.count
    else { return "" }
    if scale.allSatisfy({ $0 == 1 }) { return " per tensor" }
    let sizes = zip(data, scale).filter { $1 > 1 && $1 < $0 }.map { $0 / $1 }
    if sizes.isEmpty { return " per channel" }
    return " in blocks of " + sizes.map { "\($0)" }.joined(separator: " x ")
  }

  private func palette(_ operation: Operation, _ depth: Int) -> String {
    let name = operation.kind == "constexpr_lut_to_dense" ? "indices" : "indices_nonzero_data"
    guard let table = part("lut", of: operation), let codes = part(name, of: operation) else {
      return "palette"
    }
    // The older form has one table, and bytes in which codes are packed.
    if table.shape.count == 1 {
      return "\(table.count.trailingZeroBitCount)-bit palette" + entries(table, depth)
    }
    var words = "\(codes.element.bits)-bit palette"
    let groups = table.shape.dropLast(2).reduce(1) { Self.product($0, $1) }
    if groups > 1 { words += ", \(groups) groups" }
    if let length = table.shape.last, length > 1 { words += ", vectors of \(length)" }
    return words + entries(table, depth)
  }

  /// What the numbers of a table are, unless they are stored as floats.
  private func entries(_ table: Part, _ depth: Int) -> String {
    if let source = table.source { return ", table in " + words(source, depth: depth + 1) }
    return table.element.isFloat ? "" : ", table in " + Self.name(table.element)
  }

  private static func name(_ element: ElementType) -> String {
    switch element {
    case .float16: "float16"
    case .float32: "float32"
    case .float64: "float64"
    case .bfloat16: "bfloat16"
    default: element.rawValue
    }
  }
}
