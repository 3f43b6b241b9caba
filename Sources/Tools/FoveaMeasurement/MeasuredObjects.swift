// Fovea - what of a request's objects is compared, and objects of annotations as it is compared.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
package import FoveaEvaluation
internal import FoveaGeometry
internal import FoveaShapes
package import FoveaVision

extension DetectObjectsRequest {
  /// What can be compared beside boxes.
  package var shapes: [ObjectOverlap] {
    ObjectOverlap.shapes(
      hasMasks: findsMasks, pointCount: keypointCount, hasCorners: findsTurnedBoxes)
  }
}

extension GroundTruthObject {
  /// An object that annotators marked. Its area is that of the box, as those forms state none.
  init(_ box: AnnotatedSet.Box, imageSize: ImageSize) {
    self.init(
      category: box.classIndex,
      box: PixelBox(x: box.x, y: box.y, width: box.width, height: box.height),
      isCrowd: box.isIgnored)
    guard let shape = box.shape else { return }
    if !shape.keypoints.isEmpty {
      keypoints = shape.keypoints.map { $0.map { PixelPoint(x: $0.x, y: $0.y) } }
    }
    if shape.outline.count == 4 { corners = shape.outline.map { PixelPoint(x: $0.x, y: $0.y) } }
    if !shape.outline.isEmpty {
      mask = MaskRunLengths(
        imageSize: imageSize, outlines: [shape.outline.flatMap { [$0.x, $0.y] }])
    }
  }
}

extension AnnotatedSet {
  /// Why a measure of something beside boxes cannot be taken; `nil` where it can.
  func obstacle(to overlap: ObjectOverlap) -> String? {
    for picture in pictures {
      for box in picture.boxes {
        guard let problem = overlap.problem(box.shape) else { continue }
        return "\(picture.name): an object has \(problem)"
      }
    }
    return nil
  }
}

extension ObjectOverlap {
  /// What labels do not say that is compared.
  fileprivate func problem(_ shape: PlacedShape?) -> String? {
    switch self {
    case .boxes: return nil
    case .masks: return shape?.outline.isEmpty ?? true ? "no outline" : nil
    case .corners: return shape?.outline.count == 4 ? nil : "no four corners"
    case .keypoints(let similarity):
      let (count, wanted) = (shape?.keypoints.count ?? 0, similarity.deviations.count)
      return count == wanted ? nil : "\(count) key points; the model finds \(wanted)"
    }
  }
}
