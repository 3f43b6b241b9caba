// Fovea - real detectors decode their boxes in two operations.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct DetectionDecodingTests {
  /// A model, and the operations that are left of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var nodes: Int
    var isLarge = false
    var testDescription: String { file }
  }

  static let cases = [
    Case(file: "models/yolov3-tiny-random-Int8LUT.mlmodel", nodes: 24, isLarge: true),
    Case(file: "models/yolo-fastest-1.1-raw.mlmodel", nodes: 111),
    Case(file: "models/yolo-fastest-1.1.cfg", nodes: 111),
    Case(file: "models/yolo-fastest-1.1-xl-Int8LUT.mlmodel", nodes: 111),
    Case(file: "odd/valid-float32.mlmodel", nodes: 6),
    Case(file: "odd/valid-Int8LUT.mlmodel", nodes: 6),
  ]

  static let runs: [(Case, Backend)] = cases.flatMap { test in
    test.isLarge ? [(test, Backend.blas)] : [(test, .blas), (test, .reference)]
  }

  private func load(_ test: Case, _ backend: BackendOptions) throws -> Model {
    try Model(
      contentsOf: SharedData.url(test.file).path,
      options: Model.Options(backend: backend))
  }

  private func outputs(_ model: Model, floor: Float = 0) throws -> [[Float]] {
    let session = try Session(model: model, pool: ThreadPool(threadCount: 2))
    session.confidenceFloor = floor
    var random = SplitMix(seed: 9)
    for input in model.inputs {
      try session.withInputBytes(input.name) { bytes in
        for i in bytes.indices { bytes[i] = UInt8.random(in: 0...255, using: &random) }
      }
    }
    session.run()
    return try model.outputs.map { try session.output($0.name).floats() }
  }

  @Test(arguments: runs)
  func decodingIsTwoOperations(_ test: Case, _ backend: Backend) throws {
    let model = try load(test, BackendOptions(backend))
    let layers = try load(
      test, backend == .blas ? .blas(keepsAllLayers: true) : .reference(keepsAllLayers: true))
    #expect(model.nodes.count == test.nodes)
    #expect(layers.nodes.count > test.nodes + 20)
    #expect(layers.nodes.allSatisfy { !$0.operation.hasPrefix("detection") })
    let operations = model.nodes.map(\.operation)
    #expect(operations.suffix(2).sorted() == ["detection_confidence", "detection_coordinates"])
    #expect(operations.allSatisfy { !["unary", "slice", "transpose"].contains($0) })
    #expect(model.outputs == layers.outputs)
    let (found, expected) = (try outputs(model), try outputs(layers))
    for (found, expected) in zip(found, expected) {
      let worst = zip(found, expected).map { abs($0 - $1) / max(1, abs($1)) }.max() ?? 0
      #expect(found.count == expected.count)
      #expect(worst <= 1e-6)
    }
  }

  @Test(arguments: cases, [Float(0.01), 0.25])
  func rowsThatReachTheFloorAreComplete(_ test: Case, floor: Float) throws {
    let model = try load(test, .blas)
    let (full, found) = (try outputs(model), try outputs(model, floor: floor))
    let scores = try #require(model.outputs.firstIndex { $0.name.hasSuffix("confidence") })
    let boxes = 1 - scores
    let classes = try #require(model.outputs[scores].shape.last)
    for row in 0..<full[boxes].count / 4 {
      let (own, box) = (row * classes..<(row + 1) * classes, row * 4..<row * 4 + 4)
      if found[scores][own].allSatisfy({ $0 == 0 }) {
        #expect(full[scores][own].allSatisfy { $0 < floor })
      } else {
        #expect(found[scores][own] == full[scores][own])
        #expect(found[boxes][box] == full[boxes][box])
      }
    }
  }
}
