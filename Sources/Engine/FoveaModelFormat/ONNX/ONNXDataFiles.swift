// Fovea - constants of ONNX models in files beside them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The files that tensors refer to by a path, an offset and a length. The data are used where they
/// lie.
struct ONNXDataFiles {
  private let folder: any ModelFolder
  private var files: [ModelPath: StoredBytes] = [:]

  /// Files below a folder: that of the model file.
  init(_ folder: any ModelFolder) {
    self.folder = folder
  }

  /// The bytes of a tensor.
  ///
  /// - Parameters:
  ///   - entries: Keys and values: location, offset, length.
  ///   - count: The bytes that the tensor has by its type and sizes.
  mutating func bytes(
    _ entries: [ProtobufMessage], count: Int
  ) throws(ModelFormatError) -> StoredBytes {
    var values: [String: String] = [:]
    for entry in entries {
      let (key, value) = try ONNXEntry.read(entry)
      values[key] = value
    }
    var location = values["location"] ?? ""
    if location.hasPrefix("./") { location.removeFirst(2) }
    return try within("external_data") { () throws(ModelFormatError) in
      let path = try ModelPath(location)
      let file = try file(path)
      let offset = try number(values["offset"] ?? "0", "offset")
      let length = try values["length"].map { text throws(ModelFormatError) in
        try number(text, "length")
      }
      guard length == nil || length == count else {
        throw ModelFormatError(
          .invalidWeights, fieldPath: "length", found: "\(length ?? 0) bytes of \(path)",
          expected: "\(count), as the type and the sizes say")
      }
      guard offset <= file.count, count <= file.count - offset else {
        throw ModelFormatError(
          .truncated, fieldPath: "offset",
          found: "\(count) bytes from byte \(offset) in \(path) of \(file.count) bytes",
          expected: "data inside the file",
          remedy: "Copy the file again, or export the model again.")
      }
      return file[offset..<offset + count]
    }
  }

  private mutating func file(_ path: ModelPath) throws(ModelFormatError) -> StoredBytes {
    if let known = files[path] { return known }
    guard let file = try folder.bytes(at: path) else {
      throw ModelFormatError(
        .missingField, fieldPath: "location",
        found: "no file \(ModelText.readable(path.description)) beside the model",
        expected: "the weights of the model", remedy: "Copy the file beside the model.")
    }
    files[path] = file
    return file
  }

  /// A number in decimal digits.
  private func number(_ text: String, _ name: String) throws(ModelFormatError) -> Int {
    guard let number = Int(text), number >= 0 else {
      throw ModelFormatError(
        .invalidValue, fieldPath: name, found: "'\(ModelText.readable(text))'",
        expected: "a number of bytes")
    }
    return number
  }
}
