// Fovea - arrays of numbers with a shape.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

public enum MLMultiArrayDataType: Int, Sendable {
  case double = 0x10040
  case float32 = 0x10020
  case float16 = 0x10010
  case int32 = 0x20020
  case int8 = 0x20008

  public static let float64 = MLMultiArrayDataType.double
  public static let float = MLMultiArrayDataType.float32

  var byteCount: Int { (rawValue & 0xFF) / 8 }
}

/// An array of numbers with a shape, shared by everybody who holds it.
public final class MLMultiArray: NSObject, NSCopying {
  public let dataType: MLMultiArrayDataType
  /// The first element.
  public let dataPointer: UnsafeMutableRawPointer
  package let sizes: [Int]
  package let steps: [Int]
  public let pixelBuffer: CVPixelBuffer?
  private let release: ((UnsafeMutableRawPointer) -> Void)?

  private init(
    _ pointer: UnsafeMutableRawPointer, _ sizes: [Int], _ steps: [Int],
    _ type: MLMultiArrayDataType, pixelBuffer: CVPixelBuffer? = nil,
    release: ((UnsafeMutableRawPointer) -> Void)?
  ) {
    (dataPointer, self.sizes, self.steps, dataType) = (pointer, sizes, steps, type)
    (self.pixelBuffer, self.release) = (pixelBuffer, release)
    super.init()
  }

  deinit { release?(dataPointer) }

  /// Elements of their own, which are zeros.
  package convenience init(sizes: [Int], steps: [Int]? = nil, type: MLMultiArrayDataType) throws {
    guard sizes.allSatisfy({ $0 >= 0 }), let count = Self.product(sizes) else {
      throw MLModelError(.generic, "the shape \(sizes) has a negative size, or too many elements")
    }
    let steps = steps ?? Self.rowMajor(sizes)
    guard steps.count == sizes.count, steps.allSatisfy({ $0 >= 0 && $0 < 1 << 40 }) else {
      throw MLModelError(.generic, "the strides \(steps) do not fit the shape \(sizes)")
    }
    let last = zip(sizes, steps).reduce(0) { $0 + max(0, $1.0 - 1) * $1.1 }
    let bytes = max(1, (count == 0 ? 0 : last + 1) * type.byteCount)
    var memory: UnsafeMutableRawPointer?
    guard bytes <= 1 << 36, posix_memalign(&memory, 64, bytes) == 0, let memory else {
      throw MLModelError(.generic, "no memory for an array of the shape \(sizes)")
    }
    memset(memory, 0, bytes)
    self.init(memory, sizes, steps, type, release: { free($0) })
  }

  /// Zeros.
  public convenience init(shape: [NSNumber], dataType: MLMultiArrayDataType) throws {
    try self.init(sizes: shape.map(\.intValue), type: dataType)
  }

