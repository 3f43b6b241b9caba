// Fovea - the elements that tensors share.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// The elements of one or several tensors. Arrays are shared until one of them is written to.
enum TensorStorage: Sendable, Equatable {
  case float32([Float])
  case uint8([UInt8])
  case int8([Int8])
  case int16([Int16])
  case int32([Int32])

  var dataType: DataType {
    switch self {
    case .float32: .float32
    case .uint8: .uint8
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    }
  }

  var count: Int {
    switch self {
    case .float32(let values): values.count
    case .uint8(let values): values.count
    case .int8(let values): values.count
    case .int16(let values): values.count
    case .int32(let values): values.count
    }
  }
}

extension Tensor {
  /// The elements, row-major, as an array of their own type.
  ///
  /// - Complexity: O(1) when the tensor is its whole storage, else O(count).
  func denseStorage() -> TensorStorage {
    if isContiguous, offset == 0, count == storage.count { return storage }
    switch storage {
    case .float32(let values): return .float32(gathered(values))
    case .uint8(let values): return .uint8(gathered(values))
    case .int8(let values): return .int8(gathered(values))
    case .int16(let values): return .int16(gathered(values))
    case .int32(let values): return .int32(gathered(values))
    }
  }

  /// The elements that this view reaches, row-major.
  private func gathered<Element>(_ values: [Element]) -> [Element] {
    let count = count
    if count == 0 { return [] }
    if isContiguous { return Array(values[offset..<offset + count]) }
    var result: [Element] = []
    result.reserveCapacity(count)
    forEachPlace { result.append(values[$0]) }
    return result
  }

  /// Calls `body` with the place in the storage of every element, in row-major order.
  func forEachPlace(_ body: (Int) -> Void) {
    guard !shape.contains(0) else { return }
    guard let width = shape.last, let step = strides.last else { return body(offset) }
    var index = [Int](repeating: 0, count: rank - 1)
    var row = offset
    while true {
      for column in 0..<width { body(row + column * step) }
      var dimension = rank - 2
      while dimension >= 0 {
        index[dimension] += 1
        row += strides[dimension]
        if index[dimension] < shape[dimension] { break }
        row -= shape[dimension] * strides[dimension]
        index[dimension] = 0
        dimension -= 1
      }
      if dimension < 0 { return }
    }
  }
}
