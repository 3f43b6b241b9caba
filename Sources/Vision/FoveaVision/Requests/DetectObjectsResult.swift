// Fovea - what a detection found, in which image, and how fast.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// The result of a detection: objects, geometry and times.
public struct DetectObjectsResult: Sendable {
  /// The objects, by descending score of their best class.
  public var observations: [RecognizedObjectObservation]
  /// The geometry of the image in the network's input: the part that was seen, the padding, and the
  /// maps between the input, the upright image, the stored one and a view.
  public var geometry: ImageGeometry
  /// The time of each stage.
  public var timings: DetectionTimings
  /// All scores, if the request's `retainsScores` is set.
  public var scores: DetectionScores?
  /// The part of the image's pixels that its file says are transparent.
  package var transparentShare = 0.0

  /// Creates a result.
  package init(
    observations: [RecognizedObjectObservation], geometry: ImageGeometry,
    timings: DetectionTimings, scores: DetectionScores? = nil
  ) {
    self.observations = observations
    self.geometry = geometry
    self.timings = timings
    self.scores = scores
  }

  /// The size of the upright image in pixels; boxes are fractions of it.
  public var imageSize: ImageSize { geometry.uprightSize }

  /// The orientation that was applied to the stored image.
  package var orientation: ImageOrientation { geometry.orientation }
}
