// Fovea - constants of programs as messages.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// Writes `Value` messages of MILSpec.
package enum ValueMessage {
  /// A value in a file.
  package static func place(_ place: ProgramBlobs.Place) -> [UInt8] {
    var blob = WireWriter()
    blob.bytes(1, Array(place.file.utf8))
    blob.integer(2, place.offset)
    return blob.output
  }

  /// A `ValueType` that is a tensor.
  package static func type(_ element: ElementType, _ shape: [Int]) -> [UInt8] {
    TypeMessage.type(.tensor(TensorType(element: element, shape: shape)))
  }

  /// A value whose elements are in a file.
  package static func value(_ type: [UInt8], at place: ProgramBlobs.Place) -> [UInt8] {
    message { value in
      value.bytes(2, type)
      value.bytes(5, self.place(place))
    }
  }

  /// A value with its elements; `fill` writes the field of a `TensorValue`.
  package static func value(_ type: [UInt8], _ fill: (inout WireWriter) -> Void) -> [UInt8] {
    let tensor = message(fill)
    let immediate = message { $0.bytes(1, tensor) }
    return message { value in
      value.bytes(2, type)
      value.bytes(3, immediate)
    }
  }

  /// Elements as raw bytes.
  package static func value(_ type: [UInt8], raw bytes: [UInt8]) -> [UInt8] {
    let content = message { $0.bytes(1, bytes) }
    return value(type) { $0.bytes(7, content) }
  }

  /// A text.
  package static func text(_ text: String) -> [UInt8] {
    value(type(.string, [])) { tensor in tensor.message(4) { $0.text(1, text) } }
  }

  /// A constant with its elements. Types whose numbers have fields of their own are written there,
  /// all others as raw bytes.
  static func value(_ constant: TensorConstant) -> [UInt8] {
    let type = type(constant.element, constant.shape)
    switch constant.content {
    case .strings(let texts):
      return value(type) { tensor in
        tensor.message(4) { list in for text in texts { list.text(1, text) } }
      }
    case .bytes(let bytes):
      switch constant.element {
      case .float32: return value(type) { tensor in tensor.message(1) { $0.packed(1, bytes) } }
      case .float64: return value(type) { tensor in tensor.message(6) { $0.packed(1, bytes) } }
      case .int32: return value(type) { $0.packedIntegers(2, bytes.words(of: Int32.self)) }
      case .bool: return value(type) { $0.packedIntegers(3, bytes.words(of: UInt8.self)) }
      case .int64: return value(type) { $0.packedIntegers(5, bytes.words(of: Int64.self)) }
      default: return value(type, raw: bytes.array)
      }
    }
  }

  /// A constant of rank 1 as a list of scalars, as the labels of a classifier are given.
  static func list(_ constant: TensorConstant) -> [UInt8] {
    let type = TypeMessage.type(
      .list(.tensor(TensorType(element: constant.element, shape: [])), count: constant.count))
    let immediate = message { value in
      value.message(3) { list in
        for index in 0..<constant.count { list.bytes(1, self.value(constant.scalar(at: index))) }
      }
    }
    return message { value in
      value.bytes(2, type)
      value.bytes(3, immediate)
    }
  }

  /// An integer of 32 bits.
  package static func integer(_ number: Int) -> [UInt8] {
    value(type(.int32, [])) { tensor in tensor.message(2) { $0.integers(1, [number]) } }
  }

  /// Unsigned integers of 32 bits.
  package static func unsigned(_ numbers: [Int]) -> [UInt8] {
    let bytes = numbers.flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return value(type(.uint32, [numbers.count]), raw: bytes)
  }

  /// A message.
  package static func message(_ fill: (inout WireWriter) -> Void) -> [UInt8] {
    var writer = WireWriter()
    fill(&writer)
    return writer.output
  }
}

extension WireWriter {
  /// Appends elements that are packed already.
  fileprivate mutating func packed(_ field: Int, _ elements: StoredBytes) {
    if !elements.isEmpty { bytes(field, elements.array) }
  }

  /// Appends a message of packed integers.
  fileprivate mutating func packedIntegers(_ field: Int, _ values: [Int]) {
    message(field) { $0.integers(1, values) }
  }
}

extension StoredBytes {
  /// All bytes as little-endian words.
  package func words<Word: FixedWidthInteger & BitwiseCopyable>(of type: Word.Type) -> [Int] {
    withBytes { bytes in
      (0..<bytes.count / MemoryLayout<Word>.size).map { index in
        Int(
          clamping: Word(
            littleEndian: bytes.loadUnaligned(
              fromByteOffset: index * MemoryLayout<Word>.size, as: Word.self)))
      }
    }
  }
}

extension TensorConstant {
  /// One element of a constant whose elements are whole bytes, or texts.
  fileprivate func scalar(at index: Int) -> TensorConstant {
    switch content {
    case .strings(let texts):
      return TensorConstant(element: element, shape: [], content: .strings([texts[index]]))
    case .bytes(let bytes):
      let size = element.bits / 8
      return TensorConstant(
        element: element, shape: [], content: .bytes(bytes[index * size..<(index + 1) * size]))
    }
  }
}
