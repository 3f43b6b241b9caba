// Fovea - files that are given in place of a model.
// SPDX-License-Identifier: Apache-2.0

/// Recognizes files that people hand to a reader in place of a model.
package enum FileKind {
  /// How a compiled model begins; the core's header fov_compiled.h has the same.
  package static let compiledStart: [UInt8] = Array("FOVEA\r\n\u{1A}".utf8)
  /// What readers expect.
  static let modelWords = "a Core ML model (.mlmodel, or a folder .mlpackage)"
  private static let pointerStart = Array("version https://git-lfs".utf8)
  private static let zipStart: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

  static func refuseForeignFiles(_ bytes: [UInt8]) throws(ModelFormatError) {
    try refuseMissingContent(bytes, expected: modelWords)
    if bytes.starts(with: zipStart) {
      throw ModelFormatError(
        .notAModel, byteOffset: 0, found: "a zip archive", expected: modelWords,
        remedy: "Unpack the archive and open the model inside.")
    }
    if bytes.starts(with: compiledStart) {
      throw ModelFormatError(
        .notAModel, byteOffset: 0, found: "a compiled model (.fovea)",
        expected: "the Core ML model it was made from",
        remedy: "Load it as a Model; its layers are no longer those of the file.")
    }
    if isText(bytes) {
      throw ModelFormatError(
        .notAModel, byteOffset: 0, found: "a text file", expected: modelWords,
        remedy: "Check that the download gave the model and not a page about it.")
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

  /// Whether a file begins as text does. A model begins with a tag, and its version and lengths
  /// bring control characters soon.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(256).allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }
      && bytes.count >= 8
  }
}
