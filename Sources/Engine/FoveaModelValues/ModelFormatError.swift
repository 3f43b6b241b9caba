// Fovea - why a model file cannot be read.
// SPDX-License-Identifier: Apache-2.0

/// The reason why a model file cannot be read, and the place in the file.
public struct ModelFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause.
  public var code: Code
  /// The offset in the file, in bytes; `nil` if no single place is at fault.
  public var byteOffset: Int?
  /// The path of the field, such as "pipeline.models[0].neuralNetwork.layers[3].convolution".
  public var fieldPath: String
  /// The layer's name; `nil` outside layers.
  public var layerName: String?
  /// What was found.
  public var found: String
  /// What was expected.
  public var expected: String
  /// The remedy.
  public var remedy: String

  /// The cause of a failure.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The file has no bytes.
    case emptyFile
    /// The file is a pointer of Git LFS, not the model itself.
    case gitLargeFilePointer
    /// The bytes are not a Core ML model.
    case notAModel
    /// The file ends too early, or a length reaches past its end.
    case truncated
    /// The bytes are not a valid protocol buffer.
    case malformedEncoding
    /// The file exceeds the `ReadingLimits`.
    case limitExceeded
    /// The specification version is newer than this reader, or is not a version.
    case unsupportedVersion
    /// The kind of model is not supported.
    case unsupportedModelType
    /// A layer needs a feature that is not supported.
    case unsupportedLayer
    /// A required field is absent.
    case missingField
    /// A field has an invalid value.
    case invalidValue
    /// Weights do not fit their layer or their encoding.
    case invalidWeights
    /// A blob or a feature is read that nothing writes.
    case unknownBlob
    /// Two layers write the same blob.
    case duplicateBlob
  }

  /// Creates an error.
  public init(
    _ code: Code, byteOffset: Int? = nil, fieldPath: String = "", layerName: String? = nil,
    found: String, expected: String, remedy: String = ModelFormatError.exportAgain
  ) {
    self.code = code
    self.byteOffset = byteOffset
    self.fieldPath = fieldPath
    self.layerName = layerName
    self.found = found
    self.expected = expected
    self.remedy = remedy
  }

  /// The remedy for a file that is damaged or malformed.
  public static let exportAgain = "Download the file again or export the model again."

  /// One paragraph with the place, what was found, what was expected and what to do.
  public var description: String {
    var place: [String] = []
    if !fieldPath.isEmpty { place.append("in \(fieldPath)") }
    if let layerName, !layerName.isEmpty { place.append("layer '\(layerName)'") }
    if let byteOffset { place.append("at byte \(byteOffset)") }
    let prefix = place.isEmpty ? "" : " (" + place.joined(separator: ", ") + ")"
    return "Cannot read the model\(prefix): found \(found); expected \(expected). \(remedy)"
  }

  /// The same error seen from the message that contains it.
  package func within(_ component: String) -> ModelFormatError {
    var error = self
    error.fieldPath = fieldPath.isEmpty ? component : component + "." + fieldPath
    return error
  }

  /// The same error with a place in the file, unless it already has one.
  package func at(_ offset: Int?) -> ModelFormatError {
    var error = self
    error.byteOffset = byteOffset ?? offset
    return error
  }

  /// The same error with the name of the layer at fault.
  package func inLayer(named name: String) -> ModelFormatError {
    var error = self
    error.layerName = layerName ?? name
    return error
  }
}
