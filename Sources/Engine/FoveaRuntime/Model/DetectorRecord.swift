// Fovea - what a compiled file tells C programs about its detector.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// What a compiled file tells C programs about its detector: thresholds, outputs and labels.
///
/// Swift reads them from the outline of the original model. The core knows no outlines, so they
/// stand in a record of their own, whose form `CSources/detect/fov_detector_record.h` draws.
/// The record is a field of the outline that readers of outlines skip.
struct DetectorRecord {
  private let thresholds: ModelThresholds
  private let outputs: [String]
  private let labels: [String]

  /// The number of the field, which no Core ML model has.
  private static let fieldNumber: UInt64 = 60_000

  /// `FOV_DETECTOR_RECORD_VERSION`.
  private static let version: UInt32 = 2

  /// The record of a model, whether it is a detector or not: the core looks for itself.
  init(of model: Model) {
    thresholds = ModelThresholds(suppression: model.suppression, metadata: model.metadata)
    labels = model.classLabels ?? []
    if let stage = model.suppression {
      outputs = [stage.confidenceInputName, stage.coordinatesInputName]
    } else {
      outputs = ["confidence", "coordinates"].map { usual in
        model.outputs.first { $0.name.lowercased() == usual }?.name ?? usual
      }
    }
  }

  /// The field's bytes: tag, length and record.
  var field: [UInt8] {
    var bytes: [UInt8] = []
    let content = content
    Self.append(varint: Self.fieldNumber << 3 | 2, to: &bytes)
    Self.append(varint: UInt64(content.count), to: &bytes)
    return bytes + content
  }

  private var content: [UInt8] {
    var bytes: [UInt8] = []
    Self.append(Self.version, to: &bytes)
    Self.append(UInt32(labels.count), to: &bytes)
    for number in [
      thresholds.confidence, thresholds.intersectionOverUnion, thresholds.softSuppression,
      thresholds.boxVoting,
    ] {
      Self.append(number.bitPattern, to: &bytes)
    }
    Self.append(UInt32(thresholds.isClassAgnostic ? 1 : 0), to: &bytes)
    Self.append(UInt32(clamping: thresholds.maximumCount ?? 0), to: &bytes)
    // A text of C ends at its first zero byte.
    for text in outputs + labels { bytes += text.utf8.prefix { $0 != 0 } + [0] }
    return bytes
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private static func append(varint value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

extension DetectorRecord {
  /// The labels in the record that an outline begins with; `nil` where there are none.
  static func labels(in outline: [UInt8]) -> [String]? {
    var rest = outline[...]
    guard varint(&rest) == fieldNumber << 3 | 2, let count = varint(&rest),
      let count = Int(exactly: count), count <= rest.count
    else { return nil }
    rest = rest.prefix(count)
    guard rest.count >= headerBytes, rest.starts(with: [UInt8(version), 0, 0, 0])
    else { return nil }
    let labelCount = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    // Behind the numbers stand the names of two outputs and then the labels, each ended by a zero.
    let texts = rest.dropFirst(headerBytes).split(separator: 0, omittingEmptySubsequences: false)
    guard labelCount > 0, texts.count == labelCount + 3 else { return nil }
    return texts[2..<labelCount + 2].map { String(decoding: $0, as: UTF8.self) }
  }

  /// Version, number of labels, four thresholds, a truth value and a number of objects.
  private static let headerBytes = 4 + 4 + 4 * 8 + 4 + 4

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
