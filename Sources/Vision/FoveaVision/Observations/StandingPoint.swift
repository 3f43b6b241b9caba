// Fovea - where a person stands.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
internal import FoveaShapes

extension RecognizedObjectObservation {
  /// The middle between the ankles that are seen, in fractions of the upright image from the lower
  /// left; `nil` where none is.
  package var feet: NormalizedPoint? {
    let ankles = keypoints.filter { point in
      ["left_ankle", "right_ankle"].contains(point.name)
        && point.confidence >= BodyPoints.leastConfidence && point.location.x.isFinite
        && point.location.y.isFinite
    }
    guard !ankles.isEmpty else { return nil }
    let count = Double(ankles.count)
    return NormalizedPoint(
      x: ankles.reduce(0) { $0 + $1.location.x } / count,
      y: ankles.reduce(0) { $0 + $1.location.y } / count)
  }
}
