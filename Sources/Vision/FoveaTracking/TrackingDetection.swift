// Fovea - what goes into a tracker, and what comes out.
// SPDX-License-Identifier: Apache-2.0

/// What a detector found in a frame.
package struct TrackingDetection: Hashable, Sendable {
  /// Where it is.
  package var box: TrackingBox
  /// How sure the detector is; 0...1.
  package var score: Double
  /// The number of its label.
  package var label: Int

  /// Creates a detection.
  package init(box: TrackingBox, score: Double, label: Int = 0) {
    self.box = box
    self.score = score
    self.label = label
  }
}

/// An object that is tracked, in one frame.
package struct TrackedObject: Hashable, Sendable {
  /// The same for the same object in every frame; counted from 1, never used for another.
  package var identifier: Int
  /// Where the object is: between what was measured and what its motion lets expect.
  package var box: TrackingBox
  /// The score of its last detection.
  package var score: Double
  /// The number of its label.
  package var label: Int
  /// Its place among the detections of the frame; `nil` if the object was not seen in it.
  package var detection: Int?
  /// Where its feet were seen in this frame; `nil` where they were not.
  package var feet: CountingPoint?

  /// Creates an object.
  package init(
    identifier: Int, box: TrackingBox, score: Double, label: Int = 0, detection: Int? = nil
  ) {
    self.identifier = identifier
    self.box = box
    self.score = score
    self.label = label
    self.detection = detection
  }

  /// Whether the box is predicted from the motion of the object, which was not seen.
  package var isPredicted: Bool { detection == nil }
}
