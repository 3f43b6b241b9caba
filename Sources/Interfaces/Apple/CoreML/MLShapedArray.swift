// Fovea - arrays of numbers with a shape, as values.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

/// A type of numbers that arrays hold.
public protocol MLShapedArrayScalar: Sendable, Equatable {
  static var multiArrayDataType: MLMultiArrayDataType { get }

  /// The nearest number of this type.
  init(number: Double)

  var number: Double { get }
}

extension Float: MLShapedArrayScalar {
  public static var multiArrayDataType: MLMultiArrayDataType { .float32 }
  public init(number: Double) { self.init(number) }
  public var number: Double { Double(self) }
}

extension Double: MLShapedArrayScalar {
  public static var multiArrayDataType: MLMultiArrayDataType { .double }
  public init(number: Double) { self = number }
  public var number: Double { self }
}

extension Float16: MLShapedArrayScalar {
  public static var multiArrayDataType: MLMultiArrayDataType { .float16 }
  public init(number: Double) { self.init(number) }
  public var number: Double { Double(self) }
}

extension Int32: MLShapedArrayScalar {
  public static var multiArrayDataType: MLMultiArrayDataType { .int32 }
  public init(number: Double) {
    self =
      number.isNaN ? 0 : Int32(Swift.min(Swift.max(number, Double(Int32.min)), Double(Int32.max)))
  }
  public var number: Double { Double(self) }
}

extension Int8: MLShapedArrayScalar {
  public static var multiArrayDataType: MLMultiArrayDataType { .int8 }
  public init(number: Double) {
    self = number.isNaN ? 0 : Int8(Swift.min(Swift.max(number, Double(Int8.min)), Double(Int8.max)))
  }
  public var number: Double { Double(self) }
}

/// What arrays and their slices have in common.
public protocol MLShapedArrayProtocol<Scalar>: Equatable, RandomAccessCollection, Sendable
where Index == Int {
  associatedtype Scalar: MLShapedArrayScalar

  var shape: [Int] { get }
  var strides: [Int] { get }
  /// All scalars, row by row.
  var scalars: [Scalar] { get set }

  init(scalars: [Scalar], shape: [Int])

  subscript(scalarAt indices: [Int]) -> Scalar { get set }
}

extension MLShapedArrayProtocol {
  public var scalarCount: Int { shape.reduce(1, *) }
  /// The scalar of an array without dimensions, or of one scalar.
  public var scalar: Scalar? { scalarCount == 1 ? scalars.first : nil }
  public var isScalar: Bool { shape.isEmpty }
  public var startIndex: Int { 0 }
  public var endIndex: Int { shape.first ?? 0 }

  public subscript(scalarAt indices: Int...) -> Scalar {
    get { self[scalarAt: indices] }
    set { self[scalarAt: indices] = newValue }
  }

  public init(repeating value: Scalar, shape: [Int]) {
    self.init(scalars: [Scalar](repeating: value, count: shape.reduce(1, *)), shape: shape)
  }

  /// The elements of an array of the same type.
  ///
  /// - Precondition: The type is the same; `init(converting:)` changes it.
  public init(_ multiArray: MLMultiArray) {
    precondition(
      multiArray.dataType == Scalar.multiArrayDataType,
      "the elements are \(multiArray.dataType); init(converting:) changes their type")
    self.init(converting: multiArray)
  }

  /// The elements of an array, each as the nearest number of this type.
  public init(converting multiArray: MLMultiArray) {
    var values: [Scalar] = []
    values.reserveCapacity(multiArray.count)
    if multiArray.isContiguous, multiArray.dataType == Scalar.multiArrayDataType {
      let pointer = multiArray.dataPointer.assumingMemoryBound(to: Scalar.self)
      values.append(contentsOf: UnsafeBufferPointer(start: pointer, count: multiArray.count))
    } else {
      multiArray.forEachPlace { values.append(Scalar(number: multiArray.number(at: $1))) }
    }
    self.init(scalars: values, shape: multiArray.sizes)
  }

