// Fovea - what an evaluation found: COCO's twelve numbers, categories and curves.
// SPDX-License-Identifier: Apache-2.0

/// The result of an evaluation.
public struct DetectionMetrics: Hashable, Codable, Sendable {
  /// The number of images.
  public let imageCount: Int
  /// The categories, by ascending id.
  public let categories: [CategoryMetrics]

  /// COCO's twelve numbers.
  public var summary: CocoSummary { CocoSummary(categories) }

  /// COCO's ten numbers for key points.
  public var keypointSummary: KeypointSummary { KeypointSummary(categories) }
}

/// The twelve numbers of COCO: means over the categories that have objects of the size. Each is in
/// 0...1, or `nil` if no category has such an object.
public struct CocoSummary: Hashable, Codable, Sendable {
  /// Average precision over overlaps 0.50 ... 0.95, 100 detections, all sizes: "AP".
  public let averagePrecision: Double?
  /// Average precision at overlap 0.50: "AP50".
  public let averagePrecision50: Double?
  /// Average precision at overlap 0.75: "AP75".
  public let averagePrecision75: Double?
  /// Average precision of small objects.
  public let averagePrecisionSmall: Double?
  /// Average precision of medium objects.
  public let averagePrecisionMedium: Double?
  /// Average precision of large objects.
  public let averagePrecisionLarge: Double?
  /// Average recall of one detection an image and category: "AR1".
  public let averageRecall1: Double?
  /// Average recall of ten: "AR10".
  public let averageRecall10: Double?
  /// Average recall of a hundred: "AR100".
  public let averageRecall100: Double?
  /// Average recall of small objects.
  public let averageRecallSmall: Double?
  /// Average recall of medium objects.
  public let averageRecallMedium: Double?
  /// Average recall of large objects.
  public let averageRecallLarge: Double?

  /// The usual names of the numbers, in the order of pycocotools.
  public static let names = [
    "AP", "AP50", "AP75", "APsmall", "APmedium", "APlarge", "AR1", "AR10", "AR100", "ARsmall",
    "ARmedium", "ARlarge",
  ]

  /// The numbers in the order of pycocotools (`COCOeval.stats`), with -1 for `nil`.
  public var values: [Double] {
    [
      averagePrecision, averagePrecision50, averagePrecision75, averagePrecisionSmall,
      averagePrecisionMedium, averagePrecisionLarge, averageRecall1, averageRecall10,
      averageRecall100, averageRecallSmall, averageRecallMedium, averageRecallLarge,
    ].map { $0 ?? -1 }
  }

  init(_ categories: [CategoryMetrics]) {
    func mean(_ number: (CategoryMetrics) -> Double?) -> Double? { categories.mean(number) }
    averagePrecision = mean { $0.averagePrecision() }
    averagePrecision50 = mean { $0.averagePrecision(threshold: 0) }
    averagePrecision75 = mean { $0.averagePrecision(threshold: 5) }
    averagePrecisionSmall = mean { $0.averagePrecision(of: .small) }
    averagePrecisionMedium = mean { $0.averagePrecision(of: .medium) }
    averagePrecisionLarge = mean { $0.averagePrecision(of: .large) }
    averageRecall1 = mean { $0.averageRecall(limit: 0) }
    averageRecall10 = mean { $0.averageRecall(limit: 1) }
    averageRecall100 = mean { $0.averageRecall() }
    averageRecallSmall = mean { $0.averageRecall(of: .small) }
    averageRecallMedium = mean { $0.averageRecall(of: .medium) }
    averageRecallLarge = mean { $0.averageRecall(of: .large) }
  }
}

extension CocoSummary: CustomStringConvertible {
  /// For example `AP 0.2440, AP50 0.4477, ...`, with "-" for `nil`.
  public var description: String { summaryText(Self.names, values) }
}

/// The metrics of one category.
public struct CategoryMetrics: Hashable, Codable, Sendable {
  /// The id of the category.
  public let category: Int
  /// The number of objects that must be found: all but crowds.
  public let objectCount: Int
  /// The number of detections that count: at most 100 in an image.
  public let detectionCount: Int
  /// Precision over recall for objects of all sizes, for each of `CocoProtocol.overlapThresholds`.
  /// Empty for a category without objects.
  public let curves: [PrecisionRecallCurve]

  /// By size, then threshold; empty where there is no object of that size.
  private let precisions: [[Double]]
  /// By size, then threshold, then limit.
  private let recalls: [[[Double]]]

