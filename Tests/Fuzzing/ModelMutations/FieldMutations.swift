// Fovea - changes of one field of a message: the values at which readers break.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport

/// A change of one field.
enum FieldMutation {
  /// Of a number.
  case integer(UInt64)
  case fixed32(UInt32)
  case fixed64(UInt64)
  /// Of bytes: another length, every number replaced, other text of the same file.
  case truncated(Int)
  case extended(Int)
  case replaced([UInt8])
  case everyFloat(UInt32)
  case everyByte(UInt8)
  /// Of packed integers: all of them, or one.
  case everyInteger(UInt64)
  case oneInteger(Int, UInt64)
  /// Of any field.
  case removed
  case repeated(Int)
  case renumbered(Int)
  case movedToEnd
  /// Of an entry of a map: its value and that of the next one change places.
  case exchanged
}

extension MessageTree {
  /// The places of all fields, each a path of indices.
  func places() -> [[Int]] {
    fields.indices.flatMap { index -> [[Int]] in
      guard case .message(let inner) = fields[index].content else { return [[index]] }
      return [[index]] + inner.places().map { [index] + $0 }
    }
  }

  /// All texts that occur, without repetition.
  func texts() -> [[UInt8]] {
    var found: [[UInt8]] = []
    for field in fields {
      switch field.content {
      case .bytes(let bytes)
      where bytes.count <= 64 && bytes.allSatisfy { (0x20..<0x7F).contains($0) }:
        found.append(bytes)
      case .message(let inner): found += inner.texts()
      default: break
      }
    }
    return Array(Set(found)).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The field at a place.
  subscript(place: ArraySlice<Int>) -> MessageField? {
    guard let first = place.first, fields.indices.contains(first) else { return nil }
    if place.count == 1 { return fields[first] }
    guard case .message(let inner) = fields[first].content else { return nil }
    return inner[place.dropFirst()]
  }

  /// Applies a change at a place; `false` where the field is of another kind or no longer there.
  mutating func apply(_ mutation: FieldMutation, at place: ArraySlice<Int>) -> Bool {
    guard let first = place.first, fields.indices.contains(first) else { return false }
    guard place.count == 1 else {
      guard case .message(var inner) = fields[first].content,
        inner.apply(mutation, at: place.dropFirst())
      else { return false }
      fields[first].content = .message(inner)
      return true
    }
    switch mutation {
    case .removed: fields.remove(at: first)
    case .repeated(let count):
      fields.insert(contentsOf: repeatElement(fields[first], count: count), at: first)
    case .renumbered(let number): fields[first].number = number
    case .movedToEnd: fields.append(fields.remove(at: first))
    case .exchanged: return exchangeValues(at: first)
    default:
      guard let content = fields[first].content.changed(by: mutation) else { return false }
      fields[first].content = content
    }
    return true
  }
}

extension MessageTree {
  /// Exchanges the last fields of two messages that stand one after another.
  fileprivate mutating func exchangeValues(at place: Int) -> Bool {
    guard fields.indices.contains(place + 1),
      case .message(var first) = fields[place].content,
      case .message(var second) = fields[place + 1].content,
      let left = first.fields.popLast(), let right = second.fields.popLast()
    else { return false }
    first.fields.append(right)
    second.fields.append(left)
    fields[place].content = .message(first)
    fields[place + 1].content = .message(second)
    return true
  }
}

extension MessageField.Content {
  /// Packed integers, if that is what the bytes can be.
  var packedIntegers: [UInt64]? {
    guard case .bytes(let bytes) = self, !bytes.isEmpty, bytes.count <= 64 else { return nil }
    var numbers: [UInt64] = []
    var (value, shift) = (UInt64(0), UInt64(0))
    for byte in bytes {
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      numbers.append(value)
      (value, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }

  private static func packed(_ numbers: [UInt64]) -> Self {
    .bytes(ProtobufWriter { writer in for number in numbers { writer.varint(number) } }.bytes)
  }

  private func changed(to value: UInt64, at place: Int?) -> Self? {
    guard var numbers = packedIntegers else { return nil }
    for index in numbers.indices where place == nil || place == index { numbers[index] = value }
    return Self.packed(numbers)
  }
}

extension MessageField.Content {
  /// Whatever has a length, as bytes.
  private var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .message(let message): message.bytes
    default: nil
    }
  }

