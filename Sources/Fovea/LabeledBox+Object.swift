// Fovea - drawing what was found.
// SPDX-License-Identifier: Apache-2.0
public import FoveaDrawing
public import FoveaVision

extension LabeledBox {
  /// What is drawn of an object: its box or its turned box, its mask and its key points, with its
  /// best label.
  public init(_ object: RecognizedObjectObservation) {
    let (label, classIndex) = (object.bestLabel?.identifier, object.bestLabel?.classIndex)
    if let corners = object.corners {
      self.init(
        label: label ?? "", classIndex: classIndex, confidence: object.topConfidence,
        corners: corners.corners)
    } else {
      self.init(
        label: label ?? "", classIndex: classIndex, confidence: object.topConfidence,
        boundingBox: object.boundingBox)
    }
    (mask, keypoints) = (object.mask, object.keypoints)
  }
}
