// Fovea - boxes of NanoDet and PicoDet: closed forms.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaLowering
import FoveaTestSupport
import Testing

/// Networks of 64 x 96 pixels that write the same rows for every picture.
@Suite struct DistanceHeadTests {
  /// The grids of a network: rows and columns.
  private static let grids = [8: (12, 8), 16: (6, 4), 32: (3, 2), 64: (2, 1)]

  /// An object in one cell. Each side lies between two distances with equal probabilities.
  private struct Planted {
    var stride: Int
    var row: Int
    var column: Int
    var label: Int
    var score: Float
    /// Half distances of the left, top, right and bottom side, in strides: 1 is 0.5.
    var sides: [Int]

    /// The center and size in fractions of the image, for centers at some part of a cell.
    func box(_ center: Double) -> [Double] {
      let size = Double(stride)
      let (x, y) = ((Double(column) + center) * size, (Double(row) + center) * size)
      let lengths = sides.map { Double($0) / 2 * size }
      return [
        (x + (lengths[2] - lengths[0]) / 2) / 64, (y + (lengths[3] - lengths[1]) / 2) / 96,
        (lengths[0] + lengths[2]) / 64, (lengths[1] + lengths[3]) / 96,
      ]
    }
  }

  private static let planted = [
    Planted(stride: 8, row: 3, column: 5, label: 2, score: 0.875, sides: [1, 3, 2, 5]),
    Planted(stride: 32, row: 1, column: 0, label: 0, score: 0.75, sides: [0, 1, 2, 1]),
  ]

  /// Scores and distances of a grid, row by row.
  private static func gridRows(
    _ stride: Int, classes: Int, bins: Int
  ) -> (scores: [[Float]], distances: [[Float]]) {
    let (rows, columns) = grids[stride] ?? (0, 0)
    var scores = Array(
      repeating: Array(repeating: Float(0.01), count: classes), count: rows * columns)
    var distances = Array(
      repeating: Array(repeating: Float(0), count: 4 * bins), count: rows * columns)
    for object in planted where object.stride == stride {
      let cell = object.row * columns + object.column
      scores[cell][object.label] = object.score
      for (side, half) in object.sides.enumerated() {
        distances[cell][side * bins + half / 2] = 60
        distances[cell][side * bins + (half + 1) / 2] = 60
      }
    }
    return (scores, distances)
  }

  private static func oneOutput(_ strides: [Int], classes: Int, bins: Int = 8) -> ONNXWriter {
    let rows = strides.flatMap { stride in
      let grid = gridRows(stride, classes: classes, bins: bins)
      return zip(grid.scores, grid.distances).map { $0 + $1 }
    }
    return FixedRowsNetwork.make([("output", rows)])
  }

  private static func manyOutputs(
    _ strides: [Int], classes: Int, distancesFirst: Bool = false
  ) -> ONNXWriter {
    let grids = strides.map { (stride: $0, rows: gridRows($0, classes: classes, bins: 8)) }
    let scores = grids.map { (name: "cls_\($0.stride)", rows: $0.rows.scores) }
    let distances = grids.map { (name: "dis_\($0.stride)", rows: $0.rows.distances) }
    return FixedRowsNetwork.make(
      distancesFirst ? distances.reversed() + scores : scores + distances)
  }

