// Fovea - which sheets lie where in a composed view.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaTrain
internal import FoveaLibc

/// A canvas, and the aspect of the photograph that it shows: networks see photographs squeezed.
struct CanvasShape: Sendable {
  var width: Int
  var height: Int
  /// The width of the photograph by its height.
  var aspect: Double

  /// The sides of the photograph in pixels, whose area is that of the canvas.
  fileprivate var photograph: SIMD2<Double> {
    let area = Double(width * height)
    return SIMD2((area * aspect).squareRoot(), (area / aspect).squareRoot())
  }
}

/// A sheet at its place on a canvas.
struct PlacedSheet: Sendable {
  /// What is on the sheet.
  enum Content: Sendable {
    /// A starter, by its place.
    case starter(Int)
    /// A part of a backdrop, which is not to be found.
    case patch(backdrop: Int, PicturePart)
  }

  var content: Content
  /// In pixels of the canvas, from the upper left of the sheet clockwise.
  var corners: [SIMD2<Double>]
  var light: fov_train_light
  /// How much more blurred than need be, in steps of half the size.
  var softness: Int

  /// Whether the sheet is to be found.
  var isStarter: Bool {
    if case .starter = content { true } else { false }
  }
}

/// Draws lots for sheets: which, how many, where, and how they are seen.
struct SheetArranger: Sendable {
  /// The sides of the starters.
  private let sides: [(width: Double, height: Double)]
  /// The starters of each class.
  private let startersOfClass: [[Int]]
  private let backdropCount: Int
  /// Whether all turns in the plane of the picture are equally likely.
  private let isFromAbove: Bool

  /// The most starters of a view.
  static let mostStarters = 4

  init(_ starters: [StarterPicture], classCount: Int, backdropCount: Int, isFromAbove: Bool) {
    sides = starters.map { ($0.width, $0.height) }
    startersOfClass = (0..<classCount).map { label in
      starters.indices.filter { starters[$0].label == label }
    }
    (self.backdropCount, self.isFromAbove) = (backdropCount, isFromAbove)
  }

  /// The sheets of a view, in the order in which they are laid.
  func sheets(on shape: CanvasShape, _ random: inout CounterRandom) -> [PlacedSheet] {
    var sheets: [PlacedSheet] = []
    let count = starterCount(&random)
    // What is flat and no starter teaches that not every sheet is to be found.
    for _ in 0..<random.place(3) {
      sheets.append(patch(size: random.logarithmic(0.1...0.6), nil, shape, &random))
    }
    for _ in 0..<count {
      let size = random.logarithmic(count == 1 ? 0.12...0.95 : 0.1...0.6)
      let own = starter(size: size, beside: sheets, shape, &random)
      sheets.append(own)
      guard random.unit() < 0.35 else { continue }
      let (least, most) = own.corners.bounds
      // Around a corner of the box, so that it covers about a quarter.
      let corner = SIMD2(
        random.unit() < 0.5 ? least.x : most.x, random.unit() < 0.5 ? least.y : most.y)
      sheets.append(
        patch(size: size * random.number(in: 0.3...0.9), corner, shape, &random))
    }
    return sheets
  }

  /// Most often one or two, and sometimes none.
  private func starterCount(_ random: inout CounterRandom) -> Int {
    switch random.unit() {
    case ..<0.05: 0
    case ..<0.4: 1
    case ..<0.7: 2
    case ..<0.88: 3
    default: Self.mostStarters
    }
  }

  // MARK: Sheets

  private func starter(
    size: Double, beside others: [PlacedSheet], _ shape: CanvasShape,
    _ random: inout CounterRandom
  ) -> PlacedSheet {
    // Classes are equally frequent, whatever the number of their starters.
    let members = startersOfClass[random.place(startersOfClass.count)]
    let place = members[random.place(members.count)]
    let corners = seen(sides[place], size: size, shape, &random)
    let (light, softness) = (light(&random), random.unit() < 0.25 ? 1 + random.place(2) : 0)
    // Starters cover each other at times, but mostly they do not.
    let tries = random.unit() < 0.2 ? 1 : 6
    let starters = others.filter(\.isStarter)
    var best = corners, leastCovered = Double.infinity
    for _ in 0..<tries {
      let moved = placed(corners, shape, &random)
      let covered = starters.map { moved.covered(by: $0.corners) }.max() ?? 0
      if covered < leastCovered { (best, leastCovered) = (moved, covered) }
    }
    return PlacedSheet(
      content: .starter(place), corners: best, light: light, softness: softness)
  }

