// Fovea - tests: what a written package means, read with plain loops from its bytes.
// SPDX-License-Identifier: Apache-2.0
import Testing

/// Fields of a message, one after another.
struct PlainMessage {
  var fields: [(number: Int, value: Int, bytes: [UInt8])] = []

  init(_ bytes: [UInt8]) {
    var position = 0
    func varint() -> Int {
      var (value, shift) = (UInt64(0), UInt64(0))
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        value |= UInt64(byte & 0x7F) &<< shift
        shift += 7
        if byte < 0x80 { break }
      }
      return Int(truncatingIfNeeded: value)
    }
    while position < bytes.count {
      let tag = varint()
      switch tag & 7 {
      case 0: fields.append((tag >> 3, varint(), []))
      case 1: position += 8
      case 5: position += 4
      default:
        let count = varint()
        fields.append((tag >> 3, 0, Array(bytes[position..<position + count])))
        position += count
      }
    }
  }

  func all(_ number: Int) -> [[UInt8]] { fields.filter { $0.number == number }.map(\.bytes) }
  func first(_ number: Int) -> [UInt8]? { all(number).first }
  func message(_ number: Int) -> PlainMessage? { first(number).map(PlainMessage.init) }
  func messages(_ number: Int) -> [PlainMessage] { all(number).map(PlainMessage.init) }
  func text(_ number: Int) -> String { String(decoding: first(number) ?? [], as: UTF8.self) }
  func number(_ number: Int) -> Int? { fields.first { $0.number == number }?.value }
}

/// A constant: the number of its element type, its sizes, and its elements as they are stored.
struct PlainConstant {
  var type: Int
  var shape: [Int]
  var bytes: [UInt8]
  /// Where the elements are, if they are in a file.
  var place: (file: String, offset: Int)?

  static let bits = [
    1: 8, 10: 16, 11: 32, 21: 8, 23: 32, 31: 8, 33: 32, 35: 4, 36: 2, 37: 1, 38: 6, 39: 3,
  ]

  var count: Int { shape.reduce(1, *) }

  /// Element `index` as an unsigned number, the lowest bits first.
  func code(_ index: Int, bits: Int) -> Int {
    var code = 0
    for bit in 0..<bits {
      let place = index * bits + bit
      code |= (Int(bytes[place / 8]) >> (place % 8) & 1) << bit
    }
    return code
  }

  func float(_ index: Int) -> Float {
    if type == 11 {
      var pattern: UInt32 = 0
      for byte in 0..<4 { pattern |= UInt32(bytes[4 * index + byte]) << UInt32(8 * byte) }
      return Float(bitPattern: pattern)
    }
    let half = Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8
    let fraction = Float(half & 1023) / 1024
    let (exponent, sign) = (half >> 10 & 31, half >> 15 == 1 ? Float(-1) : 1)
    let scale = Float(sign: .plus, exponent: max(exponent, 1) - 15, significand: 1)
    return sign * scale * (exponent == 0 ? fraction : 1 + fraction)
  }

  var floats: [Float] { (0..<count).map(float) }
  var integers: [Int] { (0..<count).map { code($0, bits: Self.bits[type] ?? 8) } }
}

/// An operation of a program.
struct PlainOperation {
  var kind: String
  /// The names of the values that are read, and constants that stand in the operation.
  var inputs: [String: String] = [:]
  var constants: [String: PlainConstant] = [:]
  var results: [(name: String, type: Int, shape: [Int])] = []
}

/// The programs of a package.
struct PlainPackage {
  private let files: [String: [UInt8]]
  let version: Int
  /// The operation sets of all functions by name; those of stages of a pipeline begin with its index.
  private(set) var operationSets: [String: String] = [:]
  private(set) var functions: [String: [PlainOperation]] = [:]
  /// The places of the records that programs refer to.
  private(set) var records: [String: Set<Int>] = [:]

  init(model: [UInt8], files: [String: [UInt8]]) throws {
    self.files = files
    let file = PlainMessage(model)
    version = try #require(file.number(1))
    if let program = file.message(502) { try add(program, "") }
    for (index, stage) in (file.message(202)?.messages(1) ?? []).enumerated() {
      if let program = stage.message(502) { try add(program, "\(index).") }
    }
  }

