// Fovea - an array of numbers with a shape.
// SPDX-License-Identifier: Apache-2.0
public import FoveaCore

/// An array of numbers with a shape.
///
/// A tensor is a value. Copies and views (`reshaped`, `transposed`, `sliced`) share their elements
/// until one of them is written, which copies first.
public struct Tensor: Sendable {
  /// The size of each dimension, outermost first; empty for a scalar.
  public let shape: [Int]
  /// The distance of neighbors along each dimension, in elements.
  package let strides: [Int]
  /// The place of the first element in the storage.
  let offset: Int
  /// The elements, maybe of a larger tensor that this one is a view of.
  var storage: TensorStorage

  /// The type of the elements.
  public var dataType: DataType { storage.dataType }
  /// The number of dimensions.
  package var rank: Int { shape.count }
  /// The number of elements.
  public var count: Int { shape.reduce(1, *) }
  /// Whether the elements are row-major and without gaps.
  package var isContiguous: Bool { Self.areContiguous(shape: shape, strides: strides) }

  /// A view of storage that is known to hold every element that the strides reach.
  init(storage: TensorStorage, shape: [Int], strides: [Int], offset: Int) {
    self.storage = storage
    self.shape = shape
    self.strides = strides
    self.offset = offset
  }

  /// Row-major elements of a shape, which must agree in number.
  init(storage: TensorStorage, shape: [Int]) throws(FoveaError) {
    let count = try ArrayShape.elementCount(shape)
    guard count == storage.count else {
      throw FoveaError(
        .shapeMismatch,
        "shape \(shape) has \(count) elements, but \(storage.count) were given")
    }
    self.init(storage: storage, shape: shape, strides: Self.rowMajorStrides(shape), offset: 0)
  }

  /// Creates a tensor of floats, row-major.
  ///
  /// - Throws: `shapeMismatch` if the number of values does not fit the shape; `invalidArgument`
  ///   for a negative size.
  public init(shape: [Int], floats: [Float]) throws(FoveaError) {
    try self.init(storage: .float32(floats), shape: shape)
  }

  /// Creates a tensor of unsigned bytes, row-major. Throws as `init(shape:floats:)`.
  public init(shape: [Int], uint8s: [UInt8]) throws(FoveaError) {
    try self.init(storage: .uint8(uint8s), shape: shape)
  }

  /// Creates a tensor of signed bytes, row-major. Throws as `init(shape:floats:)`.
  package init(shape: [Int], int8s: [Int8]) throws(FoveaError) {
    try self.init(storage: .int8(int8s), shape: shape)
  }

  /// Creates a tensor of 16-bit integers, row-major. Throws as `init(shape:floats:)`.
  package init(shape: [Int], int16s: [Int16]) throws(FoveaError) {
    try self.init(storage: .int16(int16s), shape: shape)
  }

  /// Creates a tensor of 32-bit integers, row-major. Throws as `init(shape:floats:)`.
  package init(shape: [Int], int32s: [Int32]) throws(FoveaError) {
    try self.init(storage: .int32(int32s), shape: shape)
  }

  /// Returns a tensor of zeros.
  ///
  /// - Throws: `invalidArgument` for a negative size; `overflow` for too many elements.
  package static func zeros(shape: [Int], type: DataType = .float32) throws(FoveaError) -> Tensor {
    let count = try ArrayShape.elementCount(shape)
    let storage: TensorStorage =
      switch type {
      case .float32: .float32(Array(repeating: 0, count: count))
      case .uint8: .uint8(Array(repeating: 0, count: count))
      case .int8: .int8(Array(repeating: 0, count: count))
      case .int16: .int16(Array(repeating: 0, count: count))
      case .int32: .int32(Array(repeating: 0, count: count))
      }
    return try Tensor(storage: storage, shape: shape)
  }
}

extension Tensor {
  /// The strides of a dense row-major array; the shape has passed `ArrayShape.elementCount`.
  static func rowMajorStrides(_ shape: [Int]) -> [Int] {
    var strides = [Int](repeating: 1, count: shape.count)
    var step = 1
    for index in shape.indices.reversed() {
      strides[index] = step
      step *= max(shape[index], 1)
    }
    return strides
  }

  private static func areContiguous(shape: [Int], strides: [Int]) -> Bool {
    var step = 1
    for index in shape.indices.reversed() where shape[index] != 1 {
      if shape[index] == 0 { return true }
      guard strides[index] == step else { return false }
      step *= shape[index]
    }
    return true
  }
}

extension Tensor: Equatable {
  /// Whether type, shape and all elements are equal. Strides do not matter.
  public static func == (left: Tensor, right: Tensor) -> Bool {
    guard left.dataType == right.dataType, left.shape == right.shape else { return false }
    return left.denseStorage() == right.denseStorage()
  }
}
