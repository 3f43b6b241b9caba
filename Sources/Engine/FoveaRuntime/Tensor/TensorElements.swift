// Fovea - reading and writing the elements of a tensor.
// SPDX-License-Identifier: Apache-2.0

extension Tensor {
  /// An element as a `Double`, which represents all element types exactly.
  ///
  /// Writing to an integer type rounds to the nearest and clamps to its range; NaN becomes 0.
  /// Writing to a tensor that shares its elements copies them first.
  ///
  /// - Precondition: There is one index for each dimension, in 0 ..< its size.
  public subscript(indices: Int...) -> Double {
    get { value(at: place(of: indices)) }
    set { setValue(newValue, at: place(of: indices)) }
  }

  /// All elements, row-major, converted to float.
  ///
  /// - Complexity: O(1) for a dense float tensor, which shares its elements; O(count) otherwise.
  public func floats() -> [Float] {
    switch denseStorage() {
    case .float32(let values): values
    case .uint8(let values): values.map { Float($0) }
    case .int8(let values): values.map { Float($0) }
    case .int16(let values): values.map { Float($0) }
    case .int32(let values): values.map { Float($0) }
    }
  }

  /// All elements, row-major; `nil` unless they are unsigned bytes.
  package func uint8s() -> [UInt8]? {
    if case .uint8(let values) = denseStorage() { values } else { nil }
  }

  /// All elements, row-major; `nil` unless they are signed bytes.
  package func int8s() -> [Int8]? {
    if case .int8(let values) = denseStorage() { values } else { nil }
  }

  /// All elements, row-major; `nil` unless they are 16-bit integers.
  package func int16s() -> [Int16]? {
    if case .int16(let values) = denseStorage() { values } else { nil }
  }

  /// All elements, row-major; `nil` unless they are 32-bit integers.
  package func int32s() -> [Int32]? {
    if case .int32(let values) = denseStorage() { values } else { nil }
  }

  /// Lends the elements of a float tensor, row-major. Only a tensor with gaps is copied.
  ///
  /// - Throws: The errors of `body`.
  /// - Precondition: The elements are floats.
  public func withFloats<Result, Failure: Error>(
    _ body: (Span<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard case .float32(let values) = denseStorage() else {
      preconditionFailure("the elements are \(dataType.rawValue), not float32")
    }
    return try body(values.span)
  }

  private func place(of indices: [Int]) -> Int {
    precondition(indices.count == rank, "a tensor of rank \(rank) has \(rank) indices")
    var place = offset
    for dimension in shape.indices {
      let index = indices[dimension]
      precondition(
        index >= 0 && index < shape[dimension],
        "index \(index) is outside dimension \(dimension) of shape \(shape)")
      place += index * strides[dimension]
    }
    return place
  }

  private func value(at place: Int) -> Double {
    switch storage {
    case .float32(let values): Double(values[place])
    case .uint8(let values): Double(values[place])
    case .int8(let values): Double(values[place])
    case .int16(let values): Double(values[place])
    case .int32(let values): Double(values[place])
    }
  }

  private mutating func setValue(_ value: Double, at place: Int) {
    let current = storage
    storage = .float32([])  // so that the array below has one owner and is changed in place
    switch consume current {
    case .float32(var values):
      values[place] = Float(value)
      storage = .float32(values)
    case .uint8(var values):
      values[place] = Self.rounded(value)
      storage = .uint8(values)
    case .int8(var values):
      values[place] = Self.rounded(value)
      storage = .int8(values)
    case .int16(var values):
      values[place] = Self.rounded(value)
      storage = .int16(values)
    case .int32(var values):
      values[place] = Self.rounded(value)
      storage = .int32(values)
    }
  }

  /// The nearest integer, held in the type's range; 0 for NaN.
  private static func rounded<Integer: FixedWidthInteger>(_ value: Double) -> Integer {
    if value.isNaN { return 0 }
    let nearest = value.rounded(.toNearestOrEven)
    if nearest <= Double(Integer.min) { return .min }
    if nearest >= Double(Integer.max) { return .max }
    return Integer(nearest)
  }
}
