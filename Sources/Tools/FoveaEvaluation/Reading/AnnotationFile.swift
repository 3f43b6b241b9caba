// Fovea - the bytes of a file of annotations or results.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaJSON

/// The bytes of a file of annotations or results.
enum AnnotationFile {
  /// COCO's largest has 448 MiB.
  static let greatestSize = 1 << 32
  /// What is read from a pipe is held in memory.
  static let greatestPipe = 1 << 29

  /// Lends the bytes: a file is mapped, a pipe read to its end.
  static func withBytes<Result>(
    of path: String, _ body: (UnsafeRawBufferPointer) throws(EvaluationError) -> Result
  ) throws(EvaluationError) -> Result {
    let mapped = try translating(path) { () throws(FileError) in
      try MappedBytes.map(path, beginningWith: [], maximumCount: greatestSize)
    }
    if let mapped { return try mapped.withBytes(body) }
    let bytes = try translating(path) { () throws(FileError) in
      try FileBytes.read(path, maximumCount: greatestPipe)
    }
    return try withBytes(of: bytes, body)
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

  /// Parses a whole document.
  static func parse(
    _ bytes: UnsafeRawBufferPointer, path: String,
    _ body: (inout JSONPullParser) throws(JSONError) -> Void
  ) throws(EvaluationError) {
    do throws(JSONError) {
      var parser = JSONPullParser(bytes)
      try body(&parser)
      try parser.finish()
    } catch {
      throw .malformed(path: path, place: .byte(error.offset), reason: error.reason)
    }
  }

  private static func translating<Result>(
    _ path: String, _ body: () throws(FileError) -> Result
  ) throws(EvaluationError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw .unreadable(path: path, reason: error.explanation)
    }
  }
}
