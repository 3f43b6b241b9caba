// Fovea - a line that objects cross.
// SPDX-License-Identifier: Apache-2.0

/// A place in the picture, in the unit of the boxes. y points down.
package struct CountingPoint: Hashable, Sendable {
  /// To the right.
  package var x: Double
  /// Downwards.
  package var y: Double

  /// Creates a point.
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A line from one point to another. Left and right are meant as seen by somebody who stands at the
/// first point and looks to the second: the right side of a line that leads to the right is below.
package struct CountingLine: Hashable, Sendable {
  /// What results call the line.
  package let name: String
  /// Where it begins.
  package let start: CountingPoint
  /// Where it ends; not where it begins.
  package let end: CountingPoint

  /// Creates a line.
  ///
  /// - Precondition: The points are different and finite.
  package init(name: String, start: CountingPoint, end: CountingPoint) {
    precondition(
      start != end && (start.x + start.y + end.x + end.y).isFinite,
      "a line needs two different points")
    self.name = name
    self.start = start
    self.end = end
  }

  /// How far a point lies to the right of the line and its extension; negative on the left.
  func offset(_ point: CountingPoint) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = (x * x + y * y).squareRoot()
    return ((point.y - start.y) * x - (point.x - start.x) * y) / length
  }

  /// Whether a point of the line or its extension lies between the ends.
  func spans(_ point: CountingPoint) -> Bool {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let along = (point.x - start.x) * x + (point.y - start.y) * y
    return along >= 0 && along <= x * x + y * y
  }
}
