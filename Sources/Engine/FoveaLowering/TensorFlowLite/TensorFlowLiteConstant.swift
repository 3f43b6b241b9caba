// Fovea - constants of TensorFlow Lite files in the orders of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// A constant of a file, and what its codes mean.
struct TensorFlowLiteConstant {
  var elements: TensorConstant
  /// One scale and zero point, or one of each along an axis; empty for numbers.
  var scales: [Float] = []
  var zeroPoints: [Int] = []
  var axis = 0

  /// A constant as the reader describes it.
  init(_ operation: ForeignOperation) throws(FoveaError) {
    guard case .constant(let elements)? = operation.operation.arguments["val"]?.first else {
      throw operation.mismatch("a constant without elements")
    }
    self.elements = elements
    scales = try operation.attribute(TensorFlowLiteNames.scales)?.floats() ?? []
    zeroPoints = try operation.integers(TensorFlowLiteNames.zeroPoints) ?? []
    axis = try operation.integer(TensorFlowLiteNames.axis, default: 0)
  }

  /// A constant that was computed.
  init(_ constant: ConstantValue) throws(FoveaError) {
    elements = .floats(try constant.floats(), shape: constant.shape)
    if case .stored(let bytes) = constant.content {
      elements = TensorConstant(
        element: constant.element, shape: constant.shape, content: .bytes(bytes))
    } else if ElementClass(constant.element) == .integer {
      elements = .integers(try constant.integers(), shape: constant.shape)
    }
  }

  var shape: [Int] { elements.shape }

  /// The elements, or the numbers that codes stand for.
  func numbers() throws(FoveaError) -> ConstantValue {
    let value = ConstantValue(elements)
    guard !scales.isEmpty else { return value }
    var floats = try value.floats()
    let inner = scales.count == 1 ? 1 : shape[(axis + 1)...].reduce(1, *)
    for index in floats.indices {
      let channel = scales.count == 1 ? 0 : index / inner % scales.count
      floats[index] = scales[channel] * (floats[index] - Float(zeroPoints[channel]))
    }
    return ConstantValue(floats, shape: shape)
  }

  /// Whether it is a code and stands for no more than any other: its least code.
  func isLeastCode() throws(FoveaError) -> Bool {
    let least: Float
    switch elements.element {
    case .int8: least = -128
    case .uint8: least = 0
    default: return false
    }
    guard scales.count == 1, scales[0] > 0 else { return false }
    return try ConstantValue(elements).floats() == [least]
  }

  /// The constant as it stands in programs: numbers.
  func stored() throws(FoveaError) -> TensorConstant {
    scales.isEmpty ? elements : .floats(try numbers().floats(), shape: shape)
  }

  // MARK: Orders

  /// The elements of matrices with rows and columns exchanged, under another shape. Codes stay codes;
  /// those of 4 bits get a byte each.
  func turned(
    matrices: Int, rows: Int, columns: Int, shape: [Int], axis: Int
  ) throws(FoveaError) -> TensorFlowLiteConstant {
    var turned = self
    turned.axis = axis
    if elements.element.bits < 8 {
      let codes = try ConstantValue(elements).integers().map { UInt8(truncatingIfNeeded: $0) }
      turned.elements = TensorConstant(
        element: elements.element.isSigned ? .int8 : .uint8, shape: elements.shape,
        content: .bytes(StoredBytes(codes)))
    }
    turned.elements.shape = shape
    guard rows > 1, columns > 1, case .bytes(let bytes) = turned.elements.content else {
      return turned
    }
    let counts = (matrices, rows, columns)
    let words =
      switch turned.elements.element.bits {
      case 8: bytes.turned(UInt8.self, counts)
      case 16: bytes.turned(UInt16.self, counts)
      case 32: bytes.turned(UInt32.self, counts)
      default: bytes.turned(UInt64.self, counts)
      }
    turned.elements.content = .bytes(StoredBytes(words))
    return turned
  }

  /// [images, rows, columns, channels] as planes; smaller arrays count as one image of few rows.
  func planes() throws(FoveaError) -> TensorFlowLiteConstant {
    let sizes = Array(repeating: 1, count: 4 - shape.count) + shape
    let numbers = TensorFlowLiteConstant(elements: try stored())
    return try numbers.turned(
      matrices: sizes[0], rows: sizes[1] * sizes[2], columns: sizes[3],
      shape: [sizes[0], sizes[3], sizes[1], sizes[2]], axis: 0)
  }

  private init(elements: TensorConstant) { self.elements = elements }
}

extension StoredBytes {
  /// The words of matrices with rows and columns exchanged.
  fileprivate func turned<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, _ counts: (matrices: Int, rows: Int, columns: Int)
  ) -> [UInt8] {
    withBytes { bytes in
      [UInt8](unsafeUninitializedCapacity: bytes.count) { target, filled in
        let target = UnsafeMutableRawBufferPointer(target)
        let size = MemoryLayout<Word>.size
        for matrix in 0..<counts.matrices {
          let start = matrix * counts.rows * counts.columns
          for column in 0..<counts.columns {
            for row in 0..<counts.rows {
              let word = bytes.loadUnaligned(
                fromByteOffset: (start + row * counts.columns + column) * size, as: Word.self)
              target.storeBytes(
                of: word, toByteOffset: (start + column * counts.rows + row) * size, as: Word.self)
            }
          }
        }
        filled = bytes.count
      }
    }
  }
}
