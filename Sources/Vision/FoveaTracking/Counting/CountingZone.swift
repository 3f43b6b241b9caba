// Fovea - a part of the picture in which objects are counted.
// SPDX-License-Identifier: Apache-2.0

/// A polygon. Where it overlaps itself, what lies inside twice is outside.
package struct CountingZone: Hashable, Sendable {
  /// What results call the zone.
  package let name: String
  /// The corners in order; the last one is joined with the first.
  package let corners: [CountingPoint]

  /// Creates a zone.
  ///
  /// - Precondition: There are at least three corners, and they are finite.
  package init(name: String, corners: [CountingPoint]) {
    precondition(
      corners.count >= 3 && corners.allSatisfy { ($0.x + $0.y).isFinite },
      "a zone needs three corners")
    self.name = name
    self.corners = corners
  }

  /// Whether a point lies inside. Zones that share an edge never share a point of it.
  ///
  /// - Complexity: O(n) for n corners.
  package func contains(_ point: CountingPoint) -> Bool {
    var isInside = false
    var last = corners[corners.count - 1]
    for corner in corners {
      // An edge counts that a ray to the right meets; of its ends only the upper one belongs to it.
      if (corner.y > point.y) != (last.y > point.y) {
        let share = (point.y - corner.y) / (last.y - corner.y)
        if point.x < corner.x + share * (last.x - corner.x) { isInside.toggle() }
      }
      last = corner
    }
    return isInside
  }

  /// How far a point is from the border.
  func distanceToBorder(_ point: CountingPoint) -> Double {
    var least = Double.infinity
    var last = corners[corners.count - 1]
    for corner in corners {
      least = min(least, Self.squaredDistance(point, last, corner))
      last = corner
    }
    return least.squareRoot()
  }

  /// The squared distance of a point from the edge between two corners.
  private static func squaredDistance(
    _ point: CountingPoint, _ start: CountingPoint, _ end: CountingPoint
  ) -> Double {
    let (edgeX, edgeY) = (end.x - start.x, end.y - start.y)
    let (x, y) = (point.x - start.x, point.y - start.y)
    let square = edgeX * edgeX + edgeY * edgeY
    let share = square > 0 ? min(1, max(0, (x * edgeX + y * edgeY) / square)) : 0
    let (apartX, apartY) = (x - share * edgeX, y - share * edgeY)
    return apartX * apartX + apartY * apartY
  }
}
