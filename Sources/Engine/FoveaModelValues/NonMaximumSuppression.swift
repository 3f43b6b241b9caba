// Fovea - the description of a suppression stage.
// SPDX-License-Identifier: Apache-2.0

/// Suppression of boxes that overlap a box of higher confidence.
///
/// The stage reads confidence (boxes x classes) and coordinates (boxes x 4: center x, center y,
/// width, height, in fractions of the image from its upper left). It writes the rows of the boxes
/// that stay.
public struct NonMaximumSuppression: Sendable, Hashable {
  /// Whether a box suppresses only boxes whose best class is the same.
  public var perClass: Bool
  /// The class names.
  public var classLabels: ClassLabels
  /// Boxes whose intersection over union with a kept box is greater than this are dropped.
  public var iouThreshold: Double
  /// Boxes whose best score is below this are dropped.
  public var confidenceThreshold: Double
  /// The feature to read scores from.
  public var confidenceInputName: String
  /// The feature to read boxes from.
  public var coordinatesInputName: String
  /// The feature that overrides `iouThreshold`; empty for none. If the file does not declare that
  /// feature, the stored threshold is used.
  public var iouThresholdInputName: String
  /// The feature that overrides `confidenceThreshold`, like `iouThresholdInputName`.
  public var confidenceThresholdInputName: String
  /// The feature to write scores to.
  public var confidenceOutputName: String
  /// The feature to write boxes to.
  public var coordinatesOutputName: String

  /// Creates a suppression stage.
  public init(
    perClass: Bool, classLabels: ClassLabels, iouThreshold: Double, confidenceThreshold: Double,
    confidenceInputName: String, coordinatesInputName: String,
    iouThresholdInputName: String = "", confidenceThresholdInputName: String = "",
    confidenceOutputName: String, coordinatesOutputName: String
  ) {
    self.perClass = perClass
    self.classLabels = classLabels
    self.iouThreshold = iouThreshold
    self.confidenceThreshold = confidenceThreshold
    self.confidenceInputName = confidenceInputName
    self.coordinatesInputName = coordinatesInputName
    self.iouThresholdInputName = iouThresholdInputName
    self.confidenceThresholdInputName = confidenceThresholdInputName
    self.confidenceOutputName = confidenceOutputName
    self.coordinatesOutputName = coordinatesOutputName
  }
}
