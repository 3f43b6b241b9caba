// Fovea - the numbers that COCO's average precision is defined by.
// SPDX-License-Identifier: Apache-2.0

/// The parameters of COCO's average precision for boxes: those of `pycocotools.cocoeval.Params`, to
/// the last bit.
public enum CocoProtocol {
  /// The least overlaps of a detection with its object: 0.50, 0.55 ... 0.95.
  public static let overlapThresholds: [Double] = (0..<10).map { index in
    // As numpy.linspace rounds them: the ninth is 0.8999999999999999.
    0.5 + Double(index) * ((0.95 - 0.5) / 9)
  }

  /// The recalls at which precision is taken: 0, 0.01 ... 1.
  public static let recallThresholds: [Double] = (0...100).map { Double($0) * 0.01 }

  /// The numbers of detections of a category in an image that count, best first: 1, 10, 100.
  public static let detectionLimits = [1, 10, 100]
}

/// A range of areas of objects. A limit belongs to both ranges.
public enum ObjectSize: Int, Hashable, Codable, Sendable, CaseIterable {
  /// Every area.
  case all
  /// At most 32 x 32 pixels.
  case small
  /// 32 x 32 to 96 x 96 pixels.
  case medium
  /// At least 96 x 96 pixels.
  case large

  /// The areas in square pixels.
  public var areas: ClosedRange<Double> {
    switch self {
    case .all: 0...1e10
    case .small: 0...1024
    case .medium: 1024...9216
    case .large: 9216...1e10
    }
  }
}
