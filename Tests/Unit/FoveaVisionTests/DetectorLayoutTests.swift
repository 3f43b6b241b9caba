// Fovea - tests of finding scores and boxes among a model's outputs.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaVision
import Testing

@Suite struct DetectorLayoutTests {
  static let image = Model.Port(
    name: "image", type: .uint8, shape: [8, 8, 3],
    image: ImageFeature(width: 8, height: 8, colorSpace: .rgb))

  static func layout(
    _ outputs: [(String, [Int])], labels: [String]? = nil, suppression: (String, String)? = nil,
    inputs: [Model.Port] = [image]
  ) throws -> DetectorLayout {
    let stage = suppression.map {
      NonMaximumSuppression(
        perClass: true, classLabels: .none, iouThreshold: 0.45, confidenceThreshold: 0.25,
        confidenceInputName: $0.0, coordinatesInputName: $0.1, confidenceOutputName: "c",
        coordinatesOutputName: "b")
    }
    return try DetectorLayout(
      DetectorInterface(
        name: "model", inputs: inputs,
        outputs: outputs.map { Model.Port(name: $0.0, type: .float32, shape: $0.1) },
        suppression: stage, classLabels: labels))
  }

  @Test func namesOfTheStageWin() throws {
    let outputs = [
      ("coordinates", [5, 4]), ("p", [7, 3]), ("q", [7, 4]), ("confidence", [5, 2]),
    ]
    let found = try Self.layout(outputs, suppression: ("p", "q"))
    #expect(found.confidenceOutput == "p" && found.coordinatesOutput == "q")
    #expect(found.boxCount == 7 && found.classLabels == ["class 0", "class 1", "class 2"])
    #expect(found.imageInput == "image")
  }

  @Test func usualNamesServeInAnyCase() throws {
    let found = try Self.layout([("Coordinates", [1, 9, 4]), ("CONFIDENCE", [1, 1, 9, 4])])
    #expect(found.confidenceOutput == "CONFIDENCE" && found.coordinatesOutput == "Coordinates")
    #expect(found.classLabels.count == 4)
  }

  @Test func shapesServeWhenOnlyOnePairFits() throws {
    let found = try Self.layout([("a", [9, 4]), ("b", [9, 80]), ("other", [3, 80])])
    #expect(found.confidenceOutput == "b" && found.coordinatesOutput == "a")
  }

  @Test(arguments: [
    [("a", [9, 4]), ("b", [9, 4])], [("a", [9, 4])], [("a", [9, 4]), ("b", [8, 80])],
    [("a", [9, 4]), ("b", [9, 80]), ("c", [9, 20])], [("confidence", [9, 2])], [],
    [("confidence", [9, 2]), ("coordinates", [9, 5])],
    [("confidence", [9, 2]), ("coordinates", [8, 4])],
    [("confidence", [3, 3, 2]), ("coordinates", [9, 4])], [("confidence", [18]), ("b", [36])],
  ])
  func whatIsNoPairIsRefusedWithTheOutputs(_ outputs: [(String, [Int])]) throws {
    let error = #expect(throws: DetectionError.self) { try Self.layout(outputs) }
    guard case .unsuitableModel(let text) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    for (name, shape) in outputs.prefix(2) {
      #expect(text.contains("'\(name)'") && text.contains("\(shape)"))
    }
  }

  @Test func labelsMustBeAsManyAsClasses() throws {
    let outputs = [("confidence", [9, 2]), ("coordinates", [9, 4])]
    #expect(try Self.layout(outputs, labels: ["a", "b"]).classLabels == ["a", "b"])
    for labels in [[], ["a"], ["a", "b", "c"]] {
      #expect(throws: DetectionError.self) { try Self.layout(outputs, labels: labels) }
    }
  }

  @Test func oneImageIsTheOnlyInput() throws {
    let outputs = [("confidence", [9, 2]), ("coordinates", [9, 4])]
    let array = Model.Port(name: "extra", type: .float32, shape: [2])
    for inputs in [[], [array], [Self.image, array], [Self.image, Self.image]] {
      #expect(throws: DetectionError.self) { try Self.layout(outputs, inputs: inputs) }
    }
  }
}
