// Fovea - how the outputs of a detector are to be read.
// SPDX-License-Identifier: Apache-2.0

/// How a detector without a suppression stage writes its boxes.
///
/// Boxes have a center and a size unless corners are named. N is the number of boxes, C that of
/// classes.
public enum DetectorHead: String, Sendable, Hashable, CaseIterable {
  /// YOLOv8, YOLO11 and their kin: [1, 4 + C, N], boxes in pixels, then scores. Factors of masks, key
  /// points or angles may follow.
  case yolo
  /// YOLOv5, YOLOv6 and YOLOv7: [1, N, 5 + C], boxes in pixels, objectness, then scores.
  case yoloAnchors = "yolo-anchors"
  /// YOLO26 and YOLOv10: [1, N, 6], corners in pixels, score, class. Nothing is suppressed.
  case endToEnd = "end-to-end"
  /// YOLOX: [1, N, 5 + C], as `yoloAnchors` with one box in each cell.
  case yolox
  /// NanoDet: [1, N, C + 4 B], scores and then B numbers for each side, whose softmax gives its
  /// distance from the cell. Or scores [1, N, C] and corners in pixels [1, N, 4].
  case nanodet
  /// YOLO-NAS and PP-YOLOE: corners in pixels [1, N, 4], and then scores [1, N, C] or [1, C, N].
  case yoloNAS = "yolo-nas"
  /// PicoDet: for each grid scores [1, N, C] and B numbers for each side [1, N, 4 B], as `nanodet`.
  case picodet
  /// EfficientDet: scores [1, N, C] and distances [1, N, 4] from nine boxes in each cell.
  case efficientdet
  /// DETR and its kin: scores [1, N, C] and boxes [1, N, 4] in fractions of the image. Nothing is
  /// suppressed.
  case detr
  /// YOLACT: offsets [1, N, 4] from priors [N, 4], scores [1, N, 1 + C], factors of masks [1, N, m]
  /// and prototypes [1, rows, columns, m].
  case yolact
  /// MoveNet: the 17 points of one person [1, 1, 17, 3], or of six people [1, 6, 56]. Nothing is
  /// suppressed.
  case movenet
  /// A file with suppression inside: boxes and scores in front of it.
  case suppressed

  /// Whether overlapping boxes stand for one object.
  package var needsSuppression: Bool { ![.endToEnd, .detr, .movenet].contains(self) }

  /// The key of the metadata under which a model keeps the head that was recognized.
  package static let metadataKey = "fovea.head"
}

/// A head that was recognized or forced.
package struct RecognizedHead: Sendable, Hashable {
  /// The head.
  package var head: DetectorHead
  /// Why it is this one, in words.
  package var reason: String
  /// What the outputs hold beside boxes and is not decoded, in words; empty if nothing.
  package var leftOut: String
  /// Why pictures are given with the mean and deviation of ImageNet, in words; `nil` where the head
  /// does not tell.
  package var imageNetReason: String?
  /// The names of the classes, where the head tells them and the file does not.
  package var classLabels: [String]?

  /// Creates a description.
  package init(_ head: DetectorHead, reason: String, leftOut: String = "") {
    self.head = head
    self.reason = reason
    self.leftOut = leftOut
  }
}
