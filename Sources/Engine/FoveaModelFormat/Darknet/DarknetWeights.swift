// Fovea - the weights of a Darknet network.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The weights of a Darknet network (`.weights`), taken one array after another.
///
///     int32    major, minor, revision of the format
///     uint64   images seen in training; uint32 before version 0.2
///     float32  arrays of the layers, without names, sizes or gaps; little-endian
struct DarknetWeights {
  private let bytes: StoredBytes
  private let fileName: String
  /// The offset of the next array.
  private var position: Int

  /// Reads the header.
  init(_ bytes: StoredBytes, fileName: String) throws(ModelFormatError) {
    self.bytes = bytes
    self.fileName = fileName
    let start = bytes[0..<min(bytes.count, 4096)].array
    do throws(ModelFormatError) {
      try FileKind.refuseMissingContent(start, expected: Self.words)
      let version = (0..<2).map { index in
        start.count < 12 ? -1 : (0..<4).reduce(0) { $0 | Int(start[4 * index + $1]) << (8 * $1) }
      }
      guard (0...1000).contains(version[0]), (0...1000).contains(version[1]) else {
        throw ModelFormatError(
          .notAModel, byteOffset: 0, found: FileKind.name(of: start), expected: Self.words,
          remedy: Self.remedy)
      }
      position = 12 + (version[0] * 10 + version[1] >= 2 ? 8 : 4)
      guard position <= bytes.count else {
        throw ModelFormatError(
          .truncated, byteOffset: bytes.count, found: "the end of the file in its header",
          expected: Self.words, remedy: Self.remedy)
      }
    } catch {
      throw error.within(fileName)
    }
  }

  private static let words = "the weights of a Darknet network (.weights)"
  private static let remedy =
    "Download the file again, or take the .weights that were trained with this .cfg."

  /// The next array.
  mutating func take(
    _ shape: [Int], of section: DarknetSection, limits: ReadingLimits
  ) throws(ModelFormatError) -> TensorConstant {
    var count = 1
    for size in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: size)
      guard !overflow, next <= limits.elements else {
        throw section.error(
          .limitExceeded, found: "\(shape.map { String($0) }.joined(separator: " x ")) weights",
          expected: "at most \(limits.elements)")
      }
      count = next
    }
    let end = position + 4 * count
    guard end <= bytes.count else {
      throw ModelFormatError(
        .truncated, byteOffset: position, fieldPath: fileName,
        found: "\(bytes.count - position) bytes up to the end of the file",
        expected: "\(4 * count) for [\(section.name)] in line \(section.line) of"
          + " \(section.fileName)",
        remedy: Self.remedy)
    }
    defer { position = end }
    return TensorConstant(element: .float32, shape: shape, content: .bytes(bytes[position..<end]))
  }

  /// Refuses bytes behind the last array: they would mean that all arrays before are others.
  func end() throws(ModelFormatError) {
    guard position == bytes.count else {
      throw ModelFormatError(
        .invalidWeights, byteOffset: position, fieldPath: fileName,
        found: "\(bytes.count - position) bytes behind the weights of the last layer",
        expected: "the end of the file: the layers have \(position) bytes",
        remedy: Self.remedy)
    }
  }
}
