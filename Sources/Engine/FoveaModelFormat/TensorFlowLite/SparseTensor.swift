// Fovea - sparse tensors of TensorFlow Lite files.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Places of the stored elements of a tensor, most of whose elements are zero.
///
/// Dimensions are walked in an order of their own; a dimension may be cut into blocks, which are
/// walked as further dimensions. At each level a dimension is dense, or it lists the indices that
/// occur below each index of the level before:
///
///     segments 0 2 3, indices 1 4 0:  below 0 there are 1 and 4, below 1 there is 0
struct SparseTensor {
  private let tensor: TensorFlowLiteTensor
  private var levels: [Level] = []

  private struct Level {
    /// The number of indices of the dimension.
    var size: Int
    /// The distance of neighbors in the dense tensor, in elements.
    var stride: Int
    /// Segments and indices; `nil` for a dense dimension.
    var listed: (segments: [Int], indices: [Int])?
  }

  init(_ tensor: TensorFlowLiteTensor, _ table: FlatTable) throws(ModelFormatError) {
    self.tensor = tensor
    let order = try table.integers(0)
    let blocked = try table.integers(1)
    let list = try table.tables(2, "dim_metadata", most: 64)
    let rank = tensor.shape.count
    guard list.count == rank + blocked.count, order.sorted() == Array(0..<list.count),
      blocked.allSatisfy({ (0..<rank).contains($0) }), Set(blocked).count == blocked.count,
      tensor.element.bits >= 8, !tensor.shape.contains(0)
    else { throw Self.mismatch(tensor, "dimensions in the order \(order), blocks of \(blocked)") }
    var strides = Array(repeating: 1, count: rank)
    for axis in (0..<max(rank - 1, 0)).reversed() {
      strides[axis] = strides[axis + 1] * tensor.shape[axis + 1]
    }
    // The sizes of blocks stand where blocks are walked.
    var blockSizes = Array(repeating: 1, count: rank)
    for (level, dimension) in order.enumerated() where dimension >= rank {
      let size = try list.table(level).integer(1)
      let axis = blocked[dimension - rank]
      guard size >= 1, tensor.shape[axis] % size == 0 else {
        throw Self.mismatch(tensor, "blocks of \(size) along axis \(axis)")
      }
      blockSizes[axis] = size
    }
    for (level, dimension) in order.enumerated() {
      let isBlock = dimension >= rank
      let axis = isBlock ? blocked[dimension - rank] : dimension
      levels.append(
        Level(
          size: isBlock ? blockSizes[axis] : tensor.shape[axis] / blockSizes[axis],
          stride: isBlock ? strides[axis] : strides[axis] * blockSizes[axis],
          listed: try Self.listed(list.table(level))))
    }
  }

  private static func listed(
    _ table: FlatTable
  ) throws(ModelFormatError) -> (segments: [Int], indices: [Int])? {
    guard try table.byte(0) == 1 else { return nil }
    return (try numbers(table, 2), try numbers(table, 4))
  }

  /// A list of integers of 32, 16 or 8 bits, behind the number that tells which.
  private static func numbers(
    _ table: FlatTable, _ field: Int
  ) throws(ModelFormatError) -> [Int] {
    guard let vector = try table.table(field + 1, "indices") else { return [] }
    return switch try table.byte(field) {
    case 1: try vector.integers(0)
    case 2: try vector.numbers(0, as: UInt16.self)
    case 3: try vector.numbers(0, as: UInt8.self)
    default: []
    }
  }

  /// All elements, row-major.
  func dense(_ stored: StoredBytes) throws(ModelFormatError) -> [UInt8] {
    let width = tensor.element.bits / 8
    let count = stored.count / width
    // The places of what was reached so far, in the order in which it is stored.
    var places = [0]
    for level in levels {
      var next: [Int] = []
      for (index, place) in places.enumerated() {
        guard let listed = level.listed else {
          guard next.count + level.size <= tensor.count else { throw tooMany() }
          for child in 0..<level.size { next.append(place + child * level.stride) }
          continue
        }
        guard index + 1 < listed.segments.count, listed.segments[index] >= 0,
          listed.segments[index] == next.count,
          listed.segments[index] <= listed.segments[index + 1],
          listed.segments[index + 1] <= listed.indices.count
        else { throw Self.mismatch(tensor, "segments that do not fit their indices") }
        for child in listed.indices[listed.segments[index]..<listed.segments[index + 1]] {
          guard (0..<level.size).contains(child) else {
            throw Self.mismatch(tensor, "index \(child) of \(level.size)")
          }
          next.append(place + child * level.stride)
        }
        guard next.count <= tensor.count else { throw tooMany() }
      }
      places = next
    }
    guard places.count == count, stored.count % width == 0 else { throw tooMany() }
    var bytes = [UInt8](repeating: 0, count: tensor.count * width)
    stored.withBytes { stored in
      for (index, place) in places.enumerated() {
        for byte in 0..<width { bytes[place * width + byte] = stored[index * width + byte] }
      }
    }
    return bytes
  }

  private func tooMany() -> ModelFormatError {
    Self.mismatch(tensor, "places for another number of elements than are stored")
  }

  private static func mismatch(_ tensor: TensorFlowLiteTensor, _ found: String) -> ModelFormatError
  {
    ModelFormatError(
      .invalidWeights, fieldPath: "\(tensor.path).sparsity", found: found,
      expected: "places of elements of a tensor of shape \(tensor.shape)")
  }
}
