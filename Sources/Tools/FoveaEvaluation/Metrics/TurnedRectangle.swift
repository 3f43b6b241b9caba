// Fovea - turned boxes and how much they overlap.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// A turned box as a normal distribution: uniform over the box, it has the variances w^2 / 12 and
/// h^2 / 12 along its sides. The core suppresses turned boxes by the same measure
/// (`fov_turned_boxes.h`).
struct TurnedRectangle {
  private var x: Double, y: Double
  /// The covariance: along x, along y, and of both.
  private var across: Double, down: Double, both: Double

  /// The least turned box around four corners; `nil` for another number of them. People's corners
  /// are seldom a rectangle's: one of the sides of the least box lies along an edge of the four.
  init?(around corners: [PixelPoint]) {
    guard corners.count == 4 else { return nil }
    var least: (area: Double, box: TurnedRectangle)?
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let length = (dx * dx + dy * dy).squareRoot()
      guard length > 0 else { continue }
      let (cosine, sine) = (dx / length, dy / length)
      let along = corners.map { $0.x * cosine + $0.y * sine }
      let across = corners.map { $0.y * cosine - $0.x * sine }
      let (left, right) = (along.min()!, along.max()!)
      let (top, bottom) = (across.min()!, across.max()!)
      let area = (right - left) * (bottom - top)
      guard area < least?.area ?? .infinity else { continue }
      let (u, v) = ((left + right) / 2, (top + bottom) / 2)
      least = (
        area,
        TurnedRectangle(
          x: u * cosine - v * sine, y: u * sine + v * cosine, width: right - left,
          height: bottom - top, cosine: cosine, sine: sine)
      )
    }
    guard let least else { return nil }
    self = least.box
  }

  private init(
    x: Double, y: Double, width: Double, height: Double, cosine: Double, sine: Double
  ) {
    (self.x, self.y) = (x, y)
    let (a, b) = (width * width / 12, height * height / 12)
    across = a * cosine * cosine + b * sine * sine
    down = a * sine * sine + b * cosine * cosine
    both = (a - b) * cosine * sine
  }

  /// 1 minus the Hellinger distance of the distributions; 0...1.
  func overlap(with other: TurnedRectangle) -> Double {
    let tiny = 1e-7
    let (a, b, c) = (across + other.across, down + other.down, both + other.both)
    let (dx, dy) = (x - other.x, y - other.y)
    let determinant = a * b - c * c
    let distance =
      (a * dy * dy + b * dx * dx) / (determinant + tiny) / 4
      - c * dx * dy / (determinant + tiny) / 2
    let own = max(0, across * down - both * both)
    let others = max(0, other.across * other.down - other.both * other.both)
    let shape = 0.5 * log(determinant / (4 * (own * others).squareRoot() + tiny) + tiny)
    guard (distance + shape).isFinite else { return 0 }
    let bhattacharyya = min(max(distance + shape, tiny), 100)
    return max(0, 1 - (1 - exp(-bhattacharyya) + tiny).squareRoot())
  }
}
