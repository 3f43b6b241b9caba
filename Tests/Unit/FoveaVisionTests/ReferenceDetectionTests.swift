// Fovea - tests against the stored detections of real networks.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct ReferenceDetectionTests {
  /// A detection of a reference.
  struct Expected {
    var label: String
    var classIndex: Int
    var score: Double
    var box: NormalizedRect
  }

  /// A model file, the folder of its answers, and an image.
  struct Case: Sendable, CustomTestStringConvertible {
    var model: String
    var folder: String
    var image: String
    var side = 320
    var testDescription: String { "\(model) on \(image)" }
  }

  static let cases: [Case] =
    ["dog", "person", "horses", "eagle", "giraffe"].flatMap { image in
      [
        Case(model: "yolo-fastest-1.1-xl", folder: "yolo-fastest-1.1-xl", image: image),
        Case(model: "yolo-fastest-1.1-raw", folder: "yolo-fastest-1.1", image: image),
      ]
    } + [
      Case(
        model: "yolov3-tiny-random-Int8LUT", folder: "yolov3-tiny-random-Int8LUT", image: "dog",
        side: 416)
    ]

  /// Fovea's own arithmetic takes ten seconds and more for an image when it is not optimized, so
  /// that only release builds run it on everything.
  static let runs: [(Case, Backend)] = cases.flatMap { reference in
    let isSmall = reference.image == "dog" && reference.model == "yolo-fastest-1.1-raw"
    return [(reference, Backend.blas)]
      + (BuildConfiguration.isOptimized || isSmall
        ? [(reference, .reference), (reference, .float)] : [])
  }

  static let variants = ["FP16", "Int8LUT", "Int8Linear", "Int8LinearLUT", "Int4LUT"]

  /// Loaded once and shared by the tests that run at once, as requests are meant to be.
  private static let requests: [String: Result<DetectObjectsRequest, any Error>] = {
    let models =
      ["yolo-fastest-1.1-xl", "yolo-fastest-1.1-raw", "yolov3-tiny-random-Int8LUT"]
      + variants.map { "yolo-fastest-1.1-xl-\($0)" }
    var requests: [String: Result<DetectObjectsRequest, any Error>] = [:]
    for model in models {
      let path = SharedData.url("models/\(model).mlmodel").path
      for backend in [Backend.auto, .reference, .blas, .float] {
        requests["\(model) \(backend)"] = Result {
          let options = Model.Options(backend: .init(backend))
          return try DetectObjectsRequest(model: Model(contentsOf: path, options: options))
        }
      }
    }
    return requests
  }()

  static func request(_ model: String, _ backend: Backend) throws -> DetectObjectsRequest {
    try #require(requests["\(model) \(backend)"]).get()
  }

  static func input(_ image: String, side: Int) throws -> Image {
    let path = SharedData.url("references/inputs/\(image)-\(side)x\(side).npy").path
    let tensor = try Tensor(contentsOf: path)
    #expect(tensor.shape == [side, side, 3])
    return try Image(width: side, height: side, rgb: try #require(tensor.uint8s()))
  }

  static func expected(_ list: Any?) throws -> [Expected] {
    try #require(list as? [[String: Any]]).map { entry in
      let box = try #require(entry["box"] as? [Double])
      let corners = CornerBox(
        CenterBox(centerX: box[0], centerY: box[1], width: box[2], height: box[3]))
      return Expected(
        label: try #require(entry["class_name"] as? String),
        classIndex: try #require(entry["class_id"] as? Int),
        score: try #require(entry["score"] as? Double),
        box: NormalizedRect(corners, origin: .upperLeft))
    }
  }

  /// What is wrong with a result: the same labels, overlap at least 0.98, scores within 0.005.
  static func differences(
    _ found: [RecognizedObjectObservation], _ expected: [Expected]
  ) -> [String] {
    var rest = found
    var wrong: [String] = []
    for object in expected {
      let match = rest.indices.filter { rest[$0].bestLabel?.classIndex == object.classIndex }
        .max {
          rest[$0].boundingBox.intersectionOverUnion(with: object.box)
            < rest[$1].boundingBox.intersectionOverUnion(with: object.box)
        }
      guard let match else {
        wrong.append("missed \(object)")
        continue
      }
      let observation = rest.remove(at: match)
      let overlap = observation.boundingBox.intersectionOverUnion(with: object.box)
      let close = abs(Double(observation.topConfidence) - object.score) <= 0.005
      let named = observation.bestLabel?.identifier == object.label
      if overlap < 0.98 || !close || !named {
        wrong.append("\(observation) with overlap \(overlap), not \(object)")
      }
    }
    return wrong + rest.map { "invented \($0)" }
  }

  @Test(arguments: runs)
  func detectionsAreTheStoredOnes(_ reference: Case, _ backend: Backend) throws {
    let request = try Self.request(reference.model, backend)
    let found = try request.perform(on: Self.input(reference.image, side: reference.side))
    let answer =
      try SharedData.json("references/\(reference.folder)/\(reference.image)-detections.json")
      as? [String: Any]
    let expected = try Self.expected(answer?["best_class"])
    #expect(Self.differences(found, expected) == [])
  }

  @Test(arguments: cases.filter { $0.side == 320 })
  func multiLabelDetectionsAreTheStoredOnes(_ reference: Case) throws {
    var request = try Self.request(reference.model, .blas)
    request.candidateRule = .multiLabel
    let found = try request.perform(on: Self.input(reference.image, side: reference.side))
    let answer =
      try SharedData.json("references/\(reference.folder)/\(reference.image)-detections.json")
      as? [String: Any]
    let expected = try Self.expected(answer?["multi_label"])
    #expect(Self.differences(found, expected) == [])
  }

  @Test(
    arguments: variants,
    BuildConfiguration.isOptimized ? [Backend.reference, .blas, .float] : [.blas])
  func quantizedDetectionsAreTheStoredOnes(_ variant: String, _ backend: Backend) throws {
    let request = try Self.request("yolo-fastest-1.1-xl-\(variant)", backend)
    let found = try request.perform(on: Self.input("dog", side: 320))
    let all = try SharedData.json("references/variants.json") as? [String: [String: Any]]
    let detections = all?[variant]?["detections"] as? [String: Any]
    #expect(Self.differences(found, try Self.expected(detections?["best_class"])) == [])
  }

  @Test(arguments: ["yolo-fastest-1.1-xl-Int8LUT", "yolo-fastest-1.1-xl"])
  func photographOfTheDogShowsDogBicycleAndVehicle(_ model: String) throws {
    let request = try Self.request(model, .auto)
    let result = try ImageRequestHandler(
      ImageFile(contentsOf: SharedData.url("images/dog.jpg").path)
    ).result(of: request)
    #expect(result.imageSize == ImageSize(width: 768, height: 576))
    let labels = Set(result.observations.compactMap(\.bestLabel?.identifier))
    #expect(labels.isSuperset(of: ["dog", "bicycle"]))
    #expect(!labels.isDisjoint(with: ["car", "truck", "bus"]))
    #expect(result.timings.decode > .zero && result.timings.inference > .zero)
  }

  @Test(arguments: 1...8)
  func exifOrientationOfFilesIsHonored(_ raw: Int) throws {
    let names = try SharedData.files(in: "images/exif", suffix: ".jpg")
    let name = try #require(names.first { $0.contains("\(raw)") })
    let request = try Self.request("yolo-fastest-1.1-xl", .blas)
    let upright = try request.perform(
      on: ImageFile(contentsOf: SharedData.url("images/exif/upright.png").path))
    let result = try ImageRequestHandler(
      ImageFile(contentsOf: SharedData.url("images/exif/\(name)").path)
    )
    .result(of: request)
    #expect(result.orientation.rawValue == raw)
    let best = try #require(upright.first)
    #expect(result.observations.first?.bestLabel?.identifier == best.bestLabel?.identifier)
    let box = try #require(result.observations.first).boundingBox
    // The images are small and differ by what JPEG loses; a wrong turn leaves no overlap.
    #expect(box.intersectionOverUnion(with: best.boundingBox) > 0.8)
  }
}

@Suite(.enabled(if: SharedData.isPresent)) struct UnsuitableModelTests {
  @Test func modelThatIsNoDetectorIsRefusedWithItsOutputs() throws {
    let path = SharedData.url("models/Image2Image.mlmodel").path
    let error = #expect(throws: DetectionError.self) {
      try DetectObjectsRequest(model: Model(contentsOf: path))
    }
    guard case .unsuitableModel(let text) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.contains("generatedImage"))
  }

  @Test func wrongNumberOfLabelsIsRefused() throws {
    let path = SharedData.url("bad/models/nms-one-label.mlmodel").path
    #expect(throws: (any Error).self) {
      try DetectObjectsRequest(model: Model(contentsOf: path))
    }
  }
}
