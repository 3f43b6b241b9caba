// Fovea - detectors whose files suppress boxes themselves end in front of that.
// SPDX-License-Identifier: Apache-2.0
import Fovea
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
}
