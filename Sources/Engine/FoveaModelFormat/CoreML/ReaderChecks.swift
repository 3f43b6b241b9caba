// Fovea - checks that every part of the reader shares.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Runs a body and names, in the path of an error it throws, the field that it read.
func within<Value>(
  _ component: @autoclosure () -> String, _ body: () throws(ModelFormatError) -> Value
) throws(ModelFormatError) -> Value {
  do {
    return try body()
  } catch {
    throw error.within(component())
  }
}

extension CoreMLReader {
  /// A field that must be present.
  func required(
    _ field: ProtobufMessage?, _ name: String, in message: ProtobufMessage
  ) throws(ModelFormatError) -> ProtobufMessage {
    guard let field else {
      throw ModelFormatError(
        .missingField, byteOffset: message.offset, found: "no '\(name)'", expected: "one")
    }
    return field
  }

  func invalid(
    _ name: String, found: String, expected: String, at offset: Int?
  ) -> ModelFormatError {
    ModelFormatError(
      .invalidValue, byteOffset: offset, fieldPath: name, found: found, expected: expected)
  }

  /// A count or size within the limit on dimensions.
  func size(
    _ value: some BinaryInteger, _ name: String, atLeast least: Int = 1, at offset: Int?
  ) throws(ModelFormatError) -> Int {
    guard value >= least, value <= limits.dimension else {
      throw ModelFormatError(
        value < least ? .invalidValue : .limitExceeded, byteOffset: offset, fieldPath: name,
        found: "\(value)", expected: "\(least) to \(limits.dimension)")
    }
    return Int(value)
  }

  /// A height and a width: two values, or none for the default.
  func spatialSize(
    _ values: [UInt64], _ name: String, default defaultSize: Int?, at offset: Int?
  ) throws(ModelFormatError) -> SpatialSize {
    if values.isEmpty, let defaultSize {
      return SpatialSize(height: defaultSize, width: defaultSize)
    }
    guard values.count == 2 else {
      throw invalid(
        name, found: "\(values.count) values",
        expected: "2 (height and width)\(defaultSize == nil ? "" : " or none")", at: offset)
    }
    return SpatialSize(
      height: try size(values[0], name, at: offset), width: try size(values[1], name, at: offset))
  }

  /// A shape whose number of elements is within the limit.
  func shape(
    _ values: [some BinaryInteger], _ name: String, ranks: ClosedRange<Int>? = nil,
    at offset: Int?
  ) throws(ModelFormatError) -> [Int] {
    try checkRank(values.count, ranks ?? 1...limits.rank, name, at: offset)
    var shape: [Int] = []
    for value in values { shape.append(try size(value, name, at: offset)) }
    _ = try product(shape, name, at: offset)
    return shape
  }

  func checkRank(
    _ rank: Int, _ allowed: ClosedRange<Int>, _ name: String, at offset: Int?
  ) throws(ModelFormatError) {
    guard allowed.contains(rank) else {
      let range =
        allowed.lowerBound == allowed.upperBound
        ? "\(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
      throw invalid(name, found: "\(rank) values", expected: range, at: offset)
    }
  }

  /// The product of factors that are not negative, within the limit on elements.
  func product(
    _ factors: [Int], _ name: String, at offset: Int?
  ) throws(ModelFormatError) -> Int {
    var product = 1
    for factor in factors {
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      guard !overflow, next <= limits.elements else {
        let text = factors.map { String($0) }.joined(separator: " x ")
        throw ModelFormatError(
          .limitExceeded, byteOffset: offset, fieldPath: name, found: "\(text) elements",
          expected: "at most \(limits.elements)")
      }
      product = next
    }
    return product
  }

  /// An axis, which may be negative.
  func axis(_ value: Int64, _ name: String, at offset: Int?) throws(ModelFormatError) -> Int {
    guard value >= Int64(-limits.rank), value < Int64(limits.rank) else {
      throw invalid(
        name, found: "axis \(value)", expected: "\(-limits.rank) to \(limits.rank - 1)",
        at: offset)
    }
    return Int(value)
  }

  /// Axes, all different; negative ones count from the end.
  func axes(_ values: [Int64], _ name: String, at offset: Int?) throws(ModelFormatError) -> [Int] {
    try checkRank(values.count, 0...limits.rank, name, at: offset)
    var axes: [Int] = []
    for value in values { axes.append(try axis(value, name, at: offset)) }
    guard Set(axes).count == axes.count else {
      throw invalid(name, found: "axes \(axes)", expected: "every axis once", at: offset)
    }
    return axes
  }

  /// All numbers from 0 to one less than the count, in any order.
  func permutation(
    _ values: [UInt64], _ name: String, at offset: Int?
  ) throws(ModelFormatError) -> [Int] {
    try checkRank(values.count, 1...limits.rank, name, at: offset)
    guard values.sorted() == (0..<UInt64(values.count)).map({ $0 }) else {
      throw invalid(
        name, found: "axes \(values)", expected: "every axis of 0 to \(values.count - 1) once",
        at: offset)
    }
    return values.map { Int($0) }
  }

  /// A case of an enumeration by its number.
  func enumeration<Value>(
    _ number: Int32, _ name: String, _ values: [Int32: Value], at offset: Int?
  ) throws(ModelFormatError) -> Value {
    guard let value = values[number] else {
      let known = values.keys.sorted().map { String($0) }.joined(separator: ", ")
      throw invalid(name, found: "\(number)", expected: "one of \(known)", at: offset)
    }
    return value
  }

  /// A number that is neither infinite nor NaN.
  func finite<Number: BinaryFloatingPoint>(
    _ value: Number, _ name: String, at offset: Int?
  ) throws(ModelFormatError) -> Number {
    guard value.isFinite else {
      throw invalid(name, found: "\(value)", expected: "a finite number", at: offset)
    }
    return value
  }
}
