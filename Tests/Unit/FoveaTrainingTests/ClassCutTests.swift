// Fovea - detectors that are cut down to some of their classes.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaQuantization
import FoveaRuntime
import FoveaTestSupport
import FoveaTraining
import Testing

@Suite("Detectors of fewer classes")
struct ClassCutTests {
  private func options(labels: [String]? = nil) -> ConversionOptions {
    var options = ConversionOptions()
    options.loading.pictures = PictureInput()
    options.isPackage = false
    options.labels = labels
    return options
  }

  /// Scores and boxes that a model computes for a picture of noise.
  private func rows(
    _ model: Model, _ scores: String = "confidence", _ boxes: String = "coordinates"
  ) throws -> (scores: [Float], boxes: [Float]) {
    let session = try Session(model: model, pool: ThreadPool(threadCount: 1))
    let input = model.inputs[0]
    let bytes = (0..<input.shape.reduce(1, *)).map {
      UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7)
    }
    try session.setInput(input.name, to: Tensor(shape: input.shape, uint8s: bytes))
    session.run()
    return (try session.output(scores).floats(), try session.output(boxes).floats())
  }

  /// What was cut gives the columns of the source, in the order that was asked for.
  private func compare(_ path: String, _ keeping: [String]) throws -> Int {
    let source = try Model(contentsOf: path)
    let known = try #require(source.classLabels)
    let files = try ClassCut.conversion(of: path, keeping: keeping, options: options()).files
    let result = try Model(bytes: files.model, name: "cut")
    #expect(result.classLabels == keeping)
    let (whole, cut) = (try rows(source), try rows(result))
    let places = try keeping.map { try #require(known.firstIndex(of: $0)) }
    let expected = (0..<whole.boxes.count / 4).flatMap { row in
      places.map { whole.scores[row * known.count + $0] }
    }
    #expect(cut.scores.count == expected.count && cut.boxes.count == whole.boxes.count)
    #expect(zip(cut.scores, expected).allSatisfy { abs($0 - $1) <= 1e-5 })
    #expect(zip(cut.boxes, whole.boxes).allSatisfy { abs($0 - $1) <= 1e-5 })
    return files.model.count
  }

  @Test("Boxes beside anchors", arguments: [["wide"], ["wide", "square"]])
  func anchors(_ keeping: [String]) throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    _ = try compare(detector.path, keeping)
  }

  @Test("Distances")
  func distances() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let files = try detector.networkOfDistances().files(TrainedModelNotes(), isPackage: false)
    let path = try detector.folder.write("distances.mlmodel", files.model)
    let size = try compare(path, ["wide"])
    #expect(size < files.model.count)
  }

  @Test("Weights keep their bits", arguments: [0, 1, 2, 3, 4])
  func codes(_ form: Int) throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let network = try TrainingStart.network(contentsOf: detector.path, side: nil, isForced: false)
    let quantizer = try ModelQuantizer(network.files(TrainedModelNotes(), isPackage: true))
    var linear = QuantizationOptions(kind: .linear, bits: 8)
    linear.sharesScale = form == 4
    let files =
      switch form {
      case 0: try quantizer.inHalfPrecision().files
      case 1: try quantizer.quantize(QuantizationOptions(bits: 8)).files
      case 2: try quantizer.quantize(QuantizationOptions(bits: 4)).files
      default: try quantizer.quantize(linear).files
      }
    let whole = try files.inOneFile().model
    let path = try detector.folder.write("coded.mlmodel", whole)
    let size = try compare(path, ["square"])
    let floats = try ClassCut.conversion(
      of: detector.path, keeping: ["square"], options: options())
    #expect(size < floats.files.model.count)
  }

  @Test("Real networks", .enabled(if: SharedData.isPresent))
  func fastest() throws {
    let path = SharedData.url("models/yolo-fastest-1.1-xl-Int8LUT.mlmodel").path
    let files = try ClassCut.conversion(
      of: path, keeping: ["car", "person"], options: options())
    #expect(files.byteCount < 1_087_577 - 50_000)
    let result = try Model(bytes: files.files.model, name: "cut")
    #expect(result.classLabels == ["car", "person"])
    #expect(result.metadata.license == (try Model(contentsOf: path)).metadata.license)
  }

  @Test(
    "Operations without words of ours stay", .enabled(if: SharedData.isPresent),
    arguments: ["yolo11-fp16-ios18", "pipeline-yolo11-nms"])
  func attention(_ name: String) throws {
    let path = SharedData.url("mlprogram/\(name)/model.mlpackage").path
    let source = try Model(contentsOf: path)
    let files = try ClassCut.conversion(of: path, keeping: ["car", "person"], options: options())
    let result = try Model(bytes: files.files.model, name: "cut")
    #expect(result.classLabels == ["car", "person"])
    #expect(files.byteCount < 830_000)
    // The same rows, with two columns.
    let stage = source.suppression
    let known = try #require(source.classLabels)
    let places = try ["car", "person"].map { try #require(known.firstIndex(of: $0)) }
    let whole = try rows(
      source, stage?.confidenceInputName ?? "confidence",
      stage?.coordinatesInputName ?? "coordinates")
    let cut = try rows(result)
    let columns = whole.scores.count / (whole.boxes.count / 4)
    let expected = (0..<whole.boxes.count / 4).flatMap { row in
      places.map { whole.scores[row * columns + $0] }
    }
    #expect(zip(cut.scores.sorted(), expected.sorted()).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(zip(cut.boxes.sorted(), whole.boxes.sorted()).allSatisfy { abs($0 - $1) < 2e-3 })
    #expect(cut.boxes.count == whole.boxes.count)
  }

  @Test("What cannot be cut, and wrong names")
  func refusals() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    for (labels, words) in [
      (["wibe"], "did you mean 'wide'?"), (["wide", "wide"], "is named twice"),
    ] {
      let error = try #require(throws: TrainingError.self) {
        try ClassCut.conversion(of: detector.path, keeping: labels, options: options())
      }
      #expect(error.code == .invalidOption && error.message.contains(words))
    }
    let named = options(labels: ["one"])
    let error = try #require(throws: TrainingError.self) {
      try ClassCut.conversion(of: detector.path, keeping: ["one"], options: named)
    }
    #expect(error.message.contains("has 2 classes, and 1 names are given"))
    let text = try detector.folder.write("text.onnx", Array("text".utf8))
    #expect(throws: TrainingError.self) {
      try ClassCut.conversion(of: text, keeping: ["one"], options: options())
    }
  }

  // The second one has distances without distributions.
  @Test(
    "A head of another kind is named", .enabled(if: SharedData.isPresent),
    arguments: ["nanodet-fp16", "yolo26-one2many-fp16"])
  func foreignHead(_ name: String) throws {
    let path = SharedData.url("mlprogram/\(name)/model.mlpackage").path
    let error = try #require(throws: TrainingError.self) {
      try ClassCut.conversion(of: path, keeping: ["person"], options: options())
    }
    #expect(error.code == .unsuitableStart)
    #expect(error.message.hasPrefix(path) && error.message.contains("fovea detect --only"))
  }
}
