// Fovea - what a compiled file tells C programs about its detector.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

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
    Self.append(UInt32(1), to: &bytes)
    Self.append(UInt32(labels.count), to: &bytes)
    for number in [
      thresholds.confidence, thresholds.intersectionOverUnion, thresholds.softSuppression,
      thresholds.boxVoting,
    ] {
      Self.append(number.bitPattern, to: &bytes)
    }
    Self.append(UInt32(thresholds.isClassAgnostic ? 1 : 0), to: &bytes)
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