  private func patch(
    size: Double, _ middle: SIMD2<Double>?, _ shape: CanvasShape, _ random: inout CounterRandom
  ) -> PlacedSheet {
    let side = (width: 1.0, height: random.logarithmic(0.5...2))
    let corners = seen(side, size: size, shape, &random)
    var part = PicturePart()
    (part.width, part.height) = (random.number(in: 0.1...0.6), random.number(in: 0.1...0.6))
    part.x = random.unit() * (1 - part.width)
    part.y = random.unit() * (1 - part.height)
    return PlacedSheet(
      content: .patch(backdrop: random.place(backdropCount), part),
      corners: middle.map { middle in corners.map { $0 + middle } }
        ?? placed(corners, shape, &random),
      light: light(&random), softness: 0)
  }

  // MARK: Places

  /// The corners as a camera sees them, around 0, in pixels of the canvas.
  private func seen(
    _ side: (width: Double, height: Double), size: Double, _ shape: CanvasShape,
    _ random: inout CounterRandom
  ) -> [SIMD2<Double>] {
    var pose = SheetPose()
    func turn() -> Double { min(max(random.normal() * 25, -60), 60) * .pi / 180 }
    (pose.yaw, pose.pitch) = (turn(), turn())
    let isTurned = random.unit() < 0.4 || isFromAbove
    let own = random.number(in: -.pi ... .pi), slight = random.normal() * 12 * .pi / 180
    pose.roll = isTurned ? own : slight
    pose.distance = random.logarithmic(1.2...5)
    let photograph = shape.photograph
    let longer = size * min(photograph.x, photograph.y)
    let squeeze = SIMD2(Double(shape.width), Double(shape.height)) / photograph
    return pose.corners(width: side.width, height: side.height).map { $0 * longer * squeeze }
  }

  /// Corners anywhere on the canvas; a fifth of their box may lie outside.
  private func placed(
    _ corners: [SIMD2<Double>], _ shape: CanvasShape, _ random: inout CounterRandom
  ) -> [SIMD2<Double>] {
    let (least, most) = corners.bounds
    let inside = (most - least) * 0.3
    let canvas = SIMD2(Double(shape.width), Double(shape.height))
    let room = pointwiseMax(canvas - 2 * inside, SIMD2(0, 0))
    let middle = pointwiseMin(inside, canvas / 2) + room * SIMD2(random.unit(), random.unit())
    return corners.map { $0 + middle }
  }

  private func light(_ random: inout CounterRandom) -> fov_train_light {
    let gain = random.logarithmic(0.55...1.5)
    func tint() -> Float { Float(gain * random.number(in: 0.92...1.08)) }
    let gains = (tint(), tint(), tint())
    return fov_train_light(
      gains: gains, across: Float(random.number(in: -0.5...0.5)),
      down: Float(random.number(in: -0.5...0.5)))
  }
}

extension CounterRandom {
  /// A number in `range`, above 0, whose logarithm is equally likely everywhere.
  fileprivate mutating func logarithmic(_ range: ClosedRange<Double>) -> Double {
    exp(number(in: log(range.lowerBound)...log(range.upperBound)))
  }
}

extension [SIMD2<Double>] {
  /// How much of the smaller of two upright boxes around points the other one covers.
  fileprivate func covered(by other: Self) -> Double {
    let (own, theirs) = (bounds, other.bounds)
    let common = pointwiseMax(
      pointwiseMin(own.most, theirs.most) - pointwiseMax(own.least, theirs.least), SIMD2(0, 0))
    let (a, b) = (own.most - own.least, theirs.most - theirs.least)
    return common.x * common.y / Swift.min(a.x * a.y, b.x * b.y)
  }
}
