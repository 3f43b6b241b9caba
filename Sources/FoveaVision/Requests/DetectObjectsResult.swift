// Fovea - what a detection found, in which picture, and how fast.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// What a detection found, in which picture, and how fast.
public struct DetectObjectsResult: Sendable {
  /// The objects, by descending score of their best class.
  public var observations: [RecognizedObjectObservation]
  /// The size of the upright picture in pixels; boxes are fractions of it.
  public var imageSize: ImageSize
  /// The orientation that was applied to the stored picture.
  public var orientation: ImageOrientation
  /// Where the time went.
  public var timings: DetectionTimings

  /// Creates a result.
  public init(
    observations: [RecognizedObjectObservation], imageSize: ImageSize,
    orientation: ImageOrientation, timings: DetectionTimings
  ) {
    self.observations = observations
    self.imageSize = imageSize
    self.orientation = orientation
    self.timings = timings
  }
}
