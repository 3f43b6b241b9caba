// Fovea - how the last values of a detector become boxes.
// SPDX-License-Identifier: Apache-2.0

/// How the last values of a detector become boxes.
enum NetworkHeads: Sendable {
  case anchors([AnchorHead])
  case distances([DistanceHead])

  /// The values that the heads read, in the order of the outputs of a tape.
  var values: [Int] {
    switch self {
    case .anchors(let heads): heads.map(\.value)
    case .distances(let heads): heads.flatMap { [$0.boxes, $0.labels] }
    }
  }
}

/// A head that writes boxes beside given sizes, in each cell of a grid.
struct AnchorHead: Sendable, Hashable {
  /// The value that is read: for each anchor x, y, width, height, objectness and labels.
  var value: Int
  /// In fractions of the picture.
  var anchors: [Side]
  /// Whether sizes are squares of sigmoids, else exponentials.
  var isSquared: Bool
  /// How far centers reach out of their cells; 1 for not at all.
  var spread: Float

  struct Side: Sendable, Hashable {
    var width: Float
    var height: Float
  }
}

/// A head that writes the distances from the middle of a cell to the sides of a box, each as a
/// distribution.
struct DistanceHead: Sendable, Hashable {
  var boxes: Int
  var labels: Int
  var bins: Int
}
