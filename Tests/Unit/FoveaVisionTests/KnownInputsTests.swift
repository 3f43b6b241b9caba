// Fovea - inputs beside the picture whose values follow from it.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaTestSupport
import Testing

/// The boxes of `HeadEvidenceTests`, which the network scales by what it is told of the picture.
@Suite struct KnownInputsTests {
  typealias Rows = HeadEvidenceTests

  static func model(
    _ inputs: [(name: String, shape: [Int])], _ write: (inout ONNXWriter) -> Void
  ) throws -> Model {
    var writer = Rows.network()
    for (name, shape) in inputs { writer.input(name, shape) }
    func values(_ name: String, _ shape: [Int], _ numbers: (Rows.Row) -> [Double]) {
      let all = Rows.rows.prefix(300).flatMap { numbers($0).map { Float($0) } }
      Rows.add(name, all, [1, 300] + shape, to: &writer)
    }
    values("parts", [4]) { Rows.fractions($0.box) }
    values("scores", []) { [Rows.best($0).score] }
    values("labels", []) { [Rows.best($0).kind] }
    write(&writer)
    return try Rows.model(writer)
  }

  /// Objects in a picture of twice the size that the network reads.
  static func check(_ model: Model) throws {
    var request = try DetectObjectsRequest(model: model)
    request.minimumConfidence = 0.3
    let result = try Rows.objects(request, times: 2)
    try Rows.expect(result, Rows.rows.prefix(300).filter { Rows.best($0).score > 0.3 }, times: 2)
  }

  @Test func widthAndHeightAreThoseOfTheNetworksInput() throws {
    let model = try Self.model([("orig_target_sizes", [1, 2])]) { writer in
      writer.add(
        "Concat", ["orig_target_sizes", "orig_target_sizes"], ["sizes"], ["axis": .int(1)])
      writer.add("Mul", ["parts", "sizes"], ["boxes"])
      for name in ["labels", "boxes", "scores"] { writer.output(name) }
    }
    try Self.check(model)
  }

  @Test func rowsAndFactorsAreFilledForPaddle() throws {
    let model = try Self.model([("im_shape", [1, 2]), ("scale_factor", [1, 2])]) { writer in
      writer.integers("order", [1, 0, 1, 0])
      writer.add("Div", ["im_shape", "scale_factor"], ["size"])
      writer.add("Gather", ["size", "order"], ["sizes"], ["axis": .int(1)])
      writer.add("Mul", ["parts", "sizes"], ["boxes"])
      writer.integers("last", [2])
      for name in ["labels", "scores"] {
        writer.add("Unsqueeze", [name, "last"], [name + " column"])
      }
      writer.add(
        "Concat", ["labels column", "scores column", "boxes"], ["rows"], ["axis": .int(2)])
      writer.output("rows")
    }
    try Self.check(model)
  }

  @Test func masksAreOnesAndOtherInputsStay() throws {
    let mask = try Self.model([("pixel_mask", [1, 8, 8])]) { writer in
      writer.add("ReduceMin", ["pixel_mask"], ["one"], ["keepdims": .int(0)])
      writer.floats("size", [160, 96, 160, 96])
      writer.add("Mul", ["parts", "size"], ["pixels"])
      writer.add("Mul", ["pixels", "one"], ["boxes"])
      for name in ["labels", "boxes", "scores"] { writer.output(name) }
    }
    try Self.check(mask)
    let unknown = try Self.model([("gain", [1, 1])]) { writer in
      writer.add("Mul", ["parts", "gain"], ["boxes"])
      for name in ["labels", "boxes", "scores"] { writer.output(name) }
    }
    let error = #expect(throws: (any Error).self) { try DetectObjectsRequest(model: unknown) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("'gain' [1, 1]"))
  }
}
