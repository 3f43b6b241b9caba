// Fovea - where the plates of labels go.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// Finds places for the plates of labels, one after the other: inside the canvas, near their boxes,
/// not on each other, and not on small objects.
///
/// A plate goes above its box, flush with the left edge, where that is free. Otherwise the cheapest
/// place is taken: costs are counted in plates' sizes and say how much is covered, how far the
/// plate had to move, and how unusual the place is.
struct PlateArrangement {
  /// The canvas.
  let bounds: ImageRect
  /// The boxes with their lines and casings, in the order of their indices.
  let boxes: [ImageRect]
  /// The plates that have their places.
  private(set) var placed: [ImageRect] = []

  /// What speaks at least against a place that only another plate explains.
  private static let leastEvasiveCost = 1.0

  /// As many plates are looked at as obstacles for one more: enough for any crowd that can be read,
  /// and thousands of boxes in one place do not take minutes.
  private static let mostObstacles = 24

  init(bounds: ImageRect, boxes: [ImageRect]) {
    self.bounds = bounds
    self.boxes = boxes
  }

  /// Finds a place for the plate of a box and keeps it.
  ///
  /// - Parameters:
  ///   - width: Width of the plate, at most that of the canvas.
  ///   - height: Height of the plate, at most that of the canvas.
  ///   - overlap: How far the plate lies over the box's casing where it stands above or below.
  ///   - index: Which box it belongs to.
  mutating func place(
    width: Double, height: Double, overlap: Double, beside index: Int
  ) -> ImageRect {
    let plate = ImageRect(x: 0, y: 0, width: width, height: height, origin: .upperLeft)
    let usual = usualPlaces(of: plate, overlap: overlap, at: boxes[index])
    var best = cheapest(of: usual, index)
    if best.cost > Self.leastEvasiveCost {
      let evasive = cheapest(of: placesBesideObstacles(usual, at: boxes[index]), index)
      if evasive.cost < best.cost { best = evasive }
    }
    placed.append(best.rect)
    return best.rect
  }

  // MARK: Candidates

  /// A place and what speaks against it before anything else is looked at.
  private struct Candidate {
    var rect: ImageRect
    var cost: Double
  }

  /// The eight places at the corners of the box, moved into the canvas.
  private func usualPlaces(
    of plate: ImageRect, overlap: Double, at box: ImageRect
  ) -> [Candidate] {
    let (left, right) = (box.minX, box.maxX - plate.width)
    let (above, below) = (box.minY - plate.height + overlap, box.maxY - overlap)
    let (top, bottom) = (box.minY, box.maxY - plate.height)
    let places = [
      (left, above, 0), (right, above, 0.5), (left, top, 0.8), (right, top, 1.2),
      (left, below, 1.4), (right, below, 1.7), (left, bottom, 2), (right, bottom, 2.2),
    ]
    return places.map { x, y, cost in
      var wanted = plate
      (wanted.x, wanted.y) = (x, y)
      let rect = wanted.moved(into: bounds)
      let moved = abs(rect.x - x) / plate.width + 4 * abs(rect.y - y) / plate.height
      return Candidate(rect: rect, cost: cost + moved)
    }
  }

  /// Places around the plates that are nearest to the box.
  private func placesBesideObstacles(_ usual: [Candidate], at box: ImageRect) -> [Candidate] {
    let distances = placed.enumerated().map { (distance: $1.distance(to: box), index: $0) }
    let nearest = distances.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
    return nearest.prefix(Self.mostObstacles).flatMap { near in
      let obstacle = placed[near.index]
      return usual.prefix(2).flatMap { candidate -> [Candidate] in
        let plate = candidate.rect
        let places = [
          (plate.x, obstacle.minY - plate.height), (plate.x, obstacle.maxY),
          (obstacle.maxX, obstacle.y), (obstacle.minX - plate.width, obstacle.y),
        ]
        return places.map { x, y in
          var wanted = plate
          (wanted.x, wanted.y) = (x, y)
          let rect = wanted.moved(into: bounds)
          return Candidate(rect: rect, cost: evasiveCost(of: rect, at: box))
        }
      }
    }
  }

  // MARK: Costs

  /// What speaks against a place that only another plate explains: more where the plate is not
  /// inside its box, most where it is not even above or below it.
  private func evasiveCost(of plate: ImageRect, at box: ImageRect) -> Double {
    let beside = max(0, plate.maxX - box.maxX) + max(0, box.minX - plate.minX)
    let outside = plate.minY < box.minY || plate.maxY > box.maxY
    return Self.leastEvasiveCost + 1.5 * min(1, beside / plate.width) + (outside ? 0.6 : 0)
      + 0.5 * plate.distance(to: box) / plate.height
  }

  /// The cheapest candidate with all its costs, the first among equals.
  private func cheapest(of candidates: [Candidate], _ index: Int) -> Candidate {
    var best = Candidate(rect: bounds, cost: .infinity)
    for candidate in candidates {
      let rect = candidate.rect
      var cost = candidate.cost + 100 * coveredPlates(by: rect)
      guard cost < best.cost else { continue }
      cost += coveredBoxes(by: rect, index)
      if cost < best.cost { best = Candidate(rect: rect, cost: cost) }
    }
    return best
  }

  /// The part of `rect` that lies on plates; more than 1 where these lie on each other.
  private func coveredPlates(by rect: ImageRect) -> Double {
    let area = placed.reduce(0) { $0 + $1.commonArea(with: rect) }
    // What is less than a millionth of a plate is the rounding of edges that touch.
    let part = area / (rect.width * rect.height)
    return part > 1e-6 ? part : 0
  }

  /// How much of boxes would be hidden: that of others weighs more than that of its own.
  private func coveredBoxes(by rect: ImageRect, _ index: Int) -> Double {
    var cost = 0.0
    for (other, box) in boxes.enumerated() {
      let common = box.commonArea(with: rect)
      guard common > 0 else { continue }
      cost += (other == index ? 3 : 5) * common / (box.width * box.height)
    }
    return cost
  }
}

extension ImageRect {
  /// The distance between the nearest points of two rectangles, 0 where they touch.
  func distance(to other: ImageRect) -> Double {
    let x = max(0, max(other.minX - maxX, minX - other.maxX))
    let y = max(0, max(other.minY - maxY, minY - other.maxY))
    return (x * x + y * y).squareRoot()
  }
}
