// Fovea - faces in all places and positions of a picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaLibc
internal import FoveaRuntime
internal import FoveaVision

/// Finds faces with a network that sees one square picture of a fixed size.
///
/// The network is shown several views of a picture, since it finds faces of some sizes and upright
/// ones only:
///
///     whole picture, and squares of half its size and less that overlap
///        |-- each face again, upright and in the middle of views of its own
///        `-- no face? the larger views turned by 90, 180 and 270 degrees
///
/// The last look places the box and the points exactly, and finds out which way up the face is.
final class FaceDetector: Sendable {
  private let network: ImageNetwork
  private let head: FaceHead

  /// Sides of views of one face, as multiples of the face's: networks give boxes best in the far ones,
  /// and points in the near one.
  private static let farDistances = [4.0, 3.0]
  private static let nearDistance = 2.0
  /// How much better a face has to score in another position, for that to be its position.
  private static let turnMargin = 0.1

  /// Tells the network's head by the shapes of its outputs.
  ///
  /// - Throws: `.unsuitableModel`, `.detection`.
  init(_ model: Model) throws(StillError) {
    network = try ImageNetwork(model)
    guard let head = FaceHead(network.outputs, inputSize: network.inputSize) else {
      let found = network.outputs.map { "\"\($0.name)\" of \($0.shape)" }.joined(separator: ", ")
      throw .unsuitableModel(
        "\(model.name): the model writes \(found); expected the outputs of BlazeFace (rows of 16 and "
          + "of 1) or of YuNet (12 outputs)")
    }
    self.head = head
  }

  /// The points that the network places, in the order of a candidate's.
  var points: [FaceObservation.Point] { head.points }

  /// The faces of a picture in its pixels, best first.
  ///
  /// - Parameters:
  ///   - minimumScore: 0...1.
  ///   - smallest: The smallest face, as a part of the picture's longer side.
  /// - Throws: `.detection`.
  func faces(
    in picture: StillPicture, minimumScore: Double, smallest: Double
  ) throws(StillError) -> [FaceCandidate] {
    let levels = levels(for: smallest, longer: max(picture.width, picture.height))
    let views = FaceView.pyramid(width: picture.width, height: picture.height, levels: levels)
    let upright = try exactFaces(views, picture, minimumScore)
    if !upright.isEmpty { return upright }
    let large = FaceView.pyramid(
      width: picture.width, height: picture.height, levels: min(1, levels))
    let turned = (1...3).flatMap { turn in large.map { $0.turned(by: Double(turn) * .pi / 2) } }
    return try exactFaces(turned, picture, minimumScore)
  }

  /// How many times views are halved: a face takes at least a twelfth of the side of one, where networks
  /// find it for sure. Views have at least as many pixels as the network sees.
  private func levels(for smallest: Double, longer: Int) -> Int {
    var (levels, size) = (0, smallest)
    while size < 1 / 12, longer >> (levels + 1) >= network.inputSize.width {
      levels += 1
      size *= 2
    }
    return levels
  }

  /// The faces that are found in views, and again in views of their own.
  private func exactFaces(
    _ views: [FaceView], _ picture: StillPicture, _ minimumScore: Double
  ) throws(StillError) -> [FaceCandidate] {
    var found: [FaceCandidate] = []
    for view in views {
      found += try look(at: view, picture, minimumScore).filter { !view.cuts($0, of: picture) }
    }
    var exact: [FaceCandidate] = []
    for face in FaceCandidate.suppressed(found, iouThreshold: 0.3) {
      if let face = try lookAgain(at: face, picture, minimumScore) { exact.append(face) }
    }
    return FaceCandidate.suppressed(exact, iouThreshold: 0.3)
  }

  /// The faces that the network finds in a view, in pixels of the picture.
  private func look(
    at view: FaceView, _ picture: StillPicture, _ minimumScore: Double
  ) throws(StillError) -> [FaceCandidate] {
    if Task.isCancelled { throw .detection(.cancelled) }
    let size = network.inputSize
    let quad = view.quad
    let seenQuad =
      view.isMirrored
      ? PixelQuad(quad.corners[1], quad.corners[0], quad.corners[3], quad.corners[2]) : quad
    guard let image = picture.rectified(seenQuad, width: size.width, height: size.height),
      let map = PerspectiveMap(
        rectangle: Double(size.width), Double(size.height), to: view.quad.corners)
    else { return [] }
    let scale = view.side / Double(size.width)
    return head.faces(
      in: try network.run(image, head.levels), inputSize: size, minimumScore: minimumScore
    ).map { face in
      let seen = view.isMirrored ? face.mirrored(head.mirroredPoints, width: size.width) : face
      return seen.mapped(by: map, scale: scale, turn: view.turn)
    }
  }

