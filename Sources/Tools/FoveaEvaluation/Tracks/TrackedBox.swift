// Fovea - a box of a track in one frame, as MOTChallenge's files state it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A line of a MOTChallenge file: a box in a frame.
package struct TrackedBox: Hashable, Sendable {
  /// The frame, counted from 1.
  package var frame: Int
  /// The identifier of the track; -1 in files of detections.
  package var identifier: Int
  /// The box in pixels, counted from the upper left.
  package var box: PixelBox
  /// The seventh column: the score of a detection. In ground truth, 0 marks what does not count.
  package var score: Double
  /// The eighth column: the class of an object, 1 for pedestrians. `nil` where the line ends before
  /// it or states -1.
  package var category: Int?

  /// Creates a box of a track.
  package init(
    frame: Int, identifier: Int, box: PixelBox, score: Double = 1, category: Int? = nil
  ) {
    self.frame = frame
    self.identifier = identifier
    self.box = box
    self.score = score
    self.category = category
  }

  /// The edges, between which overlaps are computed.
  var corners: CornerBox {
    CornerBox(minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height)
  }
}
