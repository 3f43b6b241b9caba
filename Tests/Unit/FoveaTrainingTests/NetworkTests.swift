// Fovea - networks that are trained compute what the engine computes.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import CFoveaTrain
import FoveaExampleModel
import FoveaLibc
import FoveaRuntime
import FoveaTestSupport
import FoveaTraining
import Testing

@Suite("Networks that are trained")
struct NetworkTests {
  /// The scores of boxes that a tape computes for a picture, in the order of the rows of a model.
  private func scores(_ network: TrainableNetwork, _ bytes: [UInt8]) throws -> [Float] {
    let tape = try NetworkTape(network)
    var run: OpaquePointer?
    #expect(fov_tape_run_create(tape.pointer, &run) == .ok)
    let own = try #require(run)
    defer { fov_tape_run_destroy(own) }
    fov_tape_set_picture(own, bytes)
    fov_tape_forward(own, fov_tape_initial_parameters(tape.pointer))
    func logistic(_ x: Float) -> Float { Float(1 / (1 + exp(Double(-x)))) }
    let count = network.labels.count
    var result: [Float] = []
    switch network.heads {
    case .anchors(let heads):
      for (output, head) in heads.enumerated() {
        let size = fov_tape_output_size(tape.pointer, output)
        let values = fov_tape_output(own, output)
        for anchor in head.anchors.indices {
          for pixel in 0..<size.rows * size.columns {
            let first = values + pixel * size.stride + anchor * (5 + count)
            for label in 0..<count {
              result.append(logistic(first[4]) * logistic(first[5 + label]))
            }
          }
        }
      }
    case .distances(let heads):
      for place in heads.indices {
        let size = fov_tape_output_size(tape.pointer, 2 * place + 1)
        let values = fov_tape_output(own, 2 * place + 1)
        for pixel in 0..<size.rows * size.columns {
          for label in 0..<count { result.append(logistic(values[pixel * size.stride + label])) }
        }
      }
    }
    return result
  }

  /// What a session of a model computes for the same bytes.
  private func outputs(_ model: Model, _ bytes: [UInt8]) throws -> [String: [Float]] {
    let session = try Session(model: model, pool: ThreadPool(threadCount: 1))
    let shape = model.inputs[0].shape
    try session.setInput(model.inputs[0].name, to: Tensor(shape: shape, uint8s: bytes))
    session.run()
    return try [
      "confidence": session.output("confidence").floats(),
      "coordinates": session.output("coordinates").floats(),
    ]
  }

  private func bytes(_ network: TrainableNetwork) -> [UInt8] {
    (0..<network.picture.width * network.picture.height * 3).map {
      UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7)
    }
  }

  private func greatestDifference(_ left: [Float], _ right: [Float]) -> Float {
    #expect(left.count == right.count)
    return zip(left, right).map { abs($0 - $1) }.max() ?? 1
  }

  /// Tape, source and written file give the same.
  private func compare(_ path: String, side: Int?) throws {
    let network = try TrainingStart.network(contentsOf: path, side: side, isForced: true)
    let bytes = bytes(network)
    var options = Model.Options()
    options.imageSize = side.map { .init(width: $0, height: $0) }
    let source = try outputs(Model(contentsOf: path, options: options), bytes)
    let files = try network.files(TrainedModelNotes(), isPackage: false)
    let written = try outputs(Model(bytes: files.model, name: "written"), bytes)
    let confidence = try #require(source["confidence"])
    #expect(greatestDifference(try scores(network, bytes), confidence) < 1e-5)
    for (name, values) in source {
      #expect(greatestDifference(try #require(written[name]), values) < 1e-5)
    }
    // What was written can be trained again.
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let again = try TrainingStart.network(
      contentsOf: folder.write("again.mlmodel", files.model), side: nil, isForced: false)
    #expect(greatestDifference(try scores(again, bytes), confidence) < 1e-5)
    #expect(again.parameterCount == network.parameterCount)
    #expect(again.labels == network.labels)
  }

  @Test("A small detector computes the same in all forms")
  func small() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    try compare(detector.path, side: nil)
  }

  @Test("yolo-fastest computes the same in all forms", .enabled(if: SharedData.isPresent))
  func fastest() throws {
    try compare(SharedData.url("models/yolo-fastest-1.1-xl.cfg").path, side: 96)
  }

  @Test("A head of distances is written, found and computed")
  func distances() throws {
    let detector = try SmallDetector()
    defer { detector.folder.remove() }
    let network = try detector.networkOfDistances()
    let bytes = bytes(network)
    let expected = try scores(network, bytes)
    let files = try network.files(TrainedModelNotes(), isPackage: false)
    let path = try detector.folder.write("distances.mlmodel", files.model)
    let written = try outputs(Model(contentsOf: path), bytes)
    #expect(greatestDifference(expected, try #require(written["confidence"])) < 1e-5)
    let again = try TrainingStart.network(contentsOf: path, side: nil, isForced: false)
    guard case .distances(let found) = again.heads else {
      Issue.record("no head of distances")
      return
    }
    #expect(found.count == 1 && found[0].bins == 6)
    #expect(greatestDifference(try scores(again, bytes), expected) < 1e-5)
  }

  @Test("A start that cannot be read is named once", arguments: [nil, 96])
  func namedOnce(side: Int?) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = try folder.write("text.onnx", Array("text".utf8))
    for path in [path, folder.url.path + "/none.onnx"] {
      let error = try #require(throws: TrainingError.self) {
        try TrainingStart.network(contentsOf: path, side: side, isForced: side == nil)
      }
      #expect(error.code == .unsuitableStart)
      #expect(error.message.hasPrefix("\(path): "))
      #expect(error.message.split(separator: path, omittingEmptySubsequences: false).count == 2)
    }
  }
}
