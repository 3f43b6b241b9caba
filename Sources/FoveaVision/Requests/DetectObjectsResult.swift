// Fovea - what a detection found, in which image, and how fast.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// What a detection found, in which image, and how fast.
public struct DetectObjectsResult: Sendable {
  /// The objects, by descending score of their best class.
  public var observations: [RecognizedObjectObservation]
  /// How the image lay in the network's input: which part of it was seen, with what padding, and
  /// the maps between the input, the upright image, the stored one and a view.
  public var geometry: ImageGeometry
  /// Where the time went.
  public var timings: DetectionTimings
  /// All scores, where the request's `retainsScores` asks for them.
  public var scores: DetectionScores?

  /// Creates a result.
  public init(
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
  public var orientation: ImageOrientation { geometry.orientation }
}
