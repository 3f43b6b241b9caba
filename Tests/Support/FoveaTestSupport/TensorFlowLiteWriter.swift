// Fovea - tests: TensorFlow Lite files.
// SPDX-License-Identifier: Apache-2.0

/// Writes small TensorFlow Lite files. Fields have the numbers of the public schema.
public struct TensorFlowLiteWriter {
  /// The number of a tensor.
  public typealias Tensor = Int32

  /// The types of tensors by their numbers.
  public enum Element: UInt8 {
    case float32 = 0
    case float16 = 1
    case int32 = 2
    case uint8 = 3
    case int64 = 4
    case bool = 6
    case int8 = 9
  }

  /// What codes mean.
  public struct Codes {
    var scales: [Float]
    var zeroPoints: [Int64]
    var axis: Int32

    /// One scale and zero point.
    public init(_ scale: Float, _ zeroPoint: Int64 = 0) {
      (scales, zeroPoints, axis) = ([scale], [zeroPoint], 0)
    }

    /// Scales along an axis.
    public init(_ scales: [Float], axis: Int32) {
      (self.scales, self.axis) = (scales, axis)
      zeroPoints = scales.map { _ in 0 }
    }
  }

  private var tensors: [FlatValue] = []
  private var buffers: [FlatValue] = [.table([:])]
  private var codes: [FlatValue] = []
  private var codeNumbers: [String: Int32] = [:]
  private var operators: [FlatValue] = []
  private var inputs: [Tensor] = []
  private var metadata: [FlatValue] = []
  /// The outputs.
  public var outputs: [Tensor] = []
  /// The file's version, 3.
  public var version: Int32 = 3

  /// An empty file.
  public init() {}

  // MARK: Tensors

  /// A tensor that the model is given.
  public mutating func input(
    _ name: String, _ shape: [Int32], _ element: Element = .float32, codes: Codes? = nil,
    signature: [Int32]? = nil
  ) -> Tensor {
    let tensor = tensor(name, shape, element, codes: codes, signature: signature)
    inputs.append(tensor)
    return tensor
  }

  /// A tensor that an operation writes.
  public mutating func tensor(
    _ name: String, _ shape: [Int32], _ element: Element = .float32, codes: Codes? = nil,
    buffer: Int32 = 0, signature: [Int32]? = nil, sparsity: FlatValue? = nil
  ) -> Tensor {
    var fields: [Int: FlatValue] = [
      0: .ints(shape), 1: .byte(element.rawValue), 2: .int(buffer), 3: .text(name),
    ]
    if let codes {
      fields[4] = .table([
        2: .floats(codes.scales), 3: .longs(codes.zeroPoints), 6: .int(codes.axis),
      ])
    }
    if let sparsity { fields[6] = sparsity }
    if let signature { fields[7] = .ints(signature) }
    tensors.append(.table(fields))
    return Tensor(tensors.count - 1)
  }

  /// A constant of bytes.
  public mutating func constant(
    _ name: String, _ shape: [Int32], _ element: Element, bytes: [UInt8], codes: Codes? = nil,
    sparsity: FlatValue? = nil
  ) -> Tensor {
    buffers.append(.table([0: .bytes(bytes)]))
    return tensor(
      name, shape, element, codes: codes, buffer: Int32(buffers.count - 1), sparsity: sparsity)
  }

  /// A constant of floats.
  public mutating func constant(
    _ name: String, _ shape: [Int32], _ floats: [Float]
  ) -> Tensor {
    constant(name, shape, .float32, bytes: floats.flatMap { Self.bytes($0.bitPattern) })
  }

  /// A constant of integers.
  public mutating func constant(
    _ name: String, _ shape: [Int32], _ integers: [Int32], codes: Codes? = nil
  ) -> Tensor {
    constant(name, shape, .int32, bytes: integers.flatMap { Self.bytes($0) }, codes: codes)
  }

  /// A constant of codes with a sign.
  public mutating func constant(
    _ name: String, _ shape: [Int32], codes: [Int8], _ meaning: Codes
  ) -> Tensor {
    constant(
      name, shape, .int8, bytes: codes.map { UInt8(bitPattern: $0) }, codes: meaning)
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  // MARK: Operations

  /// An operation of a kind.
  public mutating func add(
    _ kind: TensorFlowLiteKind, _ inputs: [Tensor], _ outputs: [Tensor],
    _ options: [Int: FlatValue] = [:]
  ) {
    add(kind.rawValue, inputs, outputs, options)
  }

  /// An operation by the number of its kind.
  public mutating func add(
    _ kind: Int32, _ inputs: [Tensor], _ outputs: [Tensor], _ options: [Int: FlatValue] = [:]
  ) {
    addOperator("\(kind)", [0: .byte(UInt8(min(kind, 127))), 3: .int(kind)], inputs, outputs) {
      $0[3] = .byte(1)
      $0[4] = .table(options)
    }
  }

  /// An operation that the file names itself.
  public mutating func add(
    custom name: String, _ inputs: [Tensor], _ outputs: [Tensor], options: [UInt8]
  ) {
    addOperator(name, [0: .byte(32), 1: .text(name), 3: .int(32)], inputs, outputs) {
      $0[5] = .bytes(options)
    }
  }

  private mutating func addOperator(
    _ key: String, _ code: [Int: FlatValue], _ inputs: [Tensor], _ outputs: [Tensor],
    _ change: (inout [Int: FlatValue]) -> Void
  ) {
    if codeNumbers[key] == nil {
      codeNumbers[key] = Int32(codes.count)
      codes.append(.table(code))
    }
    var fields: [Int: FlatValue] = [
      0: .int(codeNumbers[key] ?? 0), 1: .ints(inputs), 2: .ints(outputs),
    ]
    change(&fields)
    operators.append(.table(fields))
  }

  /// A buffer of metadata.
  public mutating func add(metadata name: String, _ bytes: [UInt8]) {
    buffers.append(.table([0: .bytes(bytes)]))
    metadata.append(.table([0: .text(name), 1: .int(Int32(buffers.count - 1))]))
  }

  // MARK: Files

  /// The bytes of the file.
  public func bytes() -> [UInt8] {
    let graph = FlatValue.table([
      0: .tables(tensors), 1: .ints(inputs), 2: .ints(outputs), 3: .tables(operators),
      4: .text("main"),
    ])
    return FlatWriter.bytes(
      .table([
        0: .int(version), 1: .tables(codes), 2: .tables([graph]), 3: .text("a test"),
        4: .tables(buffers), 6: .tables(metadata),
      ]))
  }
}
