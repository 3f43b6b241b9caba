// Fovea - an image with what is in it and what was found.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// An image with what is in it and what was found.
package struct ExaminedImage: Sendable {
  package var path: String
  /// Of the upright image.
  package var size: ImageSize
  package var objects: [GroundTruthObject]
  package var detections: [DetectedObject]

  package init(
    path: String, size: ImageSize, objects: [GroundTruthObject], detections: [DetectedObject]
  ) {
    (self.path, self.size) = (path, size)
    (self.objects, self.detections) = (objects, detections)
  }
}
