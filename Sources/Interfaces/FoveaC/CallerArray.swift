// Fovea - an array in the memory of a C program.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaModelValues

/// An array in the memory of a C program: every element lies in the memory that the program names.
struct CallerArray {
  let name: String
  let type: fovea_type
  let shape: [Int]
  /// The number of elements.
  let count: Int
  /// Distances in bytes.
  private let strides: [Int]
  /// Where the first element lies.
  private let start: UnsafeMutableRawPointer

  /// Checks an array.
  init(_ array: fovea_array, isOutput: Bool) throws(CallFailure) {
    let kind = isOutput ? "output" : "input"
    name = try CallerMemory.text(array.name, "name of an \(kind)")
    type = fovea_type(UInt32(bitPattern: array.type))
    let bytes = type.byteCount
    guard bytes > 0, !isOutput || type != fovea_type_float16 else {
      throw .invalid(
        "\(kind) '\(name)' has the type \(array.type); expected a fovea_type"
          + (isOutput ? ", and not fovea_type_float16" : ""))
    }
    let dimensions = try Dimensions(array, kind, elementBytes: bytes)
    (shape, strides, count) = (dimensions.shape, dimensions.strides, dimensions.count)
    let memory = try CallerMemory.lent(array.data, count: array.byte_count)
    try dimensions.check(offset: array.offset, byteCount: memory.count, elementBytes: bytes)
    // Without elements nothing is read or written.
    start =
      (array.data ?? UnsafeMutableRawPointer(bitPattern: 64)!) + (count == 0 ? 0 : array.offset)
  }

  /// What the type is called.
  var typeName: String { type.name }

  // MARK: Reading

  /// Writes all elements, row-major, converted to float.
  func copyFloats(to target: UnsafeMutableBufferPointer<Float>) {
    guard let first = target.baseAddress, target.count >= count else { return }
    var next = first
    func take<Element>(_ type: Element.Type, _ convert: (Element) -> Float) {
      forEachPlane { plane in
        for row in 0..<plane.rows {
          let start = plane.start + row * plane.rowStride
          for column in 0..<plane.columns {
            next[column] = convert((start + column * plane.stride).loadUnaligned(as: type))
          }
          next += plane.columns
        }
      }
    }
    switch type {
    case fovea_type_float32:
      if isDense {
        UnsafeMutableRawPointer(first).copyMemory(from: start, byteCount: count * 4)
      } else {
        take(Float.self) { $0 }
      }
    case fovea_type_float64: take(Double.self) { Float($0) }
    case fovea_type_float16: take(UInt16.self) { Float(halfPrecisionBits: $0) }
    case fovea_type_uint8: take(UInt8.self) { Float($0) }
    case fovea_type_int8: take(Int8.self) { Float($0) }
    case fovea_type_int16: take(Int16.self) { Float($0) }
    case fovea_type_int32: take(Int32.self) { Float($0) }
    default: take(Int64.self) { Float($0) }
    }
  }

  /// Writes all elements of an array of bytes, row-major.
  func copyBytes(to target: UnsafeMutableBufferPointer<UInt8>) {
    guard let first = target.baseAddress, target.count >= count else { return }
    if isDense { return UnsafeMutableRawPointer(first).copyMemory(from: start, byteCount: count) }
    var next = first
    forEachPlane { plane in
      for row in 0..<plane.rows {
        let start = plane.start + row * plane.rowStride
        for column in 0..<plane.columns {
          next[column] = (start + column * plane.stride).load(as: UInt8.self)
        }
        next += plane.columns
      }
    }
  }

  /// The first element; 0 without one.
  var firstElement: Double {
    guard count > 0 else { return 0 }
    if type == fovea_type_float64 { return start.loadUnaligned(as: Double.self) }
    var float = [Float](repeating: 0, count: count)
    float.withUnsafeMutableBufferPointer { copyFloats(to: $0) }
    // A float stands for the number that it prints as: 0.45 of 32 bits is meant as 0.45.
    return Double("\(float[0])") ?? Double(float[0])
  }

  // MARK: Writing

  /// Writes floats, row-major, converted to the type of the array.
  func write(_ floats: Span<Float>) {
    var next = 0
    func put<Element>(_ convert: (Float) -> Element) {
      forEachPlane { plane in
        for row in 0..<plane.rows {
          let start = plane.start + row * plane.rowStride
          for column in 0..<plane.columns {
            (start + column * plane.stride).storeBytes(
              of: convert(floats[next + column]), as: Element.self)
          }
          next += plane.columns
        }
      }
    }
    switch type {
    case fovea_type_float32:
      if isDense {
        floats.withUnsafeBytes { bytes in
          if let base = bytes.baseAddress { start.copyMemory(from: base, byteCount: count * 4) }
        }
      } else {
        put { $0 }
      }
    case fovea_type_float64: put { Double($0) }
    case fovea_type_uint8: put { UInt8(nearest: $0) }
    case fovea_type_int8: put { Int8(nearest: $0) }
    case fovea_type_int16: put { Int16(nearest: $0) }
    case fovea_type_int32: put { Int32(nearest: $0) }
    default: put { Int64(nearest: $0) }
    }
  }

  // MARK: Walking

  private var isDense: Bool {
    strides == Dimensions.rowMajor(shape, elementBytes: type.byteCount)
  }

  /// The elements of the last two dimensions.
  private struct Plane {
    var start: UnsafeMutableRawPointer
    var rows = 1
    var rowStride = 0
    var columns = 1
    var stride = 0
  }

  /// Calls `body` with every plane, in row-major order.
  private func forEachPlane(_ body: (Plane) -> Void) {
    guard count > 0 else { return }
    var plane = Plane(start: start)
    if let columns = shape.last, let stride = strides.last {
      (plane.columns, plane.stride) = (columns, stride)
    }
    let outer = max(shape.count - 2, 0)
    if shape.count > 1 { (plane.rows, plane.rowStride) = (shape[outer], strides[outer]) }
    var index = [Int](repeating: 0, count: outer)
    while true {
      body(plane)
      var dimension = outer - 1
      while dimension >= 0 {
        index[dimension] += 1
        plane.start += strides[dimension]
        if index[dimension] < shape[dimension] { break }
        plane.start -= shape[dimension] * strides[dimension]
        index[dimension] = 0
        dimension -= 1
      }
      if dimension < 0 { return }
    }
  }
}

extension FixedWidthInteger {
  /// The nearest integer, held in the type's range; 0 for NaN.
  fileprivate init(nearest value: Float) {
    let nearest = Double(value).rounded(.toNearestOrEven)
    if nearest.isNaN {
      self = 0
    } else if nearest <= Double(Self.min) {
      self = .min
    } else if nearest >= Double(Self.max) {
      self = .max
    } else {
      self = Self(nearest)
    }
  }
}
