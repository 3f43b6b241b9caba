// Fovea - detectors whose files suppress boxes themselves end in front of that.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import Foundation
import FoveaTestSupport
import Testing

/// The boxes of `HeadEvidenceTests`, behind which a file of ONNX suppresses some.
@Suite struct SuppressedHeadTests {
  typealias Rows = HeadEvidenceTests

  /// Writes what follows "boxes" [1, N, 4] and "scores" [1, N, C].
  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var box: @Sendable (Rows.Row) -> [Double] = { $0.box }
    var write: @Sendable (inout ONNXWriter) -> Void
  }

  static let forms = [
    Form(testDescription: "all classes") { allClasses(&$0) },
    Form(testDescription: "all classes, centers", box: Rows.centers) {
      allClasses(&$0, ["center_point_box": .int(1)])
    },
    Form(testDescription: "all classes, y first", box: { Rows.yFirst($0.box) }) { allClasses(&$0) },
    Form(testDescription: "all classes, fractions", box: { Rows.fractions($0.box) }) {
      allClasses(&$0)
    },
    Form(testDescription: "a plugin of TensorRT") { writer in
      writer.add(
        "EfficientNMS_TRT", ["boxes", "scores"], ["count", "kept", "best", "kinds"],
        ["iou_threshold": .float(1), "score_threshold": .float(0.3), "box_coding": .int(0)])
      for name in ["count", "kept", "best", "kinds"] { writer.output(name) }
    },
    Form(testDescription: "the best class, moved apart") { bestClass(&$0, isMasked: false) },
    Form(testDescription: "the best class above a threshold") { bestClass(&$0, isMasked: true) },
  ]

  static func numbers(_ writer: inout ONNXWriter) {
    writer.integers("most", [1000])
    writer.floats("overlap", [1])
    writer.floats("least", [0.3])
  }

  static func allClasses(
    _ writer: inout ONNXWriter, _ attributes: KeyValuePairs<String, ONNXWriter.Attribute> = [:]
  ) {
    numbers(&writer)
    writer.add("Transpose", ["scores"], ["turned"], ["perm": .ints([0, 2, 1])])
    writer.add(
      "NonMaxSuppression", ["boxes", "turned", "most", "overlap", "least"], ["chosen"], attributes)
    writer.output("chosen")
  }

  static func bestClass(_ writer: inout ONNXWriter, isMasked: Bool) {
    numbers(&writer)
    writer.floats("step", [640])
    writer.add("ReduceMax", ["scores"], ["best"], ["axes": .ints([2]), "keepdims": .int(0)])
    writer.add("ArgMax", ["scores"], ["kind"], ["axis": .int(2), "keepdims": .int(0)])
    var (boxes, best, kind) = ("boxes", "best", "kind")
    if isMasked {
      writer.add("Greater", ["best", "least"], ["mask"])
      writer.add("NonZero", ["mask"], ["places"])
      writer.add("Transpose", ["places"], ["rows"])
      for name in [boxes, best, kind] { writer.add("GatherND", [name, "rows"], [name + " kept"]) }
      writer.integers("first", [0])
      writer.integers("fourth", [4])
      writer.integers("columns", [1])
      writer.add("Slice", ["boxes kept", "first", "fourth", "columns"], ["corners"])
      (boxes, best, kind) = ("corners", "best kept", "kind kept")
    }
    writer.add("Cast", [kind], ["number"], ["to": .int(1)])
    writer.add("Mul", ["number", "step"], ["offset"])
    writer.integers("column", [-1])
    writer.add("Unsqueeze", ["offset", "column"], ["offsets"])
    writer.add("Add", [boxes, "offsets"], ["apart"])
    writer.integers("shape", [1, -1, 4])
    writer.add("Reshape", ["apart", "shape"], ["all"])
    writer.integers("line", [1, 1, -1])
    writer.add("Reshape", [best, "line"], ["all best"])
    writer.add(
      "NonMaxSuppression", ["all", "all best", "most", "overlap"] + (isMasked ? [] : ["least"]),
      ["chosen"])
    writer.output("chosen")
  }

  static func model(_ form: Form) throws -> Model {
    var writer = Rows.network()
    Rows.add("boxes", rows: Rows.rows.map(form.box), to: &writer)
    Rows.add("scores", rows: Rows.rows.map(\.scores), to: &writer)
    form.write(&writer)
    return try Rows.model(writer)
  }

  @Test(arguments: forms)
  func boxesInFrontOfTheSuppressionAreRead(_ form: Form) throws {
    let result = try Rows.objects(DetectObjectsRequest(model: Self.model(form)))
    // The thresholds are those of the file.
    try Rows.expect(result, Rows.rows.filter { Rows.best($0).score > 0.3 })
  }

  /// Rows of box, score, class and key points, the best first, which an independent evaluator
  /// computed with the suppression of the file.
  @Test(.enabled(if: SharedData.isPresent))
  func suppressionOfAProgramIsDoneWithItsNumbers() throws {
    let folder = "mlprogram/yolo11-pose-nms-fp16"
    let rows = try Tensor(contentsOf: SharedData.url("\(folder)/output-var_1524-0.npy").path)
    let example = try ProgramDetectionTests.example(
      of: ProgramDetectionTests.Case(name: "yolo11-pose-nms-fp16", head: .suppressed))
    let model = try Model(
      contentsOf: SharedData.url("\(folder)/model.mlpackage").path,
      options: Model.Options(backend: .blas))
    #expect(model.head?.leftOut == "")
    let result = try DetectObjectsRequest(model: model).result(on: example.image)
    let numbers = rows.floats()
    let expected = stride(from: 0, to: numbers.count, by: rows.shape[2])
      .map { Array(numbers[$0..<$0 + 6]) }.filter { $0[4] > 0 }
    try #require(result.observations.count == expected.count)
    for (object, row) in zip(result.observations, expected) {
      let box = object.boundingBox.toImageCoordinates(result.imageSize, origin: .upperLeft)
      for (found, wanted) in zip([box.minX, box.minY, box.maxX, box.maxY], row) {
        #expect(abs(found - Double(wanted)) < 0.05)
      }
      #expect(abs(object.topConfidence - row[4]) < 1e-3)
    }
  }

  @Test func scoresWithoutTheirClassesAreRefused() throws {
    let form = Form(testDescription: "classes lost") { writer in
      Self.numbers(&writer)
      writer.add("ArgMax", ["scores"], ["kind"], ["axis": .int(2)])
      writer.integers("one", [1])
      writer.add("TopK", ["scores", "one"], ["best", "places"])
      writer.add("Transpose", ["best"], ["turned"], ["perm": .ints([0, 2, 1])])
      writer.add("NonMaxSuppression", ["boxes", "turned", "most", "overlap", "least"], ["chosen"])
      writer.output("chosen")
      writer.output("kind")
    }
    let error = #expect(throws: (any Error).self) {
      try DetectObjectsRequest(model: Self.model(form))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("nms=False"))
  }

  // MARK: Turned boxes

  /// Overlaps of all pairs, of which one triangle is compared with a number, as exporters write the
  /// suppression of turned boxes. The overlaps themselves are zeros.
  static func turned(_ writer: inout ONNXWriter, keeps count: Int, overlap: Float) {
    for (name, begin, end) in [("boxes", 0, 4), ("scores", 4, 7), ("angle", 7, 8)] {
      writer.integers(name + " begin", [begin])
      writer.integers(name + " end", [end])
      writer.integers(name + " axis", [-1])
      writer.add("Slice", ["rows", name + " begin", name + " end", name + " axis"], [name])
    }
    writer.add("ReduceMax", ["scores"], ["best"], ["axes": .ints([-1]), "keepdims": .int(0)])
    writer.add("ArgMax", ["scores"], ["kind"], ["axis": .int(-1), "keepdims": .int(0)])
    writer.integers("first", [0], [])
    for name in ["boxes", "best", "kind", "angle"] {
      writer.add("Gather", [name, "first"], [name + " 0"], ["axis": .int(0)])
    }
    writer.floats("least", [0.3], [])
    writer.integers("count", [100])
    writer.add("Greater", ["best 0", "least"], ["mask"])
    writer.add("Cast", ["mask"], ["sure"], ["to": .int(1)])
    writer.add("Mul", ["best 0", "sure"], ["kept"])
    writer.add("TopK", ["kept", "count"], ["sorted", "places"])
    for name in ["boxes", "kind", "angle"] {
      writer.add("Gather", [name + " 0", "places"], [name + " sorted"], ["axis": .int(0)])
    }
    writer.floats("step", [640])
    writer.integers("column", [-1])
    writer.add("Cast", ["kind sorted"], ["number"], ["to": .int(1)])
    writer.add("Mul", ["number", "step"], ["offset"])
    writer.add("Unsqueeze", ["offset", "column"], ["offsets"])
    writer.add("Add", ["boxes sorted", "offsets"], ["apart"])
    writer.add("Concat", ["apart", "angle sorted"], ["five"], ["axis": .int(1)])
    writer.add("Transpose", ["five"], ["turned"], ["perm": .ints([1, 0])])
    writer.add("MatMul", ["five", "turned"], ["products"])
    writer.add("Mul", ["products", "zero"], ["overlaps"])
    writer.integers("above", [1], [])
    writer.add("Trilu", ["overlaps", "above"], ["triangle"], ["upper": .int(1)])
    writer.floats("most", [overlap], [])
    writer.add("Greater", ["triangle", "most"], ["too much"])
    writer.add("Cast", ["too much"], ["ones"], ["to": .int(1)])
    writer.integers("column 0", [0])
    writer.add("ReduceSum", ["ones", "column 0"], ["sums"], ["keepdims": .int(0)])
    writer.floats("none", [0], [])
    writer.add("LessOrEqual", ["sums", "none"], ["stays"])
    writer.add("NonZero", ["stays"], ["where"])
    writer.add("Transpose", ["where"], ["lines"], ["perm": .ints([1, 0])])
    writer.integers("axis 1", [1])
    writer.add("Squeeze", ["lines", "axis 1"], ["line"])
    writer.add("Gather", ["places", "line"], ["picked"], ["axis": .int(0)])
    writer.integers("limit", [count])
    writer.add("Slice", ["picked", "column 0", "limit", "column 0"], ["chosen"])
    writer.add("Gather", ["boxes 0", "chosen"], ["output0"], ["axis": .int(0)])
    writer.output("output0")
  }

  /// A network of turned boxes: rows of center, size, scores and angle. The second box is the first
  /// one again, with a lower score.
  static func turnedModel(
    keeps count: Int = 50, overlap: Float = 0.5, task: String? = "obb"
  ) throws -> Model {
    var writer = Rows.network()
    var rows = Rows.rows
    rows[1] = (rows[0].box, rows[0].scores.map { $0 / 2 })
    Rows.add(
      "rows", rows: rows.map { Rows.centers($0) + $0.scores + [$0.box[0] / 100 - 0.7] },
      to: &writer)
    turned(&writer, keeps: count, overlap: overlap)
    if let task { writer.metadata("task", task) }
    return try Rows.model(writer)
  }

  @Test func turnedBoxesInFrontOfTheirSuppressionAreRead() throws {
    let model = try Self.turnedModel()
    #expect(model.head?.leftOut == "")
    let objects = try Rows.objects(DetectObjectsRequest(model: model)).observations
    let expected = Rows.rows.filter { Rows.best($0).score > 0.3 }
    // No two of them overlap by half.
    try #require(objects.count == expected.count && expected.count == 8)
    for (object, row) in zip(objects, expected) {
      #expect(abs(Double(object.topConfidence) - Rows.best(row).score) < 1e-4)
      let (turned, center) = (try #require(object.corners), Rows.centers(row))
      let angle = row.box[0] / 100 - 0.7
      let (c, s, w, h) = (cos(angle), sin(angle), center[2] / 2, center[3] / 2)
      let wanted = [(1.0, 1.0), (1, -1), (-1, -1), (-1, 1)].map { a, b in
        (center[0] + a * w * c - b * h * s, center[1] + a * w * s + b * h * c)
      }
      for corner in [turned.topLeft, turned.topRight, turned.bottomRight, turned.bottomLeft] {
        let (x, y) = (corner.x * Rows.width, (1 - corner.y) * Rows.height)
        #expect(wanted.contains { hypot($0.0 - x, $0.1 - y) < 0.01 })
      }
    }
  }

  @Test func overlapsOfTurnedBoxesAreComparedWithTheFilesNumber() throws {
    let request = try DetectObjectsRequest(model: Self.turnedModel(overlap: 1))
    #expect(try Rows.objects(request).observations.count == 9)
  }

  @Test func theFileLimitsHowManyTurnedBoxesStay() throws {
    let request = try DetectObjectsRequest(model: Self.turnedModel(keeps: 3))
    #expect(try Rows.objects(request).observations.count == 3)
  }

  /// Without a task the last number of a row may be anything.
  @Test(arguments: [nil, "detect"]) func trianglesOfOtherNetworksAreRefused(_ task: String?) throws
  {
    let error = #expect(throws: (any Error).self) {
      try DetectObjectsRequest(model: Self.turnedModel(task: task))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("nms=False"))
  }
}
