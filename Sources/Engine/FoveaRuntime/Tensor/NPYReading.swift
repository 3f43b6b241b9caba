// Fovea - reading tensors from .npy files.
// SPDX-License-Identifier: Apache-2.0
public import FoveaCore
internal import FoveaFiles

extension Tensor {
  /// Reads the bytes of a .npy file, versions 1 to 3, either byte order, either index order.
  ///
  /// f4, u1, i1, i2 and i4 keep their type. Other floats become float32. Other integers become
  /// int32 when all of them fit.
  ///
  /// - Throws: `file` for bytes that are not valid; `unsupported` for booleans, complex numbers,
  ///   strings and records.
  /// - Complexity: O(bytes). Memory follows the size of `bytes`, not the header.
  package init(npy bytes: [UInt8]) throws(FoveaError) {
    let header = try NPYHeader(parsing: bytes)
    let count = try ArrayShape.elementCount(header.shape)
    let (size, overflow) = count.multipliedReportingOverflow(by: header.element.byteCount)
    let available = bytes.count - header.dataOffset
    guard !overflow, size <= available else {
      throw NPYHeader.damaged(
        "shape \(header.shape) needs \(count) elements of \(header.element.byteCount) bytes,"
          + " and \(available) bytes follow the header")
    }
    let data = bytes[header.dataOffset..<header.dataOffset + size]
    let storage = try header.elements(of: data, count: count)
    if header.isFortranOrder {
      let reversed = try Tensor(storage: storage, shape: header.shape.reversed())
      self = reversed.transposed()
    } else {
      try self.init(storage: storage, shape: header.shape)
    }
  }

  /// Reads a .npy file. Errors name the file; otherwise as `init(npy:)`.
  public init(contentsOf path: String) throws(FoveaError) {
    let bytes = try FoveaError.readFile(path)
    do throws(FoveaError) {
      try self.init(npy: bytes)
    } catch {
      throw error.prefixed(by: path)
    }
  }
}

extension NPYHeader {
  /// The stored elements in their order; `data` holds exactly `count` of them.
  func elements(of data: ArraySlice<UInt8>, count: Int) throws(FoveaError) -> TensorStorage {
    switch element {
    case .uint8: return .uint8(Array(data))
    case .int8: return .int8(data.map { Int8(bitPattern: $0) })
    case .float32:
      return .float32(words(data, count, UInt32.self) { Float(bitPattern: $0) })
    case .float64:
      return .float32(words(data, count, UInt64.self) { Float(Double(bitPattern: $0)) })
    case .float16:
      return .float32(words(data, count, UInt16.self) { Float(halfBits: $0) })
    case .int32: return .int32(words(data, count, UInt32.self) { Int32(bitPattern: $0) })
    case .int16:
      return .int16(words(data, count, UInt16.self) { Int16(bitPattern: $0) })
    case .uint16: return .int32(words(data, count, UInt16.self) { Int32($0) })
    case .uint32: return .int32(try fitting(words(data, count, UInt32.self) { $0 }))
    case .uint64: return .int32(try fitting(words(data, count, UInt64.self) { $0 }))
    case .int64:
      return .int32(try fitting(words(data, count, UInt64.self) { Int64(bitPattern: $0) }))
    }
  }

  private func words<Word: FixedWidthInteger, Element>(
    _ data: ArraySlice<UInt8>, _ count: Int, _ type: Word.Type, _ convert: (Word) -> Element
  ) -> [Element] {
    data.withUnsafeBytes { bytes in
      (0..<count).map { index in
        let word = bytes.loadUnaligned(
          fromByteOffset: index * MemoryLayout<Word>.size, as: Word.self)
        return convert(isLittleEndian ? Word(littleEndian: word) : Word(bigEndian: word))
      }
    }
  }

  private func fitting<Integer: FixedWidthInteger>(
    _ values: [Integer]
  ) throws(FoveaError) -> [Int32] {
    if let value = values.first(where: { Int32(exactly: $0) == nil }) {
      throw FoveaError(
        .unsupported, "the integer \(value) does not fit into 32 bits; store the array as float32")
    }
    return values.map { Int32(truncatingIfNeeded: $0) }
  }
}

extension Float {
  /// The value of an IEEE 754 binary16 pattern.
  fileprivate init(halfBits half: UInt16) {
    let sign = UInt32(half & 0x8000) << 16
    let exponent = UInt32(half >> 10 & 0x1F)
    let fraction = UInt32(half & 0x3FF)
    switch exponent {
    case 0: self = Float(bitPattern: (Float(fraction) * 0x1p-24).bitPattern | sign)
    case 31: self = Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: self = Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }
}
