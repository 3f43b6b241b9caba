// Fovea - objects that requests found, as evaluations compare them.
// SPDX-License-Identifier: Apache-2.0
package import FoveaEvaluation
internal import FoveaGeometry
internal import FoveaShapes
package import FoveaVision

extension DetectObjectsResult {
  /// The objects as evaluations compare them: in pixels, cut at the image's edges, in the order
  /// of their scores. Classes without a category are left out.
  ///
  /// - Parameter keepsShapes: Whether objects have their masks, key points and corners.
  package func detectedObjects(categories: [Int?], keepsShapes: Bool = false) -> [DetectedObject] {
    observations.compactMap { observation in
      var object = DetectedObject(
        classIndex: observation.bestLabel?.classIndex, categories: categories,
        boundingBox: observation.boundingBox, imageSize: imageSize,
        confidence: observation.topConfidence)
      if keepsShapes {
        object?.mask = observation.mask?.runLengths
        object?.keypoints = observation.keypoints.map { pixels($0.location) }
        object?.corners = observation.corners.map { $0.corners.map(pixels) }
      }
      return object
    }
  }

  private func pixels(_ point: NormalizedPoint) -> PixelPoint {
    let place = point.toImageCoordinates(imageSize, origin: .upperLeft)
    return PixelPoint(x: place.x, y: place.y)
  }
}