  /// Zeros, in places that the strides say.
  ///
  /// - Precondition: There is one stride for each dimension, none negative.
  public convenience init(shape: [Int], dataType: MLMultiArrayDataType, strides: [Int]) {
    do {
      try self.init(sizes: shape, steps: strides, type: dataType)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Elements that somebody else holds until `deallocator` is called. They are not copied.
  public convenience init(
    dataPointer: UnsafeMutableRawPointer, shape: [NSNumber], dataType: MLMultiArrayDataType,
    strides: [NSNumber], deallocator: ((UnsafeMutableRawPointer) -> Void)? = nil
  ) throws {
    let (sizes, steps) = (shape.map(\.intValue), strides.map(\.intValue))
    guard sizes.count == steps.count, sizes.allSatisfy({ $0 >= 0 }), Self.product(sizes) != nil
    else {
      throw MLModelError(.generic, "the strides \(steps) do not fit the shape \(sizes)")
    }
    self.init(dataPointer, sizes, steps, dataType, release: deallocator)
  }

  /// The pixels of a buffer of half floats as an array. They are not copied.
  ///
  /// - Precondition: The format is `OneComponent16Half`, and the last two sizes are those of the
  ///   buffer.
  public convenience init(pixelBuffer: CVPixelBuffer, shape: [NSNumber]) {
    let sizes = shape.map(\.intValue)
    precondition(
      CVPixelBufferGetPixelFormatType(pixelBuffer) == kCVPixelFormatType_OneComponent16Half
        && sizes.last == pixelBuffer.columns
        && Self.product(sizes) == pixelBuffer.columns * pixelBuffer.rows,
      "the shape \(sizes) does not fit a buffer of half floats")
    var steps = Self.rowMajor(sizes)
    let row = pixelBuffer.rowBytes / 2
    for index in steps.indices.dropLast() {
      steps[index] = steps[index] / pixelBuffer.columns * row
    }
    self.init(
      pixelBuffer.base, sizes, steps, .float16, pixelBuffer: pixelBuffer, release: nil)
  }

  /// One dimension of doubles.
  public convenience init<C: Collection>(_ values: C) throws where C.Element == Double {
    try self.init(values.map { $0 }, .double)
  }

  /// One dimension of floats.
  public convenience init<C: Collection>(_ values: C) throws where C.Element == Float {
    try self.init(values.map { $0 }, .float32)
  }

  /// One dimension of 32-bit integers.
  public convenience init<C: Collection>(_ values: C) throws where C.Element: FixedWidthInteger {
    try self.init(values.map { Int32(truncatingIfNeeded: $0) }, .int32)
  }

  private convenience init<Element>(_ values: [Element], _ type: MLMultiArrayDataType) throws {
    try self.init(sizes: [values.count], type: type)
    values.withUnsafeBytes { source in
      if let base = source.baseAddress {
        dataPointer.copyMemory(from: base, byteCount: source.count)
      }
    }
  }

  /// Arrays one behind the other along an axis.
  ///
  /// - Precondition: Other axes have the same sizes.
  public convenience init(
    concatenating arrays: [MLMultiArray], axis: Int, dataType: MLMultiArrayDataType
  ) {
    let first = arrays.first?.sizes ?? []
    let place = axis < 0 ? axis + first.count : axis
    precondition(first.indices.contains(place), "there is no axis \(axis)")
    var sizes = first
    sizes[place] = arrays.reduce(0) { $0 + $1.sizes[place] }
    do {
      try self.init(sizes: sizes, type: dataType)
    } catch {
      preconditionFailure("\(error)")
    }
    var start = 0
    for array in arrays {
      var other = array.sizes
      other[place] = first[place]
      precondition(other == first, "arrays of different shapes")
      var target = 0
      array.forEachPlace { index, source in
        target = zip(index, steps).reduce(start * steps[place]) { $0 + $1.0 * $1.1 }
        setNumber(array.number(at: source), at: target)
      }
      start += array.sizes[place]
    }
  }

  /// The elements of a shaped array, which are copied.
  public convenience init<Shaped: MLShapedArrayProtocol>(_ shaped: Shaped) {
    do {
      try self.init(sizes: shaped.shape, type: Shaped.Scalar.multiArrayDataType)
    } catch {
      preconditionFailure("\(error)")
    }
    let values = shaped.scalars
    values.withUnsafeBytes { source in
      if let base = source.baseAddress {
        dataPointer.copyMemory(from: base, byteCount: source.count)
      }
    }
  }

  public var shape: [NSNumber] { sizes.map { NSNumber(value: $0) } }
  public var strides: [NSNumber] { steps.map { NSNumber(value: $0) } }
  public var count: Int { sizes.reduce(1, *) }

  public func copy(with zone: NSZone? = nil) -> Any {
    guard let copy = try? MLMultiArray(sizes: sizes, type: dataType) else { return self }
    transfer(to: copy)
    return copy
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MLMultiArray, other.dataType == dataType, other.sizes == sizes
    else { return false }
    var isSame = true
    forEachPlace { index, place in
      let target = zip(index, other.steps).reduce(0) { $0 + $1.0 * $1.1 }
      if number(at: place) != other.number(at: target) { isSame = false }
    }
    return isSame
  }

  public override var hash: Int { sizes.hashValue }

  public override var description: String {
    let name = ["\(dataType)".prefix(1).uppercased(), String("\(dataType)".dropFirst())].joined()
    return "\(name) \(sizes.map(String.init).joined(separator: " × ")) array"
  }

  package var isContiguous: Bool { count == 0 || steps == Self.rowMajor(sizes) }

  static func rowMajor(_ sizes: [Int]) -> [Int] {
    var steps = [Int](repeating: 1, count: sizes.count)
    for index in sizes.indices.dropLast().reversed() {
      steps[index] = steps[index + 1] * max(1, sizes[index + 1])
    }
    return steps
  }

  static func product(_ sizes: [Int]) -> Int? {
    var product = 1
    for size in sizes {
      let (next, overflow) = product.multipliedReportingOverflow(by: size)
      guard !overflow, next <= 1 << 34 else { return nil }
      product = next
    }
    return product
  }
}
