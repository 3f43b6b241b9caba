// Fovea - files that are given in place of a model.
// SPDX-License-Identifier: Apache-2.0

/// Names files that people hand to a reader in place of a model.
package enum FileKind {
  /// How a compiled model begins; the core's header fov_compiled.h has the same.
  package static let compiledStart: [UInt8] = Array("FOVEA\r\n\u{1A}".utf8)
  /// What is opened.
  package static let modelWords =
    "a model: Core ML (.mlmodel, .mlpackage, .mlmodelc), ONNX (.onnx), TensorFlow Lite (.tflite)"
    + " or Darknet (.cfg beside .weights)"
  /// What readers of Core ML alone expect.
  static let coreMLWords = "a Core ML model (.mlmodel, or a folder .mlpackage)"
  private static let pointerStart = Array("version https://git-lfs".utf8)

  /// Refuses what is no model, by name.
  static func refuseForeignFiles(
    _ bytes: [UInt8], expected: String = modelWords
  ) throws(ModelFormatError) {
    try refuseMissingContent(bytes, expected: expected)
    if bytes.starts(with: compiledStart) {
      throw ModelFormatError(
        .notAModel, byteOffset: 0, found: "a compiled model (.fovea)",
        expected: "the model it was made from",
        remedy: "Load it as a Model; its layers are no longer those of the file.")
    }
    if let foreign = ForeignFile(bytes) {
      throw ModelFormatError(
        .notAModel, byteOffset: 0, found: foreign.name, expected: expected,
        remedy: foreign.remedy)
    }
  }

  /// Refuses models of other formats where only Core ML's are of use.
  static func refuseOtherFormats(_ bytes: [UInt8]) throws(ModelFormatError) {
    let format = ModelFileFormat(of: bytes)
    if format == .coreML || format == .onnx {
      try refuseForeignFiles(bytes, expected: coreMLWords)
    }
    guard format == .coreML else {
      throw ModelFormatError(
        .notAModel, byteOffset: 0, found: format.name, expected: coreMLWords,
        remedy: "Write a Core ML model of it first: fovea convert MODEL -o NAME.mlpackage.")
    }
  }

  /// Refuses files whose content did not arrive.
  static func refuseMissingContent(
    _ bytes: [UInt8], expected: String
  ) throws(ModelFormatError) {
    if bytes.isEmpty {
      throw ModelFormatError(
        .emptyFile, found: "an empty file", expected: expected,
        remedy: "Download the file again.")
    }
    if bytes.starts(with: pointerStart) {
      throw ModelFormatError(
        .gitLargeFilePointer, byteOffset: 0,
        found: "a Git LFS pointer, \(bytes.count) bytes that only name the model",
        expected: "the model itself",
        remedy: "Run `git lfs pull` in the folder the file came from.")
    }
  }

  /// What a file is, or how it begins, if it is of no kind that is known.
  static func name(of bytes: [UInt8]) -> String {
    if let foreign = ForeignFile(bytes) { return foreign.name }
    let start = bytes.prefix(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "a file of no known kind, which begins with \(start.joined(separator: " "))"
  }
}
