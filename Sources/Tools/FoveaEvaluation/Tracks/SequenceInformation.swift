// Fovea - MOTChallenge's seqinfo.ini: frame rate, length and size of a sequence.
// SPDX-License-Identifier: Apache-2.0

/// The content of a `seqinfo.ini`:
///
///     [Sequence]
///     name=PETS09-S2L1
///     frameRate=7
///     seqLength=795
///     imWidth=768
///     imHeight=576
package struct SequenceInformation: Hashable, Sendable {
  /// What the sequence is called.
  package var name: String?
  /// Frames a second.
  package var frameRate: Double?
  /// The number of frames.
  package var frameCount: Int?
  /// The width of a frame in pixels.
  package var width: Int?
  /// The height of a frame in pixels.
  package var height: Int?

  /// Reads the file at `path`.
  ///
  /// - Throws: `.unreadable`, `.malformed`.
  package init(contentsOf path: String) throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: path) { bytes throws(EvaluationError) in
      try SequenceInformation(bytes, name: path)
    }
  }

  /// Reads the bytes of a file, which errors call `name`.
  ///
  /// - Throws: `.malformed`.
  package init(text bytes: [UInt8], name: String = "seqinfo.ini") throws(EvaluationError) {
    self = try AnnotationFile.withBytes(of: bytes) { bytes throws(EvaluationError) in
      try SequenceInformation(bytes, name: name)
    }
  }

  private static let greatestSize = 1 << 16
  /// The frame rates that make sense.
  package static let frameRates = 0.001...10_000

  private init(_ bytes: UnsafeRawBufferPointer, name path: String) throws(EvaluationError) {
    let words = bytes[AnnotationFile.textStart(bytes)...]
    guard bytes.count <= Self.greatestSize, let text = String(validating: words, as: UTF8.self)
    else {
      throw .malformed(
        path: path, place: .byte(0), reason: "expected a short text in UTF-8, as seqinfo.ini is")
    }
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let value = Self.trimmed(parts[1])
      do throws(InvalidValue) {
        try set(Self.trimmed(parts[0]).lowercased(), to: value)
      } catch {
        throw .malformed(
          path: path, place: .line(number), reason: "'\(value)' is no \(error.expected)")
      }
    }
  }

  private struct InvalidValue: Error {
    var expected: String
  }

  private mutating func set(_ key: String, to value: String) throws(InvalidValue) {
    switch key {
    case "name": name = value
    case "framerate":
      guard let rate = Double(value), Self.frameRates.contains(rate) else {
        throw InvalidValue(expected: "frame rate in 0.001...10000, such as 25")
      }
      frameRate = rate
    case "seqlength": frameCount = try Self.count(value)
    case "imwidth": width = try Self.count(value)
    case "imheight": height = try Self.count(value)
    default: break
    }
  }

  private static func count(_ text: String) throws(InvalidValue) -> Int {
    guard let number = Int(text), (1...MOTChallengeFile.greatestFrame).contains(number) else {
      throw InvalidValue(expected: "whole number of at least 1")
    }
    return number
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