  /// The face in views of its own, in which it is upright: the mean of looks as it is and mirrored. Far
  /// looks give the box, near ones the points. `nil` for what is no face: one of the far looks does not
  /// find it.
  private func lookAgain(
    at face: FaceCandidate, _ picture: StillPicture, _ minimumScore: Double
  ) throws(StillError) -> FaceCandidate? {
    guard let upright = try uprightLook(at: face, picture, minimumScore) else { return nil }
    var far: [FaceCandidate] = []
    var near: [FaceCandidate] = []
    for distance in Self.farDistances + [Self.nearDistance] {
      for isMirrored in [false, true] {
        let view = FaceView(
          center: upright.center, side: distance * upright.side, turn: upright.roll,
          isMirrored: isMirrored)
        let look = try ownLook(at: upright, view, picture, minimumScore)
        if distance == Self.nearDistance {
          near += look.map { [$0] } ?? []
        } else {
          guard let look else { return nil }
          far.append(look)
        }
      }
    }
    guard far.allSatisfy({ $0.agrees(with: far[0]) }) else { return nil }
    var seen = FaceCandidate.mean(far)
    if near.count == 2 {
      let close = FaceCandidate.mean(near)
      (seen.points, seen.roll) = (close.points, close.roll)
    }
    return seen
  }

  /// The best look at a face in four positions; the position that its eyes tell counts more.
  private func uprightLook(
    at face: FaceCandidate, _ picture: StillPicture, _ minimumScore: Double
  ) throws(StillError) -> FaceCandidate? {
    var best: FaceCandidate?
    for turn in 0..<4 {
      let view = FaceView(
        center: face.center, side: Self.farDistances[0] * face.side,
        turn: face.roll + Double(turn) * .pi / 2)
      guard let found = try ownLook(at: face, view, picture, minimumScore) else { continue }
      if found.score > (best?.score ?? 0) + (turn == 0 ? 0 : Self.turnMargin) { best = found }
    }
    return best
  }

  /// What the network finds at the place of a face.
  private func ownLook(
    at face: FaceCandidate, _ view: FaceView, _ picture: StillPicture, _ minimumScore: Double
  ) throws(StillError) -> FaceCandidate? {
    try look(at: view, picture, minimumScore)
      .filter { found in
        let distance = found.center - face.center
        return (distance * distance).sum().squareRoot() < 0.5 * face.side
          && (0.5...2).contains(found.side / face.side)
      }
      .max { $0.score < $1.score }
  }
}

/// A square part of a picture, turned around its middle. It may reach beyond the picture.
struct FaceView {
  /// In pixels of the picture.
  var center: SIMD2<Double>
  /// In pixels of the picture.
  var side: Double
  /// Clockwise, in radians.
  var turn: Double
  /// Whether the network sees left and right exchanged.
  var isMirrored = false

  /// The corners of the view, from its own upper left.
  var quad: PixelQuad {
    let (right, down) = (
      SIMD2(cos(turn), sin(turn)) * (side / 2), SIMD2(-sin(turn), cos(turn)) * (side / 2)
    )
    return PixelQuad(
      center - right - down, center + right - down, center + right + down, center - right + down)
  }

  /// Whether a side of the view, inside the picture, goes through a face. Another view has all of it,
  /// since views overlap. For views along the picture's axes.
  func cuts(_ face: FaceCandidate, of picture: StillPicture) -> Bool {
    let size = SIMD2(Double(picture.width), Double(picture.height))
    let (first, last) = (center - side / 2, center + side / 2)
    let (begin, end) = (face.center - face.size / 2, face.center + face.size / 2)
    return [0, 1].contains { axis in
      (begin[axis] < first[axis] && first[axis] > 1)
        || (end[axis] > last[axis] && last[axis] < size[axis] - 1)
    }
  }

  /// The same part, turned further.
  func turned(by angle: Double) -> FaceView {
    FaceView(center: center, side: side, turn: turn + angle)
  }

  /// The whole picture, and squares of a half, a quarter ... of its longer side that overlap by half.
  static func pyramid(width: Int, height: Int, levels: Int) -> [FaceView] {
    let longer = Double(max(width, height))
    var views = [
      FaceView(center: SIMD2(Double(width), Double(height)) / 2, side: longer, turn: 0)
    ]
    guard levels > 0 else { return views }
    for level in 1...levels {
      let side = longer / Double(1 << level)
      func centers(_ length: Double) -> [Double] {
        guard length > side else { return [length / 2] }
        let count = Int((2 * (length - side) / side).rounded(.up))
        return (0...count).map { side / 2 + (length - side) * Double($0) / Double(count) }
      }
      for y in centers(Double(height)) {
        for x in centers(Double(width)) {
          views.append(FaceView(center: SIMD2(x, y), side: side, turn: 0))
        }
      }
    }
    return views
  }
}
