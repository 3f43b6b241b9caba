// Fovea - how the outputs of face detectors are read.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaLibc
internal import FoveaRuntime

/// How the outputs of a face detector are read: what its rows mean, told by their shapes.
enum FaceHead: Equatable {
  /// BlazeFace: `rows` x 16 numbers (center, size, six points, in pixels of the input relative to an
  /// anchor) and `rows` x 1 logits.
  case blazeFace(boxes: Int, scores: Int, rows: Int)
  /// YuNet: for each of the strides 8, 16 and 32 two scores, a box of 4 and five points of 2 numbers
  /// for each cell. Indices of outputs, stride by stride.
  case yuNet([YuNetOutputs])

  /// The outputs of one stride of YuNet.
  struct YuNetOutputs: Equatable {
    let stride: Int
    /// The score of a face, and that of an object; the order does not matter.
    let scores: [Int]
    let boxes, points: Int
  }

  /// The head that outputs of these shapes have; `nil` for none.
  init?(_ outputs: [Model.Port], inputSize: ImageSize) {
    let shapes = outputs.map { port in
      (rows: port.shape.dropLast().reduce(1, *), columns: port.shape.last ?? 0)
    }
    if outputs.count == 2, let boxes = shapes.firstIndex(where: { $0.columns == 16 }),
      let scores = shapes.firstIndex(where: { $0.columns == 1 }),
      shapes[boxes].rows == shapes[scores].rows,
      FaceAnchors.centers(count: shapes[boxes].rows, inputSize: inputSize) != nil
    {
      self = .blazeFace(boxes: boxes, scores: scores, rows: shapes[boxes].rows)
      return
    }
    var strides: [YuNetOutputs] = []
    for stride in [8, 16, 32] {
      let cells = (inputSize.width / stride) * (inputSize.height / stride)
      let own = shapes.indices.filter { shapes[$0].rows == cells }
      let scores = own.filter { shapes[$0].columns == 1 }
      guard let boxes = own.first(where: { shapes[$0].columns == 4 }),
        let points = own.first(where: { shapes[$0].columns == 10 }), scores.count == 2
      else { return nil }
      strides.append(YuNetOutputs(stride: stride, scores: scores, boxes: boxes, points: points))
    }
    guard outputs.count == 12 else { return nil }
    self = .yuNet(strides)
  }

  /// What the network wants levels of 0...255 to be.
  var levels: ImageNetwork.Levels {
    switch self {
    case .blazeFace: .signed
    case .yuNet: .blueFirst
    }
  }

  /// The points of a face, in the network's order.
  var points: [FaceObservation.Point] {
    switch self {
    case .blazeFace: [.leftEye, .rightEye, .noseTip, .mouthCenter, .leftEar, .rightEar]
    case .yuNet: [.leftEye, .rightEye, .noseTip, .leftMouthCorner, .rightMouthCorner]
    }
  }

  /// Which point of a face is which one of the mirrored face.
  var mirroredPoints: [Int] {
    switch self {
    case .blazeFace: [1, 0, 2, 3, 5, 4]
    case .yuNet: [1, 0, 2, 4, 3]
    }
  }

  /// The faces in the outputs of one run, in pixels of the input, best first.
  ///
  /// - Complexity: O(rows + candidates * faces).
  func faces(
    in outputs: [[Float]], inputSize: ImageSize, minimumScore: Double
  ) -> [FaceCandidate] {
    let candidates =
      switch self {
      case .blazeFace(let boxes, let scores, let rows):
        blazeFaces(outputs[boxes], outputs[scores], rows, inputSize, minimumScore)
      case .yuNet(let strides):
        strides.flatMap { yuNetFaces(outputs, $0, inputSize, minimumScore) }
      }
    return FaceCandidate.blended(candidates.filter(\.isFinite), iouThreshold: 0.3).map { face in
      var face = face
      face.roll = face.rollOfEyes
      return face
    }
  }

  private func blazeFaces(
    _ boxes: [Float], _ scores: [Float], _ rows: Int, _ size: ImageSize, _ minimum: Double
  ) -> [FaceCandidate] {
    let anchors = FaceAnchors.centers(count: rows, inputSize: size) ?? []
    return anchors.indices.compactMap { row in
      let score = 1 / (1 + exp(-Double(scores[row])))
      guard score >= minimum else { return nil }
      func point(_ column: Int) -> SIMD2<Double> {
        SIMD2(Double(boxes[row * 16 + column]), Double(boxes[row * 16 + column + 1]))
      }
      return FaceCandidate(
        score: score, center: anchors[row] + point(0), size: point(2), roll: 0,
        points: (0..<6).map { anchors[row] + point(4 + 2 * $0) })
    }
  }

  private func yuNetFaces(
    _ outputs: [[Float]], _ own: YuNetOutputs, _ size: ImageSize, _ minimum: Double
  ) -> [FaceCandidate] {
    let columns = size.width / own.stride
    let cells = columns * (size.height / own.stride)
    let stride = Double(own.stride)
    return (0..<cells).compactMap { cell in
      let scores = own.scores.map { min(max(Double(outputs[$0][cell]), 0), 1) }
      let score = (scores[0] * scores[1]).squareRoot()
      guard score >= minimum else { return nil }
      let corner = SIMD2(Double(cell % columns), Double(cell / columns))
      let box = (0..<4).map { Double(outputs[own.boxes][cell * 4 + $0]) }
      let points = outputs[own.points]
      return FaceCandidate(
        score: score, center: (corner + SIMD2(box[0], box[1])) * stride,
        size: SIMD2(exp(box[2]), exp(box[3])) * stride, roll: 0,
        points: (0..<5).map { index in
          let at = cell * 10 + 2 * index
          return (corner + SIMD2(Double(points[at]), Double(points[at + 1]))) * stride
        })
    }
  }
}

extension FaceCandidate {
  /// Whether nothing in it overflowed, and the box has an area.
  fileprivate var isFinite: Bool {
    let numbers = [score, center.x, center.y, size.x, size.y] + points.flatMap { [$0.x, $0.y] }
    return numbers.allSatisfy(\.isFinite) && size.x > 0 && size.y > 0
  }

  /// The angle of the line from the eye at the left to that at the right, in radians clockwise.
  fileprivate var rollOfEyes: Double {
    let line = points[1] - points[0]
    return atan2(line.y, line.x)
  }
}
