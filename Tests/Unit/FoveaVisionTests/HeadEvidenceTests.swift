// Fovea - what the numbers of a detector mean is told by the numbers.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import Foundation
import FoveaTestSupport
import Testing

/// Detectors that write the same boxes in all forms of exporters, for pictures of 160x96.
@Suite struct HeadEvidenceTests {
  static let (width, height, classes) = (160.0, 96.0, 3)
  /// Left, top, right and bottom in pixels, and the scores of the classes: one of each cell of
  /// grids of 8, 16 and 32 pixels. Every fortieth is an object.
  static let rows: [(box: [Double], scores: [Double])] = {
    var random = SplitMix(seed: 3)
    return (0..<315).map { index in
      let (w, h) = (
        Double.random(in: 8...40, using: &random), Double.random(in: 8...40, using: &random)
      )
      let x = Double.random(in: 0...width - w, using: &random)
      let y = Double.random(in: 0...height - h, using: &random)
      var scores = (0..<classes).map { _ in Double.random(in: 0.001...0.1, using: &random) }
      if index % 40 == 0 { scores[index % classes] = 0.9 - Double(index) / 1000 }
      return ([x, y, x + w, y + h], scores)
    }
  }()

  // MARK: Forms

  typealias Row = (box: [Double], scores: [Double])

  static func centers(_ row: Row) -> [Double] {
    let box = row.box
    return [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, box[2] - box[0], box[3] - box[1]]
  }
  static func fractions(_ box: [Double]) -> [Double] {
    zip(box, [width, height, width, height]).map { $0 / $1 }
  }
  static func yFirst(_ box: [Double]) -> [Double] { [box[1], box[0], box[3], box[2]] }
  static func logits(_ row: Row) -> [Double] {
    row.scores.map { Double(logit: $0) }
  }
  static func best(_ row: Row) -> (score: Double, kind: Double) {
    let kind = row.scores.indices.max { row.scores[$0] < row.scores[$1] } ?? 0
    return (row.scores[kind], Double(kind))
  }

  /// An output: its name, the numbers of a row, and whether columns lie first.
  struct Output: Sendable {
    var name: String
    var isTurned = false
    var numbers: @Sendable (Row) -> [Double]
  }

  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var outputs: [Output]
    /// What the caller says of the network.
    var task: DetectorTask?