  /// Average precision: the mean over 101 recalls and the overlaps 0.50 ... 0.95; `nil` without
  /// objects of that size.
  public func averagePrecision(of size: ObjectSize = .all) -> Double? {
    mean(precisions[size.rawValue])
  }

  /// Average precision at one overlap: `threshold` is an index of `CocoProtocol.overlapThresholds`,
  /// such as 0 for 0.50 and 5 for 0.75.
  public func averagePrecision(threshold: Int, of size: ObjectSize = .all) -> Double? {
    precisions[size.rawValue].isEmpty ? nil : precisions[size.rawValue][threshold]
  }

  /// Average recall: the share of objects that were found, as the mean over the overlaps 0.50 ...
  /// 0.95.
  ///
  /// - Parameters:
  ///   - limit: An index of `CocoProtocol.detectionLimits`: 0 for one detection in an image, 1 for
  ///     ten, 2 for a hundred.
  ///   - size: The size of the objects.
  public func averageRecall(limit: Int = 2, of size: ObjectSize = .all) -> Double? {
    mean(recalls[size.rawValue].map { $0[limit] })
  }

  /// The share of objects that were found at one overlap, among all detections that count.
  public func recall(threshold: Int, of size: ObjectSize = .all) -> Double? {
    recalls[size.rawValue].isEmpty ? nil : recalls[size.rawValue][threshold].last
  }

  private func mean(_ numbers: [Double]) -> Double? {
    numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }

  init(category: Int, record: CategoryRecord, placeOfImage: [UInt32]) {
    let detections = record.detections.inOrder(placeOfImage)
    var accumulation = PrecisionAccumulation()
    var curves: [PrecisionRecallCurve] = []
    var precisions: [[Double]] = [], recalls: [[[Double]]] = []
    for size in ObjectSize.allCases {
      let objectCount = record.objectCounts[size.rawValue]
      precisions.append([])
      recalls.append([])
      guard objectCount > 0 else { continue }
      for (place, threshold) in CocoProtocol.overlapThresholds.enumerated() {
        accumulation.accumulate(
          detections, bit: JudgedDetection.bit(size, place), objectCount: objectCount)
        let sum = accumulation.precisions.reduce(0, +)
        precisions[size.rawValue].append(sum / Double(accumulation.precisions.count))
        recalls[size.rawValue].append(accumulation.recalls)
        guard size == .all else { continue }
        curves.append(
          PrecisionRecallCurve(
            overlapThreshold: threshold, precisions: accumulation.precisions,
            scores: accumulation.scores, recall: accumulation.recalls.last ?? 0))
      }
    }
    self.category = category
    objectCount = record.objectCounts[ObjectSize.all.rawValue]
    detectionCount = detections.count
    self.curves = curves
    self.precisions = precisions
    self.recalls = recalls
  }
}

/// Precision over recall at one overlap.
public struct PrecisionRecallCurve: Hashable, Codable, Sendable {
  /// The least overlap of a detection with its object.
  public let overlapThreshold: Double
  /// For each of `CocoProtocol.recallThresholds`, the best precision at that recall or above; 0 if
  /// the recall is not reached.
  public let precisions: [Double]
  /// For each recall, the score of the detection that reaches it, which is the confidence threshold
  /// for that recall; 0 if the recall is not reached.
  public let scores: [Double]
  /// The greatest recall: the share of the objects that are found.
  public let recall: Double
}

extension [CategoryMetrics] {
  /// The mean over the categories that have the number.
  func mean(_ number: (CategoryMetrics) -> Double?) -> Double? {
    let numbers = compactMap(number)
    return numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }
}

/// Numbers with their names, -1 as "-".
func summaryText(_ names: [String], _ values: [Double]) -> String {
  zip(names, values).map { name, value in
    "\(name) " + (value < 0 ? "-" : "\((value * 1e4).rounded() / 1e4)")
  }.joined(separator: ", ")
}

extension [JudgedDetection] {
  /// By descending score; of equal ones by image, then as they stand.
  fileprivate func inOrder(_ placeOfImage: [UInt32]) -> Self {
    sorted { left, right in
      if left.score != right.score { return left.score > right.score }
      if left.image != right.image {
        return placeOfImage[Int(left.image)] < placeOfImage[Int(right.image)]
      }
      return left.rank < right.rank
    }
  }
}
