// Fovea - shaped arrays and their slices.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple

/// An array of numbers with a shape. Copies share their scalars until one is written.
public struct MLShapedArray<Scalar: MLShapedArrayScalar>: MLShapedArrayProtocol {
  public let shape: [Int]
  public var scalars: [Scalar] {
    didSet { precondition(scalars.count == scalarCount, "the shape is \(shape)") }
  }

  /// - Precondition: There are as many scalars as the shape says.
  public init(scalars: [Scalar], shape: [Int]) {
    precondition(
      shape.allSatisfy { $0 >= 0 } && scalars.count == shape.reduce(1, *),
      "\(scalars.count) scalars for the shape \(shape)")
    (self.scalars, self.shape) = (scalars, shape)
  }

  /// One scalar without dimensions.
  public init(scalar: Scalar) { self.init(scalars: [scalar], shape: []) }

  /// The scalars of a slice.
  public init(_ slice: MLShapedArraySlice<Scalar>) {
    self.init(scalars: slice.scalars, shape: slice.shape)
  }

  /// Arrays one behind the other along an axis.
  public init<Shaped: MLShapedArrayProtocol>(concatenating arrays: [Shaped], alongAxis axis: Int)
  where Shaped.Scalar == Scalar {
    let first = arrays.first?.shape ?? []
    let place = axis < 0 ? axis + first.count : axis
    precondition(first.indices.contains(place), "there is no axis \(axis)")
    let before = first[..<place].reduce(1, *)
    let after = first[(place + 1)...].reduce(1, *)
    var shape = first
    shape[place] = arrays.reduce(0) { $0 + $1.shape[place] }
    let parts = arrays.map(\.scalars)
    var values: [Scalar] = []
    for row in 0..<before {
      for (array, part) in zip(arrays, parts) {
        let count = array.shape[place] * after
        values += part[row * count..<(row + 1) * count]
      }
    }
    self.init(scalars: values, shape: shape)
  }

  public var strides: [Int] { MLMultiArray.rowMajor(shape) }

  public subscript(scalarAt indices: [Int]) -> Scalar {
    get { scalars[place(indices)] }
    set { scalars[place(indices)] = newValue }
  }

  private func place(_ indices: [Int]) -> Int {
    precondition(indices.count == shape.count, "\(indices.count) indices for \(shape)")
    var place = 0
    for (index, size) in zip(indices, shape) {
      precondition(index >= 0 && index < size, "\(indices) is outside of \(shape)")
      place = place * size + index
    }
    return place
  }

  // MARK: Slices

  public subscript(position: Int) -> MLShapedArraySlice<Scalar> { self[[position]] }

  public subscript(indices: Int...) -> MLShapedArraySlice<Scalar> { self[indices] }

  public subscript(indices: [Int]) -> MLShapedArraySlice<Scalar> {
    MLShapedArraySlice(whole: self)[indices]
  }

  public subscript(ranges: any MLShapedArrayRangeExpression...) -> MLShapedArraySlice<Scalar> {
    MLShapedArraySlice(whole: self)[ranges]
  }
}

/// A range of a dimension: `0..<2`, `1...`, `...3`, or one index, which keeps the dimension.
public protocol MLShapedArrayRangeExpression {
  func shapedRange(in size: Int) -> Range<Int>
}

extension Range<Int>: MLShapedArrayRangeExpression {
  public func shapedRange(in size: Int) -> Range<Int> { self }
}
extension ClosedRange<Int>: MLShapedArrayRangeExpression {
  public func shapedRange(in size: Int) -> Range<Int> { lowerBound..<upperBound + 1 }
}
extension PartialRangeFrom<Int>: MLShapedArrayRangeExpression {
  public func shapedRange(in size: Int) -> Range<Int> { lowerBound..<size }
}
extension PartialRangeUpTo<Int>: MLShapedArrayRangeExpression {
  public func shapedRange(in size: Int) -> Range<Int> { 0..<upperBound }
}
extension PartialRangeThrough<Int>: MLShapedArrayRangeExpression {
  public func shapedRange(in size: Int) -> Range<Int> { 0..<upperBound + 1 }
}
extension Int: MLShapedArrayRangeExpression {
  public func shapedRange(in size: Int) -> Range<Int> { self..<self + 1 }
}