  /// The scalars of an array of another type, each as the nearest number of this type.
  public init<Other: MLShapedArrayProtocol>(converting other: Other) {
    self.init(scalars: other.scalars.map { Scalar(number: $0.number) }, shape: other.shape)
  }

  /// Scalars as bytes.
  public init(data: Data, shape: [Int]) {
    let count = shape.reduce(1, *)
    precondition(data.count >= count * MemoryLayout<Scalar>.stride, "too few bytes for \(shape)")
    let values = [Scalar](unsafeUninitializedCapacity: count) { target, initialized in
      UnsafeMutableRawBufferPointer(target).copyBytes(
        from: data.prefix(count * MemoryLayout<Scalar>.stride))
      initialized = count
    }
    self.init(scalars: values, shape: shape)
  }

  /// Scalars that somebody else holds. They are copied, and then given back.
  public init(
    bytesNoCopy bytes: UnsafeRawPointer, shape: [Int], deallocator: Data.Deallocator
  ) {
    let count = shape.reduce(1, *)
    let values = [Scalar](
      UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: Scalar.self), count: count))
    self.init(scalars: values, shape: shape)
    _ = Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes),
      count: count * MemoryLayout<Scalar>.stride, deallocator: deallocator)
  }

  /// Scalars that `initializer` writes.
  public init(
    unsafeUninitializedShape shape: [Int],
    initializingWith initializer: (inout UnsafeMutableBufferPointer<Scalar>, [Int]) throws -> Void
  ) rethrows {
    let count = shape.reduce(1, *)
    let values = try [Scalar](unsafeUninitializedCapacity: count) { target, initialized in
      try initializer(&target, MLMultiArray.rowMajor(shape))
      initialized = count
    }
    self.init(scalars: values, shape: shape)
  }

  // MARK: Memory

  public func withUnsafeShapedBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    try scalars.withUnsafeBufferPointer { try body($0, shape, MLMultiArray.rowMajor(shape)) }
  }

  public mutating func withUnsafeMutableShapedBufferPointer<R>(
    _ body: (inout UnsafeMutableBufferPointer<Scalar>, [Int], [Int]) throws -> R
  ) rethrows -> R {
    let shape = shape
    var values = scalars
    defer { scalars = values }
    return try values.withUnsafeMutableBufferPointer {
      try body(&$0, shape, MLMultiArray.rowMajor(shape))
    }
  }

  public mutating func fill(with value: Scalar) {
    scalars = [Scalar](repeating: value, count: scalarCount)
  }

  // MARK: Other shapes

  public func reshaped(to shape: [Int]) -> Self {
    precondition(shape.reduce(1, *) == scalarCount, "\(self.shape) cannot become \(shape)")
    return Self(scalars: scalars, shape: shape)
  }

  public func squeezingShape() -> Self {
    Self(scalars: scalars, shape: shape.filter { $0 != 1 })
  }

  public func expandingShape(at axis: Int) -> Self {
    var shape = shape
    shape.insert(1, at: axis)
    return Self(scalars: scalars, shape: shape)
  }

  public func transposed() -> Self { transposed(permutation: Array(shape.indices.reversed())) }

  public func transposed(permutation: [Int]) -> Self {
    precondition(permutation.sorted() == Array(shape.indices), "no permutation: \(permutation)")
    let steps = MLMultiArray.rowMajor(shape)
    let sizes = permutation.map { shape[$0] }
    let moved = permutation.map { steps[$0] }
    let values = scalars
    let places = shapedPlaces(sizes, moved, start: 0)
    return Self(scalars: places.map { values[$0] }, shape: sizes)
  }
}

/// The places of all elements, row by row.
func shapedPlaces(_ sizes: [Int], _ steps: [Int], start: Int) -> [Int] {
  zip(sizes, steps).reduce([start]) { places, dimension in
    places.flatMap { place in (0..<dimension.0).map { place + $0 * dimension.1 } }
  }
}
