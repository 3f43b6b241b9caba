// Fovea - a face as a network gives it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaLibc

/// A face as a network gives it: a box, and points that the network places in it. All in pixels from
/// the upper left, of the network's input or of a picture.
struct FaceCandidate {
  /// 0...1.
  var score: Double
  /// The middle of the box.
  var center: SIMD2<Double>
  /// Width and height of the box, along the face's own axes.
  var size: SIMD2<Double>
  /// How far the face is turned clockwise, in radians.
  var roll: Double
  /// The points, in the order of `FaceHead.points`.
  var points: [SIMD2<Double>]

  /// The mean of width and height.
  var side: Double { (size.x + size.y) / 2 }

  /// The upright box, whatever the roll.
  var box: CornerBox {
    let half = size / 2
    return CornerBox(
      minX: center.x - half.x, minY: center.y - half.y, maxX: center.x + half.x,
      maxY: center.y + half.y)
  }

  /// The face where `map` sends it, turned by `turn` radians and made larger by `scale`.
  func mapped(by map: PerspectiveMap, scale: Double, turn: Double) -> FaceCandidate {
    FaceCandidate(
      score: score, center: map(center), size: size * scale, roll: roll + turn,
      points: points.map { map($0) })
  }
}

extension FaceCandidate {
  /// The face of a view of `width` columns that was mirrored. `order` says which point becomes which.
  func mirrored(_ order: [Int], width: Int) -> FaceCandidate {
    func mirrored(_ point: SIMD2<Double>) -> SIMD2<Double> {
      SIMD2(Double(width) - point.x, point.y)
    }
    return FaceCandidate(
      score: score, center: mirrored(center), size: size, roll: -roll,
      points: order.map { mirrored(points[$0]) })
  }

  /// Whether another look sees the eyes at the same places, within a quarter of the face's side. Looks
  /// at what is no face do not.
  func agrees(with other: FaceCandidate) -> Bool {
    zip(points, other.points).prefix(2).allSatisfy { own, its in
      let way = own - its
      return (way * way).sum().squareRoot() < side / 4
    }
  }

  /// The mean of several looks at one face, whose positions differ by little.
  static func mean(_ looks: [FaceCandidate]) -> FaceCandidate {
    let count = Double(looks.count)
    var face = mean(looks, score: looks.reduce(0) { $0 + $1.score } / count)
    let turn = looks.reduce(SIMD2(0, 0)) { $0 + SIMD2(cos($1.roll), sin($1.roll)) }
    face.roll = atan2(turn.y, turn.x)
    return face
  }

  /// One candidate for each face of a network's output: the mean of all that overlap the best one,
  /// weighted by their scores, as the networks were made to be read. Best first.
  ///
  /// - Complexity: O(candidates * faces).
  static func blended(_ candidates: [FaceCandidate], iouThreshold: Double) -> [FaceCandidate] {
    var rest = candidates.sorted { $0.score > $1.score }
    var faces: [FaceCandidate] = []
    while let best = rest.first {
      let cluster = rest.filter {
        $0.box.intersectionOverUnion(with: best.box) > iouThreshold
      }
      rest.removeAll { $0.box.intersectionOverUnion(with: best.box) > iouThreshold }
      // A box without area overlaps nothing, not even itself.
      if cluster.isEmpty {
        rest.removeFirst()
      } else {
        faces.append(mean(cluster, score: best.score))
      }
    }
    return faces
  }

  /// The best of those that overlap. Best first.
  static func suppressed(_ candidates: [FaceCandidate], iouThreshold: Double) -> [FaceCandidate] {
    var kept: [FaceCandidate] = []
    for face in candidates.sorted(by: { $0.score > $1.score }) {
      let isNew = kept.allSatisfy { other in
        let distance = face.center - other.center
        let isInside = max(abs(distance.x), abs(distance.y)) < 0.25 * other.side
        return !isInside
          && face.box.intersectionOverUnion(with: other.box) <= iouThreshold
      }
      if isNew { kept.append(face) }
    }
    return kept
  }

  private static func mean(_ faces: [FaceCandidate], score: Double) -> FaceCandidate {
    let total = faces.reduce(0) { $0 + $1.score }
    func mean(_ value: (FaceCandidate) -> SIMD2<Double>) -> SIMD2<Double> {
      faces.reduce(SIMD2(0, 0)) { $0 + value($1) * ($1.score / total) }
    }
    return FaceCandidate(
      score: score, center: mean(\.center), size: mean(\.size), roll: 0,
      points: faces[0].points.indices.map { index in mean { $0.points[index] } })
  }
}