  private static func expect(
    _ model: Model, _ head: DetectorHead, _ color: PictureInput.ColorOrder, center: Double,
    labels: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      model.head?.head == head, "\(model.head?.reason ?? "no head")", sourceLocation: sourceLocation
    )
    #expect(model.picture?.color == color, sourceLocation: sourceLocation)
    var request = try DetectObjectsRequest(model: model)
    request.minimumConfidence = 0.5
    let found = try request.perform(on: try FixedRowsNetwork.picture)
    #expect(found.count == planted.count, sourceLocation: sourceLocation)
    for (object, observation) in zip(planted, found) {
      #expect(
        observation.bestLabel?.identifier == labels[object.label], sourceLocation: sourceLocation)
      #expect(abs(observation.topConfidence - object.score) < 1e-5, sourceLocation: sourceLocation)
      let difference = ProgramDetectionTests.difference(
        observation.boundingBox.verticallyFlipped(), object.box(center))
      #expect(difference < 1e-5, "\(observation.boundingBox)", sourceLocation: sourceLocation)
    }
  }

  // MARK: NanoDet

  @Test func newerNanoDetsCountFromCorners() throws {
    let network = Self.oneOutput([8, 16, 32, 64], classes: 3)
    for names in [nil, "a,b,c"] {
      try Self.expect(
        FixedRowsNetwork.open(network, names: names), .nanodet, .bgr, center: 0,
        labels: names == nil ? ["class 0", "class 1", "class 2"] : ["a", "b", "c"])
    }
  }

  @Test func olderNanoDetsHaveThreeGrids() throws {
    let labels = (0..<3).map { "label \($0)" }
    let names = labels.joined(separator: ",")
    let one = Self.oneOutput([8, 16, 32], classes: 3)
    try Self.expect(
      FixedRowsNetwork.open(one, names: names), .nanodet, .bgr, center: 0.5, labels: labels)
    let many = Self.manyOutputs([8, 16, 32], classes: 3)
    try Self.expect(
      FixedRowsNetwork.open(many, names: names), .nanodet, .bgr, center: 0.5, labels: labels)
  }

  /// Names tell how many numbers each side has.
  @Test func sidesHaveAnyNumberOfProbabilities() throws {
    let network = Self.oneOutput([8, 16, 32, 64], classes: 3, bins: 11)
    try Self.expect(
      FixedRowsNetwork.open(network, names: "a,b,c"), .nanodet, .bgr, center: 0,
      labels: ["a", "b", "c"])
  }

  /// Rows of three grids without names could be those of YOLOX, unless they fit the 80 classes of
  /// COCO.
  @Test func evidenceDecidesWithoutNames() throws {
    #expect(
      try FixedRowsNetwork.open(Self.oneOutput([8, 16, 32], classes: 3)).head?.head == .yolox)
    #expect(
      try FixedRowsNetwork.open(Self.oneOutput([8, 16, 32], classes: 80)).head?.head == .nanodet)
  }

  // MARK: PicoDet

  @Test(arguments: [false, true]) func picoDetsHaveOutputsForEachGrid(
    _ distancesFirst: Bool
  ) throws {
    let network = Self.manyOutputs(
      [8, 16, 32, 64], classes: 3, distancesFirst: distancesFirst)
    let model = try FixedRowsNetwork.open(
      network, names: "page\nline\nword of two", key: "character")
    try Self.expect(
      model, .picodet, .rgb, center: 0.5, labels: ["page", "line", "word of two"])
    let deviation = [0.229, 0.224, 0.225]
    for (scale, deviation) in zip(try #require(model.picture).scale, deviation) {
      #expect(abs(Double(scale) * 255 * deviation - 1) < 1e-6)
    }
  }

  /// Thousands of characters belong to networks that read text.
  @Test func charactersOfTextAreNoClasses() throws {
    let network = Self.manyOutputs([8, 16, 32, 64], classes: 3)
    let characters = (0..<1001).map { "\($0)" }.joined(separator: "\n")
    let model = try FixedRowsNetwork.open(network, names: characters, key: "character")
    let labels = ["class 0", "class 1", "class 2"]
    try Self.expect(model, .picodet, .rgb, center: 0.5, labels: labels)
    var named = network
    named.metadata("names", "a,b,c")
    try Self.expect(
      FixedRowsNetwork.open(named, names: characters, key: "character"), .picodet, .rgb,
      center: 0.5, labels: ["a", "b", "c"])
  }

  /// With 32 classes both outputs of a grid have 32 columns: the scores come first.
  @Test func scoresComeFirst() throws {
    let labels = (0..<32).map { "class \($0)" }
    try Self.expect(
      FixedRowsNetwork.open(Self.manyOutputs([8, 16, 32, 64], classes: 32)), .picodet, .rgb,
      center: 0.5,
      labels: labels)
  }

  @Test func outputsThatDoNotFitAreNoHead() throws {
    var outputs = [8, 16, 32, 64].map {
      ("cls_\($0)", Self.gridRows($0, classes: 3, bins: 8).scores)
    }
    outputs += [8, 16, 32, 64].map { stride in
      // One grid has other sides.
      ("dis_\(stride)", Self.gridRows(stride, classes: 3, bins: stride == 64 ? 7 : 8).distances)
    }
    #expect(try FixedRowsNetwork.open(FixedRowsNetwork.make(outputs)).head == nil)
  }
}
