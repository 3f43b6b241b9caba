// Fovea - how the last values of a detector become boxes.
// SPDX-License-Identifier: Apache-2.0

/// How the last values of a detector become boxes.
package enum NetworkHeads: Sendable {
  case anchors([AnchorHead])
  case distances([DistanceHead])

  /// The values that the heads read, in the order of the outputs of a tape.
  package var values: [Int] {
    switch self {
    case .anchors(let heads): heads.map(\.value)
    case .distances(let heads): heads.flatMap { [$0.boxes, $0.labels] }
    }
  }
}

/// A head that writes boxes beside given sizes, in each cell of a grid.
package struct AnchorHead: Sendable, Hashable {
  /// The value that is read: for each anchor x, y, width, height, objectness and labels.
  package var value: Int
  /// In fractions of the picture.
  package var anchors: [Side]
  /// Whether sizes are squares of sigmoids, else exponentials.
  package var isSquared: Bool
  /// How far centers reach out of their cells; 1 for not at all.
  package var spread: Float

  package struct Side: Sendable, Hashable {
    package var width: Float
    package var height: Float

    /// Creates a size.
    package init(width: Float, height: Float) { (self.width, self.height) = (width, height) }
  }
}

/// A head that writes the distances from the middle of a cell to the sides of a box, each as a
/// distribution.
package struct DistanceHead: Sendable, Hashable {
  package var boxes: Int
  package var labels: Int
  package var bins: Int

  /// Creates a head.
  package init(boxes: Int, labels: Int, bins: Int) {
    (self.boxes, self.labels, self.bins) = (boxes, labels, bins)
  }
}
