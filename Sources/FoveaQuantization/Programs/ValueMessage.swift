// Fovea - constants of programs as messages.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// Writes `Value` messages of MILSpec.
enum ValueMessage {
  /// A value in a file.
  static func place(_ place: ProgramBlobs.Place) -> [UInt8] {
    var blob = WireWriter()
    blob.bytes(1, Array(place.file.utf8))
    blob.integer(2, place.offset)
    return blob.output
  }

  /// A `ValueType` that is a tensor.
  static func type(_ element: ElementType, _ shape: [Int]) -> [UInt8] {
    var tensor = WireWriter()
    tensor.integer(1, element.messageNumber ?? 0)
    if !shape.isEmpty { tensor.integer(2, shape.count) }
    for size in shape {
      var (constant, dimension) = (WireWriter(), WireWriter())
      constant.integer(1, size)
      dimension.bytes(1, constant.output)
      tensor.bytes(3, dimension.output)
    }
    return message { $0.bytes(1, tensor.output) }
  }

  /// A value whose elements are in a file.
  static func value(_ type: [UInt8], at place: ProgramBlobs.Place) -> [UInt8] {
    message { value in
      value.bytes(2, type)
      value.bytes(5, self.place(place))
    }
  }

  /// A value with its elements; `fill` writes the field of a `TensorValue`.
  static func value(_ type: [UInt8], _ fill: (inout WireWriter) -> Void) -> [UInt8] {
    let tensor = message(fill)
    let immediate = message { $0.bytes(1, tensor) }
    return message { value in
      value.bytes(2, type)
      value.bytes(3, immediate)
    }
  }

  /// Elements as raw bytes.
  static func value(_ type: [UInt8], raw bytes: [UInt8]) -> [UInt8] {
    let content = message { $0.bytes(1, bytes) }
    return value(type) { $0.bytes(7, content) }
  }

  /// A text.
  static func text(_ text: String) -> [UInt8] {
    let content = message { $0.bytes(1, Array(text.utf8)) }
    return value(type(.string, [])) { $0.bytes(4, content) }
  }

  /// An integer of 32 bits that is not negative.
  static func integer(_ number: Int) -> [UInt8] {
    var digits = WireWriter()
    digits.integer(1, number)
    // Packed: the field's tag is a byte, and its number what follows.
    let content = message { $0.bytes(1, Array(digits.output.dropFirst())) }
    return value(type(.int32, [])) { $0.bytes(2, content) }
  }

  /// Unsigned integers of 32 bits.
  static func unsigned(_ numbers: [Int]) -> [UInt8] {
    let bytes = numbers.flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return value(type(.uint32, [numbers.count]), raw: bytes)
  }

  /// A message.
  static func message(_ fill: (inout WireWriter) -> Void) -> [UInt8] {
    var writer = WireWriter()
    fill(&writer)
    return writer.output
  }
}