/// A part of a shaped array, which shares its scalars.
public struct MLShapedArraySlice<Scalar: MLShapedArrayScalar>: MLShapedArrayProtocol {
  private var whole: [Scalar]
  private let start: Int
  public let shape: [Int]
  public let strides: [Int]

  init(whole array: MLShapedArray<Scalar>) {
    (whole, start, shape, strides) = (array.scalars, 0, array.shape, array.strides)
  }

  private init(_ whole: [Scalar], start: Int, shape: [Int], strides: [Int]) {
    (self.whole, self.start, self.shape, self.strides) = (whole, start, shape, strides)
  }

  public init(scalars: [Scalar], shape: [Int]) {
    self.init(whole: MLShapedArray(scalars: scalars, shape: shape))
  }

  public init(_ array: MLShapedArray<Scalar>) { self.init(whole: array) }

  public var scalars: [Scalar] {
    get { shapedPlaces(shape, strides, start: start).map { whole[$0] } }
    set {
      let places = shapedPlaces(shape, strides, start: start)
      precondition(newValue.count == places.count, "the shape is \(shape)")
      for (place, value) in zip(places, newValue) { whole[place] = value }
    }
  }

  public subscript(scalarAt indices: [Int]) -> Scalar {
    get { whole[place(indices, all: true)] }
    set { whole[place(indices, all: true)] = newValue }
  }

  private func place(_ indices: [Int], all: Bool) -> Int {
    precondition(
      all ? indices.count == shape.count : indices.count <= shape.count,
      "\(indices.count) indices for \(shape)")
    var place = start
    for (dimension, index) in indices.enumerated() {
      precondition(index >= 0 && index < shape[dimension], "\(indices) is outside of \(shape)")
      place += index * strides[dimension]
    }
    return place
  }

  public subscript(position: Int) -> MLShapedArraySlice { self[[position]] }

  public subscript(indices: Int...) -> MLShapedArraySlice { self[indices] }

  public subscript(indices: [Int]) -> MLShapedArraySlice {
    MLShapedArraySlice(
      whole, start: place(indices, all: false), shape: Array(shape.dropFirst(indices.count)),
      strides: Array(strides.dropFirst(indices.count)))
  }

  public subscript(ranges: any MLShapedArrayRangeExpression...) -> MLShapedArraySlice {
    self[ranges]
  }

  public subscript(ranges: [any MLShapedArrayRangeExpression]) -> MLShapedArraySlice {
    precondition(ranges.count <= shape.count, "\(ranges.count) ranges for \(shape)")
    var (place, sizes) = (start, shape)
    for (dimension, range) in ranges.enumerated() {
      let range = range.shapedRange(in: shape[dimension])
      precondition(
        range.lowerBound >= 0 && range.upperBound <= shape[dimension],
        "\(range) is outside of \(shape)")
      place += range.lowerBound * strides[dimension]
      sizes[dimension] = range.count
    }
    return MLShapedArraySlice(whole, start: place, shape: sizes, strides: strides)
  }

  public static func == (left: MLShapedArraySlice, right: MLShapedArraySlice) -> Bool {
    left.shape == right.shape && left.scalars == right.scalars
  }
}

extension MLShapedArray: CustomStringConvertible {
  public var description: String { "\(shape.map(String.init).joined(separator: " × ")) array" }
}

extension MLShapedArray: Codable where Scalar: Codable {
  private enum Key: String, CodingKey {
    case shape, scalars
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let shape = try values.decode([Int].self, forKey: .shape)
    let scalars = try values.decode([Scalar].self, forKey: .scalars)
    guard shape.allSatisfy({ $0 >= 0 }), MLMultiArray.product(shape) == scalars.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .shape, in: values, debugDescription: "\(scalars.count) scalars for \(shape)")
    }
    self.init(scalars: scalars, shape: shape)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(shape, forKey: .shape)
    try values.encode(scalars, forKey: .scalars)
  }
}
