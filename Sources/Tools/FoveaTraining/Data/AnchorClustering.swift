// Fovea - the sizes that boxes are measured by.
// SPDX-License-Identifier: Apache-2.0

/// Finds the sizes that the boxes of a set have.
enum AnchorClustering {
  /// How much larger objects appear in views.
  private static let scales = [1, 1.25, 1.55]

  /// `count` sizes, by ascending area: centers of clusters by intersection over union.
  static func anchors(_ set: TrainingSet, count: Int) -> [AnchorHead.Side] {
    var sides: [AnchorHead.Side] = []
    for object in set.pictures.flatMap(\.objects) where object.weight > 0 {
      for scale in scales {
        sides.append(
          AnchorHead.Side(
            width: Float(min(max(object.width * scale, 1e-3), 1)),
            height: Float(min(max(object.height * scale, 1e-3), 1))))
      }
    }
    guard !sides.isEmpty else { return usual(count) }
    sides.sort { ($0.area, $0.width) < ($1.area, $1.width) }
    var centers = (0..<count).map { sides[(2 * $0 + 1) * sides.count / (2 * count)] }
    for _ in 0..<30 {
      let next = moved(centers, sides)
      if next == centers { break }
      centers = next
    }
    return spread(centers.sorted { $0.area < $1.area })
  }

  private static func moved(
    _ centers: [AnchorHead.Side], _ sides: [AnchorHead.Side]
  ) -> [AnchorHead.Side] {
    var sums = [(width: Float, height: Float, count: Float)](
      repeating: (0, 0, 0), count: centers.count)
    for side in sides {
      let nearest =
        centers.indices.max { side.overlap(centers[$0]) < side.overlap(centers[$1]) } ?? 0
      sums[nearest].width += side.width
      sums[nearest].height += side.height
      sums[nearest].count += 1
    }
    return zip(centers, sums).map { center, sum in
      sum.count == 0
        ? center
        : AnchorHead.Side(width: sum.width / sum.count, height: sum.height / sum.count)
    }
  }

  /// Equal sizes, as those of sets of one size, are spread a little.
  private static func spread(_ sides: [AnchorHead.Side]) -> [AnchorHead.Side] {
    var result = sides
    for place in result.indices.dropFirst()
    where result[place].area <= result[place - 1].area * 1.02 {
      result[place].width = min(result[place - 1].width * 1.08, 1)
      result[place].height = min(result[place - 1].height * 1.08, 1)
    }
    return result
  }

  private static func usual(_ count: Int) -> [AnchorHead.Side] {
    (0..<count).map {
      let side = Float(0.05 + 0.6 * Double($0) / Double(max(count - 1, 1)))
      return AnchorHead.Side(width: side, height: side)
    }
  }
}

extension AnchorHead.Side {
  var area: Float { width * height }

  /// Intersection over union of two boxes with one middle.
  func overlap(_ other: Self) -> Float {
    let common = min(width, other.width) * min(height, other.height)
    return common / (area + other.area - common)
  }
}
