// Fovea - what a TensorFlow Lite file says about itself.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Finds names of classes, normalization and descriptions.
///
/// There are two forms: a flatbuffer among the metadata of the model, whose labels are text files in
/// an archive behind the model; and a dictionary in such a file, as Ultralytics' exporter writes it.
struct TensorFlowLiteMetadata {
  private let reader: TensorFlowLiteReader
  private var metadata = ModelMetadata()

  init(_ reader: TensorFlowLiteReader) throws(ModelFormatError) {
    self.reader = reader
    metadata.shortDescription = try reader.model.text(3)
  }

  /// Keys under which the normalization of the input is kept: an element of the input is
  /// (byte of the picture - mean) / deviation. Several numbers have commas between them.
  static let meanKey = "normalization.mean"
  static let deviationKey = "normalization.std"

  /// - Parameter inputs: Inputs that are codes. Without other words, the bytes of a picture are the
  ///   codes of an input without sign, and the codes plus 128 of one with a sign.
  mutating func read(
    inputs: [TensorFlowLiteTensor?]
  ) throws(ModelFormatError) -> ModelMetadata {
    if let input = inputs.first ?? nil {
      let zero = input.zeroPoints[0] + (input.element == .int8 ? 128 : 0)
      metadata.userDefined[Self.meanKey] = "\(zero)"
      metadata.userDefined[Self.deviationKey] = "\(1 / input.scales[0])"
    }
    let files = ZipEntries(endOf: reader.bytes).files
    if let table = try described() { try read(table, files) }
    for name in files.keys.sorted() {
      guard let content = files[name], content.first == UInt8(ascii: "{") else { continue }
      let entries = WrittenDictionary(String(decoding: content, as: UTF8.self)).entries
      metadata.userDefined.merge(entries) { _, new in new }
    }
    return metadata
  }

  /// The flatbuffer among the metadata. A damaged one is a damaged file.
  private func described() throws(ModelFormatError) -> FlatTable? {
    let entries = try reader.model.tables(6, "metadata", most: reader.limits.features)
    for index in 0..<entries.count {
      let entry = try entries.table(index)
      guard try entry.text(0) == "TFLITE_METADATA" else { continue }
      let number = Int(try entry.number(1, as: UInt32.self, default: 0))
      let content = try reader.buffer(number, entry.path).array
      return try FlatBuffer(content).root("metadata")
    }
    return nil
  }

  private mutating func read(
    _ table: FlatTable, _ files: [String: [UInt8]]
  ) throws(ModelFormatError) {
    let description = try table.text(1)
    if !description.isEmpty { metadata.shortDescription = description }
    metadata.version = try table.text(2)
    metadata.author = try table.text(4)
    metadata.license = try table.text(5)
    let graphs = try table.tables(3, "subgraph_metadata", most: reader.limits.features)
    guard graphs.count > 0 else { return }
    let graph = try graphs.table(0)
    let inputs = try graph.tables(2, "input_tensor_metadata", most: reader.limits.features)
    if inputs.count > 0 { try readNormalization(inputs.table(0)) }
    let outputs = try graph.tables(3, "output_tensor_metadata", most: reader.limits.features)
    for index in 0..<outputs.count {
      if let labels = try labels(outputs.table(index), files) {
        metadata.userDefined["names"] = labels
        return
      }
    }
  }

  private mutating func readNormalization(_ input: FlatTable) throws(ModelFormatError) {
    let units = try input.tables(4, "process_units", most: reader.limits.features)
    for index in 0..<units.count {
      let unit = try units.table(index)
      guard try unit.byte(0) == 1, let options = try unit.table(1, "options") else { continue }
      let (means, deviations) = (try options.floats(0), try options.floats(1))
      guard !means.isEmpty, means.count == deviations.count, means.count <= 4,
        (means + deviations).allSatisfy(\.isFinite), !deviations.contains(0)
      else { continue }
      metadata.userDefined[Self.meanKey] = Self.list(means)
      metadata.userDefined[Self.deviationKey] = Self.list(deviations)
    }
  }

  private static func list(_ numbers: [Float]) -> String {
    numbers.map { "\($0)" }.joined(separator: ",")
  }

  /// The lines of a file of labels as the dictionary in which names of classes are kept.
  private func labels(
    _ output: FlatTable, _ files: [String: [UInt8]]
  ) throws(ModelFormatError) -> String? {
    let list = try output.tables(6, "associated_files", most: reader.limits.features)
    for index in 0..<list.count {
      let file = try list.table(index)
      // Labels of an axis, or of values.
      guard [2, 3].contains(try file.byte(2)), let content = files[try file.text(0)] else {
        continue
      }
      var lines = String(decoding: content, as: UTF8.self)
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
      while lines.last?.isEmpty == true { lines.removeLast() }
      guard !lines.isEmpty, lines.count <= reader.limits.labels else { return nil }
      return WrittenName.dictionary(lines)
    }
    return nil
  }
}
