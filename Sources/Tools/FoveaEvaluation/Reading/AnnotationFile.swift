// Fovea - the bytes of a file of annotations or results.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
internal import FoveaFiles
internal import FoveaJSON

/// The bytes of a file of annotations or results.
enum AnnotationFile {
  /// What is read from a pipe is held in memory.
  static let greatestPipe = 1 << 29

  /// Lends the bytes: a file is mapped, a pipe read to its end.
  static func withBytes<Result>(
    of path: String, _ body: (UnsafeRawBufferPointer) throws(EvaluationError) -> Result
  ) throws(EvaluationError) -> Result {
    let content: FileContent
    do throws(FileError) {
      content = try FileContent(path, mappedIfBeginningWith: [], maximumReadCount: greatestPipe)
    } catch {
      throw .unreadable(path: path, reason: error.explanation)
    }
    return try content.withBytes(body)
  }

  /// Lends the bytes of an array.
  static func withBytes<Result>(
    of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(EvaluationError) -> Result
  ) throws(EvaluationError) -> Result {
    do {
      return try bytes.withUnsafeBytes { try body($0) }
    } catch let error as EvaluationError {
      throw error
    } catch {
      // The closure throws nothing else.
      throw .unreadable(path: "", reason: "\(error)")
    }
  }

  /// Where a text begins: behind the mark that says UTF-8, which some editors write.
  static func textStart(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Parses a whole document of JSON.
  static func parse(
    _ bytes: UnsafeRawBufferPointer, path: String,
    _ body: (inout JSONPullParser) throws(JSONError) -> Void
  ) throws(EvaluationError) {
    do throws(AnnotationError) {
      try JSONAnnotations.parse(bytes, file: path, body)
    } catch {
      throw EvaluationError(error)
    }
  }
}

extension EvaluationError {
  /// What is wrong with a file of annotations.
  init(_ error: AnnotationError) {
    switch (error.kind, error.place) {
    case (_, .byte(let offset)):
      self = .malformed(path: error.file, place: .byte(offset), reason: error.cause)
    case (_, .line(let number)):
      self = .malformed(path: error.file, place: .line(number), reason: error.cause)
    case (.malformed, nil): self = .inconsistent(path: error.file, reason: error.cause)
    case (_, nil):
      self = .unreadable(path: error.file, reason: "\(error.cause); \(error.remedy)")
    }
  }
}