    init(_ name: String, _ outputs: [Output]) {
      (testDescription, self.outputs) = (name, outputs)
    }
    /// [1, 4 + C, N].
    init(
      yolo name: String, task: DetectorTask? = nil,
      _ numbers: @escaping @Sendable (Row) -> [Double]
    ) {
      self.init(name, [Output(name: "output0", isTurned: true, numbers: numbers)])
      self.task = task
    }
    /// Boxes and scores.
    init(
      pair name: String, _ boxes: @escaping @Sendable (Row) -> [Double],
      _ scores: @escaping @Sendable (Row) -> [Double] = { $0.scores }
    ) {
      self.init(
        name, [Output(name: "boxes", numbers: boxes), Output(name: "scores", numbers: scores)])
    }
    /// Rows that the file has chosen.
    init(rows name: String, _ numbers: @escaping @Sendable (Row) -> [Double]) {
      self.init(name, [Output(name: "output0", numbers: numbers)])
    }
  }

  static let forms = [
    Form(yolo: "centers in pixels") { centers($0) + $0.scores },
    Form(yolo: "centers in fractions") { fractions(centers($0)) + $0.scores },
    Form(yolo: "corners in pixels") { $0.box + $0.scores },
    Form(yolo: "corners in fractions") { fractions($0.box) + $0.scores },
    Form(yolo: "logits") { centers($0) + logits($0) },
    Form(yolo: "key points behind the scores", task: .pose) {
      centers($0) + $0.scores + $0.box + $0.box
    },
    Form(pair: "a pair of corners") { $0.box },
    Form(pair: "a pair in fractions") { fractions($0.box) },
    Form(pair: "a pair of centers") { centers($0) },
    Form(pair: "a pair, y first") { yFirst($0.box) },
    Form(pair: "a pair with logits", { $0.box }, { logits($0) }),
    Form(pair: "a pair with a first column of no object", { $0.box }) {
      [1 - best($0).score] + $0.scores
    },
    Form(pair: "a pair with a last column of no object", { $0.box }) {
      $0.scores + [1 - best($0).score]
    },
    Form(rows: "box, score, class") { $0.box + [best($0).score, best($0).kind] },
    Form(rows: "box, class, score") { $0.box + [best($0).kind, best($0).score] },
    Form(rows: "class, score, box") { [best($0).kind, best($0).score] + $0.box },
    Form(rows: "number, box, class, score") { [0] + $0.box + [best($0).kind, best($0).score] },
    Form(rows: "number, class, score, box in fractions") {
      [0, best($0).kind, best($0).score] + fractions($0.box)
    },
    Form(
      "boxes with scores, and classes",
      [
        Output(name: "dets") { $0.box + [best($0).score] },
        Output(name: "labels", isTurned: true) { [best($0).kind] },
      ]),
  ]

  // MARK: Models

  /// A network that reads "images" and gives "nothing", a zero that follows from them.
  static func network(dividingBy whole: Float? = nil) -> ONNXWriter {
    var writer = ONNXWriter(operationSet: 13)
    writer.floats("zero", [0])
    writer.input("images", [1, 3, Int(height), Int(width)])
    var pixels = "images"
    if let whole {
      writer.floats("whole", [whole])
      writer.add("Div", ["images", "whole"], ["parts"])
      pixels = "parts"
    }
    writer.add(
      "ReduceMean", [pixels], ["mean"], ["axes": .ints([0, 1, 2, 3]), "keepdims": .int(0)])
    writer.add("Mul", ["mean", "zero"], ["nothing"])
    return writer
  }

  /// Adds values that are no constants, since they seem to follow from the picture.
  static func add(
    _ name: String, _ values: [Float], _ shape: [Int], to writer: inout ONNXWriter
  ) {
    writer.floats(name + " values", values, shape)
    writer.add("Add", [name + " values", "nothing"], [name])
  }

  /// Adds a row of numbers for each box: [1, boxes, numbers].
  static func add(_ name: String, rows numbers: [[Double]], to writer: inout ONNXWriter) {
    add(
      name, numbers.joined().map { Float($0) }, [1, numbers.count, numbers[0].count], to: &writer)
  }

  static func model(_ writer: ONNXWriter, task: DetectorTask? = nil) throws -> Model {
    var options = Model.Options(backend: .blas)
    options.task = task
    options.pictures = PictureInput()
    return try Model(bytes: writer.bytes, name: "handmade", options: options)
  }

  /// Objects in a gray picture of so many times the network's size.
  static func objects(_ request: DetectObjectsRequest, times: Int = 1) throws -> DetectObjectsResult
  {
    let (width, height) = (Int(width) * times, Int(height) * times)
    return try request.result(
      on: Image(
        width: width, height: height, rgb: [UInt8](repeating: 90, count: width * height * 3)))
  }

  /// Expects the objects of rows, in a picture of so many times the network's size.
  static func expect(_ result: DetectObjectsResult, _ rows: [Row], times: Double = 1) throws {
    try #require(result.observations.count == rows.count)
    for (object, row) in zip(result.observations, rows) {
      let box = object.boundingBox.toImageCoordinates(result.imageSize, origin: .upperLeft)
      for (found, wanted) in zip([box.minX, box.minY, box.maxX, box.maxY], row.box) {
        #expect(abs(found - times * wanted) < 0.01 * times)
      }
      #expect(abs(Double(object.topConfidence) - best(row).score) < 1e-4)
      #expect(object.labels.first?.classIndex == Int(best(row).kind))
    }
  }

  static func model(_ form: Form) throws -> Model {
    var writer = network()
    for output in form.outputs {
      let numbers = rows.map(output.numbers)
      let columns = numbers[0].count
      let values =
        output.isTurned
        ? (0..<columns).flatMap { column in numbers.map { Float($0[column]) } }
        : numbers.flatMap { $0.map { Float($0) } }
      let shape = output.isTurned ? [1, columns, rows.count] : [1, rows.count, columns]
      add(output.name, values, columns == 1 ? [1, rows.count] : shape, to: &writer)
      writer.output(output.name)
    }
    return try model(writer, task: form.task)
  }

  static func objects(_ form: Form) throws -> DetectObjectsResult {
    var request = try DetectObjectsRequest(model: model(form))
    request.minimumConfidence = 0.3
    request.iouThreshold = 1
    return try objects(request)
  }

  @Test(arguments: forms)
  func boxesAreTheSameInAllForms(_ form: Form) throws {
    let result = try Self.objects(form)
    try Self.expect(result, Self.rows.filter { Self.best($0).score > 0.3 })
  }

  /// Rows [1, N, 4 + C] of one box in each cell: one layer gives all scores, so none is objectness.
  /// The network divides pixels by 255 itself.
  @Test func graphTellsScoresFromObjectnessAndScalesPixels() throws {
    var writer = Self.network(dividingBy: 255)
    writer.metadata("author", "Ultralytics")
    Self.add("boxes", rows: Self.rows.map(Self.centers), to: &writer)
    Self.add("logits", rows: Self.rows.map(Self.logits), to: &writer)
    writer.add("Sigmoid", ["logits"], ["scores"])
    writer.add("Concat", ["boxes", "scores"], ["rows"], ["axis": .int(2)])
    writer.output("rows")
    let model = try Self.model(writer)
    #expect(model.head?.head == .yolo)
    #expect(model.outputs.first { $0.name == "confidence" }?.shape == [Self.rows.count, 3])
    #expect(model.picture?.scale == [1, 1, 1])
  }

  // MARK: Refusals

  static let refused: [(form: Form, words: String)] = [
    (Form(yolo: "key points") { centers($0) + $0.scores + $0.box + $0.box }, "--task pose"),
    (Form(yolo: "an angle") { centers($0) + $0.scores + [$0.scores[0] * 30 - 1] }, "--task obb"),
    (
      Form(yolo: "distances for boxes") { row in
        row.box.map { ($0 - 50) / 100 } + row.scores
      }, "columns 0 to 3"
    ),
    (Form(yolo: "percent") { centers($0) + $0.scores.map { $0 * 100 } }, "columns 4 to 6"),
    (Form(yolo: "no number") { centers($0) + [.nan] + $0.scores }, "columns 4"),
  ]

  @Test(arguments: refused.indices)
  func whatNothingTellsIsRefused(_ index: Int) throws {
    let (form, words) = Self.refused[index]
    let error = #expect(throws: (any Error).self) { try Self.objects(form) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(form.testDescription)")
  }
}

extension Double {
  /// The number whose sigmoid is a probability.
  fileprivate init(logit probability: Double) {
    self = log(probability / (1 - probability))
  }
}
