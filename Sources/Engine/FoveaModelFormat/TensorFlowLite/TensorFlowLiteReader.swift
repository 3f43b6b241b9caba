// Fovea - TensorFlow Lite files.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension ModelDescription {
  /// Reads a TensorFlow Lite file.
  ///
  /// Its first subgraph becomes the function "main" in the operation set "TensorFlow Lite 3".
  /// Operations have the names of the builtin operations, or those that the file gives. Beside the
  /// conventions of all foreign operation sets, what codes mean is told by the constants
  /// `TensorFlowLiteNames.scale(ofResult:)` and `zeroPoint(ofResult:)`.
  ///
  /// Inputs and outputs of codes become inputs and outputs of the numbers that they stand for: the
  /// first operations quantize, the last ones dequantize.
  init(tensorFlowLite bytes: [UInt8], limits: ReadingLimits) throws(ModelFormatError) {
    let reader = try TensorFlowLiteReader(bytes, limits: limits)
    self = try reader.read()
  }
}

/// Reads one file.
struct TensorFlowLiteReader {
  let bytes: [UInt8]
  let limits: ReadingLimits
  let file: FlatBuffer
  let model: FlatTable
  private let stored: StoredBytes
  private let buffers: FlatTables

  init(_ bytes: [UInt8], limits: ReadingLimits) throws(ModelFormatError) {
    self.bytes = bytes
    self.limits = limits
    file = FlatBuffer(bytes)
    stored = StoredBytes(bytes)
    model = try file.root("model")
    let version = try model.number(0, as: UInt32.self, default: 0)
    guard version == 3 else {
      throw ModelFormatError(
        .unsupportedVersion, byteOffset: 0, fieldPath: "model.version",
        found: "a TensorFlow Lite file of version \(version)", expected: "version 3")
    }
    buffers = try model.tables(4, "buffers", most: limits.operations)
  }

  func read() throws(ModelFormatError) -> ModelDescription {
    let graphs = try model.tables(2, "subgraphs", most: limits.operations)
    guard graphs.count > 0 else {
      throw ModelFormatError(
        .missingField, fieldPath: "model.subgraphs", found: "no subgraph", expected: "one")
    }
    var reader = try TensorFlowLiteGraphReader(self, graphs.table(0))
    let graph = try reader.read()
    var metadata = try TensorFlowLiteMetadata(self)
    return try graph.model(metadata.read(inputs: graph.codedInputs))
  }

  // MARK: Parts

  /// The kinds of the operations that operators refer to by number.
  func operationKinds() throws(ModelFormatError) -> [String] {
    let codes = try model.tables(1, "operator_codes", most: limits.operations)
    var kinds: [String] = []
    for index in 0..<codes.count {
      let code = try codes.table(index)
      // Numbers up to 127 stand in the first field, for old readers.
      let number = max(try code.integer(3), try code.byte(0))
      if number == TensorFlowLiteAttribute.custom {
        kinds.append(try code.text(1))
      } else if let kind = TensorFlowLiteAttribute.kind(number) {
        kinds.append(kind)
      } else {
        kinds.append("builtin operation \(number)")
      }
    }
    return kinds
  }

  /// The elements of a buffer, which are not copied; empty where it has none.
  func buffer(_ index: Int, _ path: String) throws(ModelFormatError) -> StoredBytes {
    guard index < buffers.count else {
      throw ModelFormatError(
        .invalidValue, fieldPath: "\(path).buffer", found: "buffer \(index)",
        expected: "one of \(buffers.count)")
    }
    let table = try buffers.table(index)
    if let range = try table.bytes(0), !range.isEmpty { return stored[range] }
    // Files of more than 2 GB have elements behind the flatbuffer.
    let offset = try table.number(1, as: UInt64.self, default: 0)
    let size = try table.number(2, as: UInt64.self, default: 0)
    guard offset > 1 else { return stored[0..<0] }
    return stored[try place(offset, size, table.path)]
  }

  /// A part of the file that is stated by a place and a size.
  func place(
    _ offset: UInt64, _ size: UInt64, _ path: String
  ) throws(ModelFormatError) -> Range<Int> {
    let (start, count) = (Int(clamping: offset), Int(clamping: size))
    try file.check(start, count: count, path)
    return start..<start + count
  }
}
