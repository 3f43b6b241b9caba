// Fovea - writing tensors as .npy files.
// SPDX-License-Identifier: Apache-2.0
public import FoveaCore
internal import FoveaFiles

extension Tensor {
  /// The tensor as a .npy file: version 1, little-endian, C order, readable by NumPy.
  ///
  /// - Complexity: O(count).
  package func npyBytes() -> [UInt8] {
    let type =
      switch dataType {
      case .float32: "<f4"
      case .uint8: "|u1"
      case .int8: "|i1"
      case .int16: "<i2"
      case .int32: "<i4"
      }
    let sizes = shape.map(String.init).joined(separator: ", ") + (rank == 1 ? "," : "")
    var header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(sizes)), }"
    // The elements begin at a multiple of 64 bytes, so that they can be mapped.
    let unpadded = 10 + header.utf8.count + 1
    header += String(repeating: " ", count: (64 - unpadded % 64) % 64) + "\n"
    let length = header.utf8.count
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8)
    bytes += [1, 0, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
    bytes += Array(header.utf8)
    bytes.reserveCapacity(bytes.count + count * dataType.byteCount)
    switch denseStorage() {
    case .float32(let values): for value in values { bytes.append(word: value.bitPattern) }
    case .int32(let values):
      for value in values { bytes.append(word: UInt32(bitPattern: value)) }
    case .uint8(let values): bytes += values
    case .int8(let values): for value in values { bytes.append(UInt8(bitPattern: value)) }
    case .int16(let values):
      for value in values {
        bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
    }
    return bytes
  }

  /// Creates or replaces a .npy file.
  ///
  /// - Throws: `file`, with the name of the file and the message of the system.
  public func write(to path: String) throws(FoveaError) {
    try FoveaError.writeFile(npyBytes(), to: path)
  }
}

extension [UInt8] {
  fileprivate mutating func append(word: UInt32) {
    append(UInt8(truncatingIfNeeded: word))
    append(UInt8(truncatingIfNeeded: word >> 8))
    append(UInt8(truncatingIfNeeded: word >> 16))
    append(UInt8(truncatingIfNeeded: word >> 24))
  }
}
