// Fovea - tests of the heads that decoding and suppression are timed on.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaCommandLine
import Foundation
import Testing

import FoveaBench

@Suite struct DetectorHeadsTests {
  private let small = DetectorHeads(side: 64, strides: [32, 16], classes: 3)

  /// Both arrays, worked out from the logits one by one.
  private func expected(_ heads: DetectorHeads) throws -> (scores: [Double], boxes: [Double]) {
    func sigmoid(_ x: Float) -> Double { 1 / (1 + exp(-Double(x))) }
    let anchors = [(1.5, 1.5), (4, 2.5), (4, 7)]
    var scores: [Double] = [], boxes: [Double] = []
    for (stride, (_, values)) in zip(heads.strides, try heads.logits()) {
      let (cells, logits) = (heads.side / stride, values.floats())
      for (anchor, size) in anchors.enumerated() {
        for cell in 0..<cells * cells {
          let logit = { (channel: Int) in
            logits[(anchor * (5 + heads.classes) + channel) * cells * cells + cell]
          }
          scores += (0..<heads.classes).map { sigmoid(logit(5 + $0)) * sigmoid(logit(4)) }
          let (column, row) = (Double(cell % cells), Double(cell / cells))
          let scale = Double(stride) / Double(heads.side)
          boxes += [(sigmoid(logit(0)) + column) * scale, (sigmoid(logit(1)) + row) * scale]
          boxes += [exp(Double(logit(2))) * size.0 * scale, exp(Double(logit(3))) * size.1 * scale]
        }
      }
    }
    return (scores, boxes)
  }

  @Test(arguments: [Backend.reference, .blas, .float])
  func theNetworkIsTheDecodingOfItsLogits(_ backend: Backend) throws {
    let arrays = try DetectorArrays(small, options: .init(backend: backend))
    #expect(arrays.boxCount == 60 && arrays.classCount == 3)
    #expect(try #require(arrays.decode(floor: 0)) > 0)
    let (scores, boxes) = try expected(small)
    #expect(scores.count == 180 && boxes.count == 240)
    try arrays.withArrays { confidence, coordinates in
      #expect(confidence.count == 180 && coordinates.count == 240)
      for i in scores.indices { #expect(abs(Double(confidence[i]) - scores[i]) < 1e-6) }
      for i in boxes.indices {
        #expect(abs(Double(coordinates[i]) - boxes[i]) < 2e-6 * max(1, boxes[i]))
      }
    }
  }

  @Test func theDefaultIsTheSizeOfYOLOv3Tiny() throws {
    let heads = DetectorHeads(side: 416, strides: [32, 16], classes: 80)
    #expect(heads.boxCount == 2535)
    #expect(DetectorHeads(side: 640, strides: [32, 16, 8], classes: 1).boxCount == 25200)
    #expect(try heads.logits().map(\.values) == heads.logits().map(\.values))
  }

  @Test func arraysFromFilesAreTakenAsTheyAre() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String, _ shape: [Int]) throws -> String {
      let path = folder.appendingPathComponent(name + ".npy").path
      let count = shape.reduce(1, *)
      try Tensor(shape: shape, floats: (0..<count).map { Float($0) / 64 }).write(toNPY: path)
      return path
    }
    let (scores, boxes) = (try file("scores", [1, 2, 3]), try file("boxes", [2, 4]))
    let arrays = try DetectorArrays(confidence: scores, coordinates: boxes)
    #expect(arrays.boxCount == 2 && arrays.classCount == 3 && arrays.decode(floor: 0) == nil)
    try arrays.withArrays { confidence, coordinates in
      #expect(confidence[5] == 5.0 / 64 && coordinates[7] == 7.0 / 64)
    }
    for shape in [[3, 4], [2, 5], [2, 2, 4], [4]] {
      let wrong = try file("wrong", shape)
      let failure = try #require(throws: CommandFailure.self) {
        try DetectorArrays(confidence: scores, coordinates: wrong)
      }
      #expect(failure.message.contains("\(wrong) \(shape)"))
      #expect(failure.message.contains("expected [boxes, classes] and [boxes, 4]"))
    }
  }
}
