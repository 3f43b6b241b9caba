// Fovea - reading and writing the elements of arrays.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

extension MLMultiArray {
  /// An element by its place in the order of rows.
  public subscript(index: Int) -> NSNumber {
    get { NSNumber(in: self, at: place(of: index)) }
    set { setNumber(newValue.doubleValue, at: place(of: index)) }
  }

  /// An element by one index for each dimension.
  public subscript(key: [NSNumber]) -> NSNumber {
    get { NSNumber(in: self, at: place(of: key)) }
    set { setNumber(newValue.doubleValue, at: place(of: key)) }
  }

  private func place(of index: Int) -> Int {
    precondition(index >= 0 && index < count, "index \(index) of \(count) elements")
    if isContiguous { return index }
    var (rest, place) = (index, 0)
    for dimension in sizes.indices.reversed() {
      place += rest % sizes[dimension] * steps[dimension]
      rest /= sizes[dimension]
    }
    return place
  }

  private func place(of key: [NSNumber]) -> Int {
    precondition(key.count == sizes.count, "\(key.count) indices for \(sizes.count) dimensions")
    var place = 0
    for (dimension, number) in key.enumerated() {
      let index = number.intValue
      precondition(
        index >= 0 && index < sizes[dimension],
        "index \(index) is outside dimension \(dimension) of shape \(sizes)")
      place += index * steps[dimension]
    }
    return place
  }

  /// The element at a distance from the first.
  package func number(at place: Int) -> Double {
    switch dataType {
    case .double: dataPointer.load(fromByteOffset: place * 8, as: Double.self)
    case .float32: Double(dataPointer.load(fromByteOffset: place * 4, as: Float.self))
    case .float16: Double(dataPointer.load(fromByteOffset: place * 2, as: Float16.self))
    case .int32: Double(dataPointer.load(fromByteOffset: place * 4, as: Int32.self))
    case .int8: Double(dataPointer.load(fromByteOffset: place, as: Int8.self))
    }
  }

  /// Writes the element at a distance from the first. Integers are cut off, and held in range.
  package func setNumber(_ value: Double, at place: Int) {
    switch dataType {
    case .double: dataPointer.storeBytes(of: value, toByteOffset: place * 8, as: Double.self)
    case .float32:
      dataPointer.storeBytes(of: Float(value), toByteOffset: place * 4, as: Float.self)
    case .float16:
      dataPointer.storeBytes(of: Float16(value), toByteOffset: place * 2, as: Float16.self)
    case .int32:
      let held = value.isNaN ? 0 : min(max(value, Double(Int32.min)), Double(Int32.max))
      dataPointer.storeBytes(of: Int32(held), toByteOffset: place * 4, as: Int32.self)
    case .int8:
      let held = value.isNaN ? 0 : min(max(value, -128), 127)
      dataPointer.storeBytes(of: Int8(held), toByteOffset: place, as: Int8.self)
    }
  }

  /// Calls `body` with the indices of every element, and its distance from the first.
  func forEachPlace(_ body: (_ index: [Int], _ place: Int) -> Void) {
    guard count > 0 else { return }
    var index = [Int](repeating: 0, count: sizes.count)
    var place = 0
    for _ in 0..<count {
      body(index, place)
      var dimension = sizes.count - 1
      while dimension >= 0 {
        index[dimension] += 1
        place += steps[dimension]
        if index[dimension] < sizes[dimension] { break }
        place -= steps[dimension] * sizes[dimension]
        index[dimension] = 0
        dimension -= 1
      }
    }
  }

  /// The bytes from the first element to the last.
  private var byteCount: Int {
    guard count > 0 else { return 0 }
    return (zip(sizes, steps).reduce(0) { $0 + ($1.0 - 1) * $1.1 } + 1) * dataType.byteCount
  }

  // MARK: Memory

  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(start: dataPointer, count: byteCount))
  }

  public func withUnsafeMutableBytes<R>(
    _ body: (UnsafeMutableRawBufferPointer, [Int]) throws -> R
  ) rethrows -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeMutableRawBufferPointer(start: dataPointer, count: byteCount), steps)
  }

  public func withUnsafeBufferPointer<S: MLShapedArrayScalar, R>(
    ofType type: S.Type, _ body: (UnsafeBufferPointer<S>) throws -> R
  ) rethrows -> R {
    precondition(S.multiArrayDataType == dataType, "the elements are \(dataType)")
    return try withUnsafeBytes { try body($0.bindMemory(to: S.self)) }
  }

  public func withUnsafeMutableBufferPointer<S: MLShapedArrayScalar, R>(
    ofType type: S.Type, _ body: (UnsafeMutableBufferPointer<S>, [Int]) throws -> R
  ) rethrows -> R {
    precondition(S.multiArrayDataType == dataType, "the elements are \(dataType)")
    return try withUnsafeMutableBytes { try body($0.bindMemory(to: S.self), $1) }
  }

  /// Writes all elements into an array of the same shape.
  public func transfer(to destination: MLMultiArray) {
    precondition(destination.sizes == sizes, "arrays of different shapes")
    forEachPlace { index, place in
      let target = zip(index, destination.steps).reduce(0) { $0 + $1.0 * $1.1 }
      destination.setNumber(number(at: place), at: target)
    }
  }
}

extension NSNumber {
  fileprivate convenience init(in array: MLMultiArray, at place: Int) {
    switch array.dataType {
    case .double: self.init(value: array.number(at: place))
    case .float32, .float16: self.init(value: Float(array.number(at: place)))
    case .int32, .int8: self.init(value: Int32(array.number(at: place)))
    }
  }
}

extension UnsafeBufferPointer where Element: MLShapedArrayScalar {
  /// The elements of an array, valid while it lives.
  ///
  /// - Throws: `MLModelError` for elements of another type.
  public init(_ multiArray: MLMultiArray) throws {
    guard multiArray.dataType == Element.multiArrayDataType else {
      throw MLModelError(
        .featureType, "the elements are \(multiArray.dataType), not \(Element.self)")
    }
    self = multiArray.withUnsafeBytes { $0.bindMemory(to: Element.self) }
  }
}

extension UnsafeMutableBufferPointer where Element: MLShapedArrayScalar {
  /// The elements of an array, valid while it lives.
  ///
  /// - Throws: `MLModelError` for elements of another type.
  public init(_ multiArray: MLMultiArray) throws {
    self.init(mutating: try UnsafeBufferPointer(multiArray))
  }
}
