// Fovea - boxes that were drawn twice.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// Boxes that were drawn twice.
enum OverlapCheck {
  static let leastOverlap = 0.9
  /// Boxes that each box is compared with: more near each other are no set that a person made.
  static let greatestCount = 500

  static func findings(in picture: AnnotatedSet.Picture) -> [AnnotationFinding] {
    let boxes = picture.boxes.sorted { ($0.classIndex, $0.x) < ($1.classIndex, $1.x) }
    var findings: [AnnotationFinding] = []
    for (place, box) in boxes.enumerated() {
      for other in boxes[(place + 1)...].prefix(greatestCount) {
        // Farther to the right, the overlap is smaller.
        guard other.classIndex == box.classIndex,
          other.x - box.x < (1 - leastOverlap) * box.width
        else { break }
        if overlap(box, other) > leastOverlap {
          findings.append(
            AnnotationFinding(
              .boxTwice, picture.name,
              "the same box twice: two boxes of one label overlap by more than 0.9"))
          break
        }
      }
    }
    return findings
  }

  private static func overlap(_ one: AnnotatedSet.Box, _ other: AnnotatedSet.Box) -> Double {
    one.corners.intersectionOverUnion(with: other.corners)
  }
}

extension AnnotatedSet.Box {
  fileprivate var corners: CornerBox { CornerBox(minX: x, minY: y, maxX: maxX, maxY: maxY) }
}
