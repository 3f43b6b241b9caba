// Fovea - COCO's ten numbers for key points.
// SPDX-License-Identifier: Apache-2.0

/// The ten numbers of COCO for key points: means over the categories that have objects of the size.
/// Each is in 0...1, or `nil` if no category has such an object. At most 20 detections of a category
/// in an image count.
public struct KeypointSummary: Hashable, Codable, Sendable {
  /// Average precision over similarities 0.50 ... 0.95, all sizes: "AP".
  public let averagePrecision: Double?
  /// Average precision at similarity 0.50: "AP50".
  public let averagePrecision50: Double?
  /// Average precision at similarity 0.75: "AP75".
  public let averagePrecision75: Double?
  /// Average precision of medium objects.
  public let averagePrecisionMedium: Double?
  /// Average precision of large objects.
  public let averagePrecisionLarge: Double?
  /// Average recall: "AR".
  public let averageRecall: Double?
  /// Recall at similarity 0.50: "AR50".
  public let recall50: Double?
  /// Recall at similarity 0.75: "AR75".
  public let recall75: Double?
  /// Average recall of medium objects.
  public let averageRecallMedium: Double?
  /// Average recall of large objects.
  public let averageRecallLarge: Double?

  /// The usual names of the numbers, in the order of pycocotools.
  public static let names = [
    "AP", "AP50", "AP75", "APmedium", "APlarge", "AR", "AR50", "AR75", "ARmedium", "ARlarge",
  ]

  /// The numbers in the order of pycocotools (`COCOeval.stats`), with -1 for `nil`.
  public var values: [Double] {
    [
      averagePrecision, averagePrecision50, averagePrecision75, averagePrecisionMedium,
      averagePrecisionLarge, averageRecall, recall50, recall75, averageRecallMedium,
      averageRecallLarge,
    ].map { $0 ?? -1 }
  }

  init(_ categories: [CategoryMetrics]) {
    averagePrecision = categories.mean { $0.averagePrecision() }
    averagePrecision50 = categories.mean { $0.averagePrecision(threshold: 0) }
    averagePrecision75 = categories.mean { $0.averagePrecision(threshold: 5) }
    averagePrecisionMedium = categories.mean { $0.averagePrecision(of: .medium) }
    averagePrecisionLarge = categories.mean { $0.averagePrecision(of: .large) }
    averageRecall = categories.mean { $0.averageRecall() }
    recall50 = categories.mean { $0.recall(threshold: 0) }
    recall75 = categories.mean { $0.recall(threshold: 5) }
    averageRecallMedium = categories.mean { $0.averageRecall(of: .medium) }
    averageRecallLarge = categories.mean { $0.averageRecall(of: .large) }
  }
}

extension KeypointSummary: CustomStringConvertible {
  /// For example `AP 0.6440, AP50 0.8477, ...`, with "-" for `nil`.
  public var description: String { summaryText(Self.names, values) }
}