  fileprivate func changed(by mutation: FieldMutation) -> Self? {
    switch (mutation, self) {
    case (.integer(let value), .integer): return .integer(value)
    case (.fixed32(let value), .fixed32): return .fixed32(value)
    case (.fixed64(let value), .fixed64): return .fixed64(value)
    case (.everyInteger(let value), _): return changed(to: value, at: nil)
    case (.oneInteger(let place, let value), _): return changed(to: value, at: place)
    default: break
    }
    guard let bytes else { return nil }
    switch mutation {
    case .truncated(let count): return .bytes(Array(bytes.dropLast(count)))
    case .extended(let count): return .bytes(bytes + Array(bytes.suffix(count)))
    case .replaced(let other): return .bytes(other)
    case .everyByte(let value): return .bytes([UInt8](repeating: value, count: bytes.count))
    case .everyFloat(let bits) where bytes.count % 4 == 0:
      return .bytes(
        bytes.indices.map { UInt8(truncatingIfNeeded: bits >> UInt32($0 % 4 * 8)) })
    default: return nil
    }
  }
}

/// The changes that are tried on a field.
struct MutationCatalog {
  /// Texts of the file: a name in the place of another makes cycles, doubles and dangling wires.
  let texts: [[UInt8]]
  /// Whether the file is an ML Program.
  var isProgram = false

  /// Sizes, axes, strides and amounts; negative ones have 64 bits.
  private static let packed: [UInt64] = [
    0, 1, 2, 3, 100, UInt64(bitPattern: -1), UInt64(bitPattern: -2), 1 << 20, 1 << 31 - 1, 1 << 31,
    1 << 40, UInt64(bitPattern: Int64(Int32.min)), 1 << 63 - 1, 1 << 63,
  ]
  private static let integers: [UInt64] = [
    0, 1, 2, 3, 7, 255, 4096, 65_537, 1 << 31 - 1, 1 << 31, 1 << 32, 1 << 40, 1 << 63 - 1, 1 << 63,
    .max, .max - 1, UInt64(bitPattern: -2_147_483_648),
  ]
  private static let floats: [Float] = [
    0, -0.0, 1, -1, 1e-30, -1e-30, .leastNonzeroMagnitude, 1e30, -1e30, .infinity, -.infinity, .nan,
    2_147_483_648,
  ]
  /// Field numbers of layers, and of the fields that they share.
  private static let numbers = [
    1, 2, 3, 5, 7, 10, 20, 30, 31, 40, 41, 50, 51, 60, 70, 71, 80, 90, 91, 100, 101, 102, 110, 120,
    130, 140, 160, 165, 170, 175, 180, 190, 200, 201, 202, 210, 211, 220, 230, 231, 240, 245, 250,
    260, 261, 270, 280, 290, 300, 301, 310, 320, 330, 345, 350, 500, 600, 660, 665, 670, 790, 795,
    880, 885, 920, 925, 950, 975, 980, 985, 995, 1045, 1070, 1085, 1105, 1120, 1125, 1130, 1140,
    1150, 1155, 1250, 1260, 1270, 1280, 1350, 1460,
  ]

  /// Every change that makes sense for a field.
  func mutations(of field: MessageField) -> [FieldMutation] {
    var list: [FieldMutation] = [.removed, .repeated(1), .repeated(40), .movedToEnd]
    switch field.content {
    case .integer: list += Self.integers.map { .integer($0) }
    case .fixed32: list += Self.floats.map { .fixed32($0.bitPattern) }
    case .fixed64: list += Self.floats.map { .fixed64(Double($0).bitPattern) }
    case .bytes(let bytes):
      list += lengths + texts.filter { $0 != bytes }.map { .replaced($0) }
      list += [0, 1, 0x7F, 0xFF].map { .everyByte($0) }
      if let numbers = field.content.packedIntegers, isProgram {
        list += Self.packed.map { .everyInteger($0) }
        for place in numbers.indices.prefix(8) {
          list += Self.packed.map { .oneInteger(place, $0) }
        }
      }
      if bytes.count % 4 == 0 { list += Self.floats.map { .everyFloat($0.bitPattern) } }
    case .message:
      if isProgram { list.append(.exchanged) }
      list += lengths
      list += (isProgram ? Array(1...8) : Self.numbers).map { .renumbered($0) }
    }
    return list
  }

  private var lengths: [FieldMutation] {
    [1, 2, 4].map { .truncated($0) } + [1, 4, 64].map { .extended($0) } + [.replaced([])]
  }
}