  private mutating func add(_ program: PlainMessage, _ prefix: String) throws {
    for entry in program.messages(2) {
      let name = prefix + entry.text(1)
      let function = try #require(entry.message(2))
      operationSets[name] = function.text(2)
      let block = try #require(
        function.messages(3).first { $0.text(1) == function.text(2) }?.message(2))
      functions[name] = try block.messages(3).map { try operation($0) }
    }
  }

  private mutating func operation(_ message: PlainMessage) throws -> PlainOperation {
    var operation = PlainOperation(kind: message.text(1))
    for entry in message.messages(2) {
      guard let binding = entry.message(2)?.message(1) else { continue }
      if let value = binding.message(2) {
        operation.constants[entry.text(1)] = try constant(value)
      } else {
        operation.inputs[entry.text(1)] = binding.text(1)
      }
    }
    for entry in message.messages(5) where entry.text(1) != "name" {
      if let value = entry.message(2) { operation.constants[entry.text(1)] = try constant(value) }
    }
    for result in message.messages(3) {
      let (type, shape) = Self.type(result.message(2))
      operation.results.append((result.text(1), type, shape))
    }
    return operation
  }

  private static func type(_ message: PlainMessage?) -> (Int, [Int]) {
    guard let tensor = message?.message(1) else { return (0, []) }
    return (
      tensor.number(1) ?? 0, tensor.messages(3).map { $0.message(1)?.number(1) ?? -1 }
    )
  }

  private mutating func constant(_ value: PlainMessage) throws -> PlainConstant {
    let (type, shape) = Self.type(value.message(2))
    var constant = PlainConstant(type: type, shape: shape, bytes: [])
    if let blob = value.message(5) {
      let name = blob.text(1)
      try #require(name.hasPrefix("@model_path/"))
      let path = String(name.dropFirst("@model_path/".count))
      let offset = blob.number(2) ?? 0
      constant.place = (path, offset)
      constant.bytes = try stored(path, offset, constant)
      records[path, default: []].insert(offset)
    } else if let tensor = value.message(3)?.message(1) {
      let field = try #require(tensor.fields.first)
      let content = PlainMessage(field.bytes)
      switch field.number {
      case 1, 7: constant.bytes = content.first(1) ?? []
      case 2:
        for byte in content.first(1) ?? [] { constant.bytes += [byte & 0x7F, 0, 0, 0] }
      default: break
      }
    }
    return constant
  }

  /// The elements in a record, whose fields are checked.
  private func stored(_ path: String, _ offset: Int, _ constant: PlainConstant) throws -> [UInt8] {
    let file = try #require(files[path])
    let types = [10: 1, 11: 2, 31: 3, 21: 4, 23: 14, 35: 11, 36: 10, 37: 9, 38: 13, 39: 12]
    let bits = try #require(PlainConstant.bits[constant.type]) * constant.count
    #expect(offset % 64 == 0 && Self.number(file, offset, 4) == 0xDEAD_BEEF)
    #expect(Self.number(file, offset + 4, 4) == types[constant.type])
    let (size, start) = (Self.number(file, offset + 8, 8), Self.number(file, offset + 16, 8))
    #expect(start == offset + 64 && size == (bits + 7) / 8)
    #expect(Self.number(file, offset + 24, 8) == 8 * size - bits)
    return Array(file[start..<start + size])
  }

  static func number(_ file: [UInt8], _ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
  }

  /// Every file is a storage of version 2: a header, then records one behind the other, each of which
  /// a program refers to, and no two of which are equal.
  func checkFiles() {
    #expect(Set(files.keys) == Set(records.keys))
    for (path, file) in files {
      var (position, found, contents) = (64, Set<Int>(), Set<[UInt8]>())
      while position < file.count {
        found.insert(position)
        let size = Self.number(file, position + 8, 8)
        let (start, end) = (position + 64, position + 64 + size)
        contents.insert(Array(file[position + 4..<position + 8]) + Array(file[start..<end]))
        position = end == file.count ? end : (end + 63) / 64 * 64
      }
      #expect(position == file.count, "\(path)")
      #expect(Self.number(file, 0, 4) == found.count && Self.number(file, 4, 4) == 2)
      #expect(found == records[path] && contents.count == found.count, "\(path)")
    }
  }
}

/// Halves by their definition.
enum PlainHalf {
  /// The nearest half, ties to even.
  static func rounded(_ value: Float) -> Float {
    let step = Float(sign: .plus, exponent: exponent(value) - 10, significand: 1)
    return (value / step).rounded(.toNearestOrEven) * step
  }

  /// The bits of the nearest half.
  static func pattern(_ value: Float) -> UInt16 {
    let half = rounded(value).magnitude
    let exponent = exponent(half)
    let steps = Int(half / Float(sign: .plus, exponent: exponent - 10, significand: 1))
    // Normal numbers have 1024 to 2047 steps, and the 1024 count as one in the exponent.
    let magnitude = steps + (steps < 1024 ? 0 : (exponent + 14) * 1024)
    return UInt16(magnitude) | (value.sign == .minus ? 0x8000 : 0)
  }

  private static func exponent(_ value: Float) -> Int {
    value == 0 ? -14 : max(Int(value.exponent), -14)
  }
}
